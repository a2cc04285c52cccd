/** Why: a hand-over is posted, so everybody in its channel reads it. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Life } from '../../src/core/incident-history.ts';
import { jsonOf } from '../../src/core/json.ts';
import type { RunOutcome } from '../../src/core/run.ts';
import { type HandoverDeps, handover } from '../../src/history/handover.ts';
import { jsonb } from '../../src/store/jsonb.ts';
import { keep } from '../../src/store/steps.ts';
import { approvedRun, planOf, runCatalogue, slaPlan } from '../support/runs.ts';
import { endRun, minutes, NOON, openTestStore, TEAM } from '../support/store.ts';
import { wordsOf } from '../support/workspace.ts';

const store = openTestStore();
const log = { info() {}, warn() {}, error() {} };

const incident = (number: number, title: string): Life => ({
  ...{ id: `P${number}`, number, title, state: 'triggered', url: '', events: [] },
  ...{ openedAt: minutes(3).toISOString(), changedAt: minutes(3).toISOString() },
});
const incidents = [incident(1, 'in public'), incident(2, 'a secret'), incident(3, 'asked in private')];
const channels = ['C0OPS', 'C0SECRET', 'D0EVA'];

/** A run that was asked for in a channel, and what came of it. */
async function ran(id: string, summary: string, { channel = 'C0OPS', outcome = 'done' as RunOutcome } = {}) {
  const run = await approvedRun(store.db(), id, { ...slaPlan(), summary });
  await sql`update requests set channel = ${channel} where id = ${id}`.execute(store.db());
  await endRun(store.db(), { teamId: TEAM, runId: run.runId, outcome, at: minutes(4) });
  return run;
}

beforeAll(async () => {
  const db = store.db();
  for (const [index, life] of incidents.entries()) {
    const run = await ran(`page${life.number}`, `Page ${life.title}`, { channel: channels[index] ?? '' });
    const at = minutes(3).toISOString();
    const step = { stepId: 'page', tool: 'pagerduty.page', startedAt: at };
    const result = { ...step, status: 'succeeded', reason: null, attempts: 1, finishedAt: at } as const;
    await keep(db, run, [{ ...step, result: { ...result, result: { incident: life.id }, notes: [] } }]);
    await sql`insert into incidents (team_id, id, life, opened_at)
      values (${TEAM}, ${life.id}, ${jsonb(jsonOf(life))}, ${minutes(3)})`.execute(db);
  }
  await ran('failed', 'Failed page', { outcome: 'failed' });
  await ran('half', 'Half done', { outcome: 'partly' });
  await ran('doubt', 'In doubt', { outcome: 'unknown' });
});

const deps = (): HandoverDeps => ({
  ...{ db: store.db(), teamId: TEAM, hosts: [], catalogue: runCatalogue, manifests: runCatalogue.manifests },
  ...{ log, now: () => minutes(5), damaged() {}, watches: async () => [], mayApprove: async () => false },
  ...{
    permalink: async () => null,
    redraw: async () => undefined,
    reporting: { send: async () => undefined },
  },
  maySee: async (viewer, channel) => channel === 'C0OPS' || (viewer === 'U0EVA' && channel === 'D0EVA'),
  openIncidents: async () => ({ total: incidents.length, incidents }),
});

test('a hand-over shows what everybody in its channel may read, whoever asked for it', async () => {
  const inPublic = wordsOf(await handover('C0OPS', NOON, deps()));
  expect(inPublic).toMatch(/Paged.*#1 in public.*Done.*Page in public/s);
  expect(inPublic).not.toMatch(/a secret|asked in private/);
  const inSecret = wordsOf(await handover('C0SECRET', NOON, deps()));
  expect(inSecret).toMatch(/Paged.*in public.*a secret.*Done/s);
  expect(inSecret).not.toContain('asked in private');
  // It is open all the same, and PagerDuty itself says who may read what it is about.
  expect(inPublic).toMatch(/Open incidents.*#2 paged from a private conversation.*#3 paged from a private/s);
  expect(inSecret.match(/paged from a private conversation/g)).toHaveLength(1);
});

test('a write in doubt comes first, then writes that failed, then look-ups, however many there are of those', async () => {
  const count = { id: 'count', tool: 'jira.count', why: 'x', args: { project: 'OPS', priority: 'P1' } };
  for (let index = 0; index < 12; index += 1) {
    const id = `look${index}`;
    const { runId } = await approvedRun(store.db(), id, planOf([count], { summary: `Look-up ${index}` }));
    await endRun(store.db(), { teamId: TEAM, runId, outcome: 'failed', at: minutes(4) });
    // It only read.
    await sql`update runs set mode = 'read' where id = ${runId}`.execute(store.db());
    await sql`update revisions set state = 'answered' where request_id = ${id}`.execute(store.db());
  }
  const words = wordsOf(await handover('C0OPS', NOON, { ...deps(), maySee: async () => true }));
  expect(words).toMatch(
    /Failed or unknown.*In doubt.*(Failed page.*Half done|Half done.*Failed page).*Look-up \d.*and 7 more.*Paged/s,
  );
});
