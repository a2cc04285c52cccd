import { createHash } from 'node:crypto';
import * as audit from '../../src/audit/chain.ts';
import { pastLooks, shown } from '../../src/history/pages.ts';
import { due } from '../../src/process/due.ts';
import * as approvals from '../../src/store/approvals.ts';
import { decide } from '../../src/store/decide.ts';
import * as followed from '../../src/store/followed-incidents.ts';
import * as history from '../../src/store/history.ts';
import * as inbox from '../../src/store/inbox.ts';
import { load } from '../../src/store/load-run.ts';
import * as outbox from '../../src/store/outbox.ts';
import * as delivery from '../../src/store/outbox-delivery.ts';
import { proofOf } from '../../src/store/proof.ts';
import { propose } from '../../src/store/propose.ts';
import * as refusals from '../../src/store/refusals.ts';
import * as nudges from '../../src/store/reminders.ts';
import { leftBehind, unposted } from '../../src/store/repair.ts';
import * as requests from '../../src/store/requests.ts';
import { oldRequests, removeLoose, removeSaid } from '../../src/store/retention.ts';
import * as revisions from '../../src/store/revisions.ts';
import { commit, intend } from '../../src/store/run-progress.ts';
import * as runs from '../../src/store/runs.ts';
import { besides } from '../../src/store/same-service.ts';
import * as shownCards from '../../src/store/shown-cards.ts';
import * as steps from '../../src/store/steps.ts';
import type { Db } from '../../src/store/tables.ts';
import { knownTeams } from '../../src/store/teams.ts';
import * as threads from '../../src/store/threads.ts';
import { usdSince } from '../../src/store/usage.ts';
import * as ticks from '../../src/store/watch-ticks.ts';
import * as watches from '../../src/store/watches.ts';
import * as writes from '../../src/store/writes.ts';
import { channelOf, now, open, personOf, team, tsOf } from './fill.ts';

export interface GrowthQuery {
  readonly name: string;
  /** Runs the query once; `nth` differs for each call, so that no single cached row flatters the result. */
  ask(db: Db, nth: number): Promise<unknown>;
}

const ago = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
const later = (nth: number): Date => new Date(now.getTime() + nth);

/** All queries of clicks, messages, runs and timers. `runs` is the length of the history. */
export function queries(runCount: number): readonly GrowthQuery[] {
  const any = (nth: number): number => 1 + ((nth * 7_919) % runCount);
  return [...byPeople(any), ...byTimers(), ...byRuns(any, runCount)];
}

function byPeople(any: (nth: number) => number): GrowthQuery[] {
  const query = (name: string, ask: GrowthQuery['ask']): GrowthQuery => ({ name, ask });
  const request = (nth: number) => {
    const about = { teamId: team, goal: 'x', via: 'command', quoted: null, threadTs: null } as const;
    return { ...about, id: `new${nth}`, requester: personOf(nth), channel: 'C1', createdAt: later(nth) };
  };
  return [
    query('thread reply: whose thread', (db, nth) => {
      const i = any(nth);
      return threads.headsOfThread(db, { teamId: team, channel: channelOf(i), threadTs: tsOf(i) });
    }),
    query('thread reply: nobody’s thread', (db, nth) =>
      threads.headsOfThread(db, { teamId: team, channel: channelOf(nth), threadTs: `none${nth}` }),
    ),
    query('thread reply: is a card on its way', (db, nth) =>
      threads.isPosting(db, { teamId: team, channel: channelOf(nth) }),
    ),
    query('store a request', (db, nth) => requests.insert(db, request(nth), 'planning')),
    query('requests of one person in an hour, by kind', (db, nth) =>
      requests.countBefore(db, request(nth), { since: ago(60), writes: nth % 2 === 0 }),
    ),
    query('requests of one person', (db, nth) =>
      requests.listRecent(db, { teamId: team, limit: 50, requester: personOf(nth) }),
    ),
    query('an approval of a plan', (db, nth) => {
      const about = { teamId: team, requestId: `waiting${open.waiting - nth}`, number: 1, digest: 'd' };
      return decide(db, { ...about, to: 'approved', by: personOf(nth), reason: null, now });
    }),
    query('what else is about a service', (db, nth) =>
      besides(db, { teamId: team, requestId: `waiting${open.waiting - nth}`, now, maxWaiting: 100, max: 2 }),
    ),
    query('a plan that may be under way is stored', (db, nth) => {
      const about = { teamId: team, requestId: `waiting${1 + nth}`, number: 2, basedOn: 1, cause: `c${nth}` };
      const made = {
        digest: 'e',
        bytes: '{}',
        authors: [],
        actor: personOf(nth),
        createdAt: now,
        nudgeAt: null,
      };
      const targets = [`service:s${nth % 20}`];
      return propose(db, {
        ...about,
        ...made,
        targets,
        origin: {},
        expiresAt: later(60_000),
        planKey: `plan${nth % 50}`,
      });
    }),
    query('App Home: what waits', (db) => revisions.listOpen(db, { teamId: team, limit: 50 })),
    query('App Home: what ran', (db) => runs.listRecent(db, { teamId: team, limit: 50 })),
    query('history of everybody', (db, nth) => askedBefore(db, nth, { kind: 'all' })),
    query('history of a person', (db, nth) =>
      askedBefore(db, nth, { kind: 'person', userId: personOf(nth) }),
    ),
    query('what a person asked', (db, nth) =>
      askedBefore(db, nth, { kind: 'asked', userId: personOf(nth) }, shown),
    ),
    query('history of a service', (db, nth) =>
      askedBefore(db, nth, { kind: 'target', target: `service:s${nth % 20}` }),
    ),
    query('plans that run', (db) => history.running(db, { teamId: team, limit: 50 })),
    query('a hand-over: what ended', (db) =>
      history.ended(db, { teamId: team, since: ago(480), limit: 100 }),
    ),
    query('a hand-over: what was paged', (db) =>
      followed.since(db, { teamId: team, since: ago(480), limit: 100 }),
    ),
    query('a hand-over: who asked for what is open', (db, nth) => {
      const ids = Array.from({ length: 100 }, (_, i) => `P${any(nth + i)}`);
      return followed.askedAt(db, { teamId: team, ids, tools: ['pagerduty.page'] });
    }),
    query('a hand-over: plans of what ended', (db, nth) =>
      history.episodes(
        db,
        team,
        Array.from({ length: 8 }, (_, i) => `r${any(nth + i)}`),
        'with_runs',
      ),
    ),
    query('a plan by the digits on its card', (db, nth) =>
      history.byShortDigest(db, team, shortOf(any(nth))),
    ),
    query('the proof of a plan', (db, nth) => proofOf(db, team, `r${any(nth)}`)),
    query('who said yes so far', (db, nth) =>
      approvals.list(db, { teamId: team, requestId: `r${any(nth)}`, number: 1 }),
    ),
    query('a card as it was shown', (db, nth) =>
      shownCards.last(db, { teamId: team, requestId: `r${any(nth)}`, number: 1 }),
    ),
    query('a revision', (db, nth) => revisions.get(db, team, `r${any(nth)}`, 1)),
    query('newest revision', (db, nth) => revisions.latest(db, team, `r${any(nth)}`)),
    query('approvals of a request', (db, nth) => revisions.approvalsOf(db, team, `r${any(nth)}`)),
    query('runs of a request', (db, nth) => runs.listOf(db, team, `r${any(nth)}`)),
    query('store what arrived', (db, nth) =>
      inbox.store(db, { teamId: team, key: `k${nth}`, event: {}, executor: 'me', at: now }),
    ),
    query('what arrived is worked off', (db, nth) =>
      inbox.done(db, { teamId: team, key: `k${nth}`, at: now }),
    ),
    query('note a refused click', (db, nth) => {
      const why = { kind: 'refusal', subject: `r${nth}`, reason: 'guest', facts: {} } as const;
      return refusals.record(db, { teamId: team, at: later(nth), userId: personOf(nth), ...why });
    }),
    query('dollars spent today', (db) => usdSince(db, team, ago(12 * 60))),
    query('how long a tool takes', (db) => steps.history(db, team, ['jira.count'])),
  ];
}

/** The first page of a list of plans, with everything shown of them. */
async function askedBefore(
  db: Db,
  nth: number,
  filter: history.HistoryFilter,
  limit: number = pastLooks[0],
): Promise<unknown> {
  const found = await history.find(db, { teamId: team, filter, before: later(nth), limit });
  return history.episodes(
    db,
    team,
    found.map(({ id }) => id),
    'with_runs',
  );
}

function shortOf(i: number): string {
  return createHash('md5').update(String(i)).digest('hex').slice(0, 8);
}

function byTimers(): GrowthQuery[] {
  const old = { teamId: team, before: new Date(now.getTime() - 89.9 * 24 * 3_600_000) };
  const query = (name: string, ask: GrowthQuery['ask']): GrowthQuery => ({ name, ask });
  return [
    query('what the clock asks every second', (db, nth) => due(db, [team], later(nth))),
    query('messages that are due', (db, nth) =>
      delivery.due(db, { teamId: team, now: later(nth), limit: 20, leaseMs: 0 }),
    ),
    query('cards to expire', (db) => revisions.expireDue(db, team, now)),
    query('cards to remind of', (db) => nudges.due(db, team, { now, soon: now })),
    query('open runs', (db) => runs.openRuns(db)),
    query('left behind', (db) => leftBehind(db, team, ago(1))),
    query('cards that were never posted', (db) => unposted(db, team, ago(1))),
    query('retention: what is old', (db) => oldRequests(db, old)),
    query('retention: what was said', (db) => removeSaid(db, old)),
    query('retention: what is loose', (db) => removeLoose(db, old)),
    query('what dead processes accepted', (db) => inbox.takeOver(db, { teamId: team, executor: 'me' })),
    query('forget deliveries', (db) => inbox.removeOld(db, now)),
    query('workspaces that the kill switch knows', (db) => knownTeams(db)),
    query('watches that are due', (db, nth) => ticks.due(db, team, { now: later(nth), except: [] })),
    query('watches that have not ended', (db) => watches.open(db, team)),
  ];
}

function byRuns(any: (nth: number) => number, runCount: number): GrowthQuery[] {
  const query = (name: string, ask: GrowthQuery['ask']): GrowthQuery => ({ name, ask });
  const cap = { since: ago(60), max: 1_000_000, target: 'service:s3' };
  const line = { teamId: team, at: now, kind: 'bench', actor: 'system', subject: 'x', data: {} };
  const underWay = (nth: number) => `run-r${runCount - (nth % open.running)}-1`;
  const progress = { teamId: team, executor: 'me', steps: [], lines: [] };
  return [
    query('all that a run goes on with', (db, nth) =>
      load(db, { teamId: team, runId: `run-r${any(nth)}-1` }),
    ),
    query('results of a run', (db, nth) => steps.stepResults(db, team, `run-r${any(nth)}-1`)),
    query('note a write under its cap', (db, nth) => {
      const about = { ...progress, runId: underWay(nth), stepId: `s${nth}`, tool: 'pagerduty.page' };
      const targets = ['service:s3'];
      const intent = { ...about, key: `k${nth}`, targets, caps: [cap], attempt: 1, at: now, line };
      return intend(db, intent, () => null);
    }),
    query('the first write that counts against a cap', (db) =>
      writes.first(db, { teamId: team, tool: 'pagerduty.page', target: 'service:s3', since: ago(60) }),
    ),
    query('store how far a run came', (db, nth) => {
      const startedAt = now.toISOString();
      const step = { stepId: `p${nth}`, tool: 'jira.count', startedAt, result: null };
      const about = { ...progress, runId: underWay(nth), steps: [step] };
      return commit(db, { ...about, writes: [], messages: [], end: null });
    }),
    query('audit line', (db, nth) => audit.append(db, { ...line, at: later(nth) })),
    query('queue a message', (db, nth) => {
      const about = { teamId: team, conversation: `c${nth}`, key: `m${nth}`, kind: 'reply' } as const;
      return outbox.enqueue(db, { ...about, payload: { nth }, now: later(nth) });
    }),
    query('a message by its key', (db, nth) => outbox.byKey(db, team, `card:r${any(nth)}`)),
  ];
}
