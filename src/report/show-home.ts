import type { Home } from '../blocks/message.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Who } from '../core/person.ts';
import type { RunOutcome } from '../core/run.ts';
import { type RecentRun, renderHome, type WaitingCard } from './home.ts';

/** A plan with the place where it was asked for. */
interface Shown {
  readonly channel: string;
  readonly requester: string;
  readonly summary: string;
  /** Address of its card, or null. Asked for only when it is shown. */
  link(): Promise<string | null>;
}

export interface HomePort {
  isFullMember(who: Who): Promise<boolean>;
  /** Plans that wait for a decision, those that expire first; at most `limit`. */
  waiting(limit: number): Promise<readonly (Shown & { readonly expiresAt: string })[]>;
  /** Runs that began last, newest first; at most `limit`. Outcome is null while one runs. */
  recent(limit: number): Promise<readonly (Shown & { readonly outcome: RunOutcome | null; at: string })[]>;
  /** True when a channel is public or the person is in it. */
  maySee(userId: string, channel: string): Promise<boolean>;
  /** Whether the policy names the person for a write tool. */
  mayApprove(userId: string, tool: string): Promise<boolean>;
  readonly catalogue: Catalogue;
  publish(userId: string, home: Home): Promise<void>;
}

const shown = 10;
/** Rows that are looked at for those that a person may see. */
const lookedAt = 50;

/**
 * Shows the App Home: what waits, what ran, how to ask, what this person may approve. Of plans from private places only
 * what somebody sees there anyway; guests see nothing.
 */
export async function showHome(who: Who, port: HomePort): Promise<void> {
  if (!(await port.isFullMember(who))) return;
  const { userId } = who;
  const waiting = await visible(userId, await port.waiting(lookedAt), port);
  const recent = await visible(userId, await port.recent(lookedAt), port);
  const home = renderHome({
    waiting: await Promise.all(waiting.slice(0, shown).map(waitingCard)),
    waitingInAll: waiting.length,
    recent: await Promise.all(recent.slice(0, shown).map(recentRun)),
    mayApprove: await approvable(userId, port),
    examples: examplesFor(port.catalogue),
  });
  await port.publish(userId, home);
}

async function visible<S extends Shown>(userId: string, all: readonly S[], port: HomePort): Promise<S[]> {
  const seen = await Promise.all(
    all.map(({ requester, channel }) => requester === userId || port.maySee(userId, channel)),
  );
  return all.filter((_, index) => seen[index]);
}

async function waitingCard({
  summary,
  requester,
  expiresAt,
  link,
}: Shown & { expiresAt: string }): Promise<WaitingCard> {
  return { summary, requester, expiresAt, link: await link() };
}

async function recentRun({
  summary,
  outcome,
  at,
  link,
}: Shown & { outcome: RunOutcome | null; at: string }): Promise<RecentRun> {
  return { summary, outcome, at, link: await link() };
}

/** What write tools do whose plans this person may approve, as far as that can be told now. */
async function approvable(userId: string, { catalogue, mayApprove }: HomePort): Promise<string[]> {
  const writes = [...catalogue.manifests.values()].filter(({ effect }) => effect === 'write');
  const may = await Promise.all(writes.map(({ name }) => mayApprove(userId, name)));
  return writes.filter((_, index) => may[index]).map(({ summary }) => firstSentence(summary));
}

function firstSentence(text: string): string {
  return /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
}

/** Goals that work here, with the operator's own names. */
function examplesFor({ defaults, projects }: Catalogue): string[] {
  const project = defaults.project ?? projects[0]?.key ?? 'OPS';
  const service = projects.find(({ key }) => key === project)?.service ?? defaults.service;
  const page =
    service === undefined ? [] : [`if ${project} has more than 20 open P1 tickets, page ${service}`];
  return [`how many P1 tickets are open in ${project}?`, ...page];
}
