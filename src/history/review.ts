import { readRow } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import { incidentStates, type Life } from '../core/incident-history.ts';
import type { Log } from '../core/log.ts';
import type { Readers } from '../core/ports.ts';
import type { Claim } from '../core/review-draft.ts';
import { targetName } from '../core/targets.ts';
import { writes } from '../report/run-buttons.ts';
import * as alerts from '../store/alerts.ts';
import * as followed from '../store/followed-incidents.ts';
import * as requests from '../store/requests.ts';
import { requestsOfThread } from '../store/threads.ts';
import type { Listed } from './list.ts';
import { named, only, past, visible } from './plans.ts';
import type { MarkedMessage, Publishing, Review } from './review-words.ts';
import type { HistoryDeps } from './status.ts';
import { storyOf } from './story.ts';

/** The facts of an incident from its first alert on: nothing is in it that no record says. */

export interface ReviewDeps extends HistoryDeps {
  /** History of an incident by its number or id, or of the newest (`LAST`); null if PagerDuty has none. */
  incidentLife(asked: string, signal: AbortSignal): Promise<Life | null>;
  /** Messages of a thread with a pushpin, oldest first. */
  marked(thread: { channel: string; ts: string }): Promise<readonly MarkedMessage[]>;
  /** The name of a person; null where Slack has none. */
  nameOf(userId: string): Promise<string | null>;
  /** Maximum writes of one plan. */
  maxWrites(): number;
  /** A model's claims about numbered records, unchecked. Throws when there are none. Null without a model. */
  readonly draft: ((records: readonly string[]) => Promise<readonly Claim[]>) | null;
  readonly log: Log;
}

/** PagerDuty and Slack for the review of an incident. */
export function reviewSources({
  pagerduty,
  gateway,
}: {
  readonly pagerduty: Pick<Readers['pagerduty'], 'incident' | 'incidents' | 'life'>;
  readonly gateway: Pick<ReviewDeps, 'marked'> & {
    nameOf(kind: 'user', userId: string): Promise<string | null>;
  };
}): Pick<ReviewDeps, 'incidentLife' | 'marked' | 'nameOf'> {
  return {
    async incidentLife(asked, signal) {
      const newest = async () =>
        (await pagerduty.incidents({ states: incidentStates, order: 'newest', limit: 1 }, signal))
          .incidents[0];
      const incident =
        asked === 'LAST' ? ((await newest()) ?? null) : await pagerduty.incident(asked, signal);
      return incident && (await pagerduty.life(incident.id, signal));
    },
    marked: gateway.marked,
    nameOf: (userId) => gateway.nameOf('user', userId),
  };
}

/** For reading the records alone. */
export type Reading = Omit<
  ReviewDeps,
  'catalogue' | 'mayApprove' | 'watches' | 'nameOf' | 'maxWrites' | 'draft'
>;

/** Time limit for PagerDuty, in milliseconds. */
const askMs = 10_000;
/** Maximum plans, and threads that are read for marked messages. */
const maxPlans = 20;
const maxThreads = 10;

/** A person's request for a review, and its channel. */
export interface Asked {
  readonly userId: string;
  readonly channel: string;
  readonly incident: string;
}

/** Where a review that was asked for in this channel can go. */
export function publishing(channel: string, { catalogue }: Pick<ReviewDeps, 'catalogue'>): Publishing {
  const { channels, defaults, manifests, spaces = [] } = catalogue;
  const here = channels.find(({ id }) => id === channel)?.name ?? null;
  const project = manifests.has('jira.create') ? (defaults.project ?? null) : null;
  return {
    channel: manifests.has('slack.post') ? here : null,
    ticket: project,
    canvas: manifests.has('slack.canvas') ? here : null,
    page: manifests.has('confluence.create_page') ? (spaces[0] ?? null) : null,
    ends: project,
  };
}

/** As this person may see it; null where there is no such incident. */
export async function reviewOf(
  viewer: string,
  asked: string,
  deps: Reading,
): Promise<Review | { readonly why: string } | null> {
  const missing: string[] = [];
  const life = await lifeNamed(asked, missing, deps);
  if (life === null || 'why' in life) return life;
  const problems = await problemsOf(viewer, life, deps);
  const listed = await plansAbout(viewer, life, problems, deps);
  const [plans, reports, marked] = await Promise.all([
    Promise.all(listed.map((plan) => storyOf(plan, deps))),
    Promise.all(problems.map((problem) => alerts.alertsOf(deps.db, problem))),
    markedIn(await threadsOf(listed, problems, deps), missing, deps),
  ]);
  return { life, alerts: reports.flat(), plans, marked, missing };
}

/** From PagerDuty; as it was last read where PagerDuty does not answer. */
async function lifeNamed(
  asked: string,
  missing: string[],
  deps: Reading,
): Promise<Life | { readonly why: string } | null> {
  const { db, teamId, damaged, log } = deps;
  try {
    return await deps.incidentLife(asked, AbortSignal.timeout(askMs));
  } catch (error) {
    log.warn(describeError(error), 'A review could not ask PagerDuty');
    const row = await followed.named(db, { teamId, asked });
    const life = row && (readRow(row, followed.lifeReader, damaged)?.life ?? null);
    const why = describeError(error).message;
    if (life === null) return { why };
    missing.push(`PagerDuty could not be asked, so its lines are as they were read last: ${why}`);
    return life;
  }
}

/**
 * Plans that name the incident, those that opened it, those of the threads of its alerts, and what was done to its services
 * while it was open.
 */
async function plansAbout(viewer: string, life: Life, problems: Problems, deps: Reading): Promise<Listed[]> {
  const { db, teamId, manifests } = deps;
  const { id, number } = life;
  const tools = followed.openingTools(manifests);
  const targets = [id, String(number)].map((name) => targetName('incident', name));
  const threads = problems.flatMap(({ channel, messageTs: threadTs }) =>
    threadTs === null ? [] : [{ teamId, channel, threadTs }],
  );
  const [about, pages, asked] = await Promise.all([
    Promise.all(targets.map((target) => past(deps, { kind: 'target', target }, { limit: maxPlans }))),
    followed.pagesOf(db, { teamId, id, tools }),
    Promise.all(threads.map((thread) => requestsOfThread(db, thread))),
  ]);
  const requested = new Set([...pages.map(({ requestId }) => requestId), ...asked.flat()]);
  const opened = await Promise.all(
    [...requested].slice(0, 2 * maxPlans).map((of) => named(deps, { kind: 'request', id: of })),
  );
  const services = [...problems.map(({ service }) => service), ...opened.flat().flatMap(servicesOf)];
  const acted = await actedOn(new Set(services), life, tools, deps);
  const all = new Map(
    [...opened.flat(), ...about.flatMap(({ plans }) => plans), ...acted].map((plan) => [
      `${plan.requestId}/${plan.number}`,
      plan,
    ]),
  );
  const seen = await visible(viewer, [...all.values()], deps);
  return seen.toSorted((a, b) => a.askedAt.localeCompare(b.askedAt)).slice(-maxPlans);
}

const servicesOf = ({ revision }: Listed): string[] =>
  (revision?.sealed.plan.steps ?? []).flatMap(({ args: { service } }) =>
    typeof service === 'string' ? [service] : [],
  );

/** Plans with a write that ran on these services between the incident's start and its end, but for pages about something else. */
async function actedOn(
  services: ReadonlySet<string>,
  { openedAt, changedAt, state }: Life,
  opening: readonly string[],
  deps: Reading,
): Promise<Listed[]> {
  const within = { limit: maxPlans, ...(state === 'resolved' && { before: new Date(changedAt) }) };
  const all = await Promise.all(
    [...services].map((service) =>
      past(deps, { kind: 'target', target: targetName('service', service) }, within),
    ),
  );
  const from = Date.parse(openedAt);
  return all
    .flatMap(({ plans }) => plans)
    .filter(
      ({ askedAt, state, revision }) =>
        Date.parse(askedAt) >= from &&
        (state.kind === 'ended' || state.kind === 'running') &&
        revision !== null &&
        writes(revision, deps.manifests) &&
        !revision.sealed.plan.steps.some(({ tool }) => opening.includes(tool)),
    );
}

type Problems = Awaited<ReturnType<typeof alerts.problemsOf>>;

/** The alerts' problems that showed this incident, in channels this person may read. */
async function problemsOf(viewer: string, { id }: Life, deps: Reading): Promise<Problems> {
  const all = await alerts.problemsOf(deps.db, { teamId: deps.teamId, incident: id, limit: maxThreads });
  return only(all, ({ channel }) => deps.maySee(viewer, channel));
}

async function threadsOf(
  plans: readonly Listed[],
  problems: Problems,
  { db, teamId }: Reading,
): Promise<{ channel: string; ts: string }[]> {
  const asked = await Promise.all(plans.map(({ requestId }) => requests.get(db, teamId, requestId)));
  const places = [
    ...problems.map(({ channel, messageTs }) => ({ channel, ts: messageTs })),
    ...asked.map((request) => ({ channel: request?.channel ?? '', ts: request?.threadTs ?? null })),
    ...plans.map(({ card }) => ({ channel: card?.channel ?? '', ts: card?.ts ?? null })),
  ];
  const known = new Map(places.flatMap(({ channel, ts }) => (ts === null ? [] : [[ts, { channel, ts }]])));
  return [...known.values()].slice(0, maxThreads);
}

async function markedIn(
  threads: readonly { channel: string; ts: string }[],
  missing: string[],
  { marked, log }: Reading,
): Promise<MarkedMessage[]> {
  const found = await Promise.allSettled(threads.map(marked));
  const failed = found.flatMap((one) => (one.status === 'rejected' ? [describeError(one.reason)] : []));
  for (const facts of failed) log.warn(facts, 'A review could not read a thread');
  if (failed[0] !== undefined)
    missing.push(`${failed.length} of ${threads.length} threads could not be read for marked messages.`);
  const all = found.flatMap((one) => (one.status === 'fulfilled' ? [...one.value] : []));
  return [...new Map(all.map((message) => [`${message.by}${message.at}`, message])).values()];
}
