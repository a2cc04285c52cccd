import type { RichTextBlockElement } from '@slack/types';
import { bold, bullets, line, link, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { VendorError } from '../core/errors.ts';
import type { LastTime } from '../core/settle.ts';
import { namesIn, targetName } from '../core/targets.ts';
import * as alerts from '../store/alerts.ts';
import { linesOf, planLine } from './list.ts';
import type { PlanDeps } from './plans.ts';
import * as plans from './plans.ts';
import { type Again, type SimilarDeps, similarBefore } from './similar.ts';

/** A service, and the channel in which it is shown: what happens in other private channels is not. */
export interface Around {
  readonly service: string;
  readonly channel: string;
  /** Who shows it, and is not part of it: the request that asks, or the problem of an alert. */
  readonly own: string;
  /** Whether it is said that there is nothing. */
  readonly saysNone: boolean;
  /** Its subject in any words: earlier plans are found by them. */
  readonly words: string;
}

export interface Known {
  readonly elements: readonly RichTextBlockElement[];
  readonly again: readonly Again[];
  readonly last: LastTime;
}

export interface AroundDeps extends SimilarDeps {
  isPublic(channel: string): Promise<boolean>;
}

const maxLines = 5;
const lookedAt = 50;

/** The bot's own records of a service: alerts that fire, plans under way, and earlier plans. */
export async function around(of: Around, deps: AroundDeps): Promise<Known> {
  const [firing, underWay, like] = await Promise.all([
    firingWords(of, deps),
    plansUnderWay(of, deps),
    similarBefore(of, (all) => shownHere(all, of, deps), deps),
  ]);
  return { elements: [...like.elements, ...firing, ...underWay], again: like.again, last: like.last };
}

/** The past that is like an incident, for the thread that paged about it; null where nothing is. */
export async function beforePage(
  of: Pick<Around, 'service' | 'channel' | 'words'> & {
    readonly requestId: string;
    readonly incident: string;
  },
  deps: AroundDeps,
): Promise<Pick<Known, 'elements' | 'again'> | null> {
  const like = { ...of, own: of.requestId, paged: of.incident };
  const { isAny, elements, again } = await similarBefore(like, (all) => shownHere(all, of, deps), deps);
  return isAny ? { elements, again } : null;
}

async function firingWords(of: Around, deps: AroundDeps): Promise<RichTextBlockElement[]> {
  const { db, teamId } = deps;
  const open = await alerts.openOf(db, { teamId, service: of.service, limit: lookedAt });
  const others = open.filter(({ id }) => id !== of.own);
  const shown = (await shownHere(others, of, deps)).slice(0, maxLines);
  if (shown.length === 0) return of.saysNone ? [bullets([line(bold('Alerts: '), 'none is firing.')])] : [];
  const items = await Promise.all(
    shown.map(async ({ titles, rule, firedAt, channel, messageTs }) => {
      const title = cut(oneLine(titles || rule), 120);
      const address = await addressOf(channel, messageTs, deps);
      const name: Span = address === null ? title : link(address, title);
      return line(name, ' · firing since ', time(firedAt.toISOString()));
    }),
  );
  return [line(bold('Alerts:')), bullets(items)];
}

async function plansUnderWay(of: Around, deps: AroundDeps): Promise<RichTextBlockElement[]> {
  const target = targetName('service', of.service);
  // An earlier revision may have named it.
  const open = (await plans.openAbout(deps, target, lookedAt)).filter(
    ({ requestId, revision }) =>
      requestId !== of.own &&
      revision !== null &&
      namesIn(revision.sealed.plan, deps.manifests).includes(target),
  );
  const lines = await linesOf((await shownHere(open, of, deps)).slice(0, maxLines));
  if (lines.length === 0) return of.saysNone ? [bullets([line(bold('Plans: '), 'none is under way.')])] : [];
  return [line(bold('Plans:')), bullets(lines.map((one) => planLine(one, { asked: true })))];
}

/** Keeps those of this channel, and those that everybody can read. */
function shownHere<T extends { readonly channel: string }>(
  all: readonly T[],
  { channel: here }: Pick<Around, 'channel'>,
  { isPublic }: AroundDeps,
): Promise<T[]> {
  return plans.only(all, ({ channel }) => channel === here || isPublic(channel));
}

async function addressOf(
  channel: string,
  ts: string | null,
  { permalink }: PlanDeps,
): Promise<string | null> {
  if (ts === null) return null;
  try {
    return await permalink(channel, ts);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    return null;
  }
}
