import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Life, LifeEvent } from '../../src/core/incident-history.ts';
import { jsonOf } from '../../src/core/json.ts';
import { type FollowDeps, followRound, incidentChanged, pauseFor } from '../../src/incidents/follow.ts';
import { openDatabase } from '../../src/store/database.ts';
import * as incidents from '../../src/store/followed-incidents.ts';
import { jsonb } from '../../src/store/jsonb.ts';
import { payloadSchema } from '../../src/store/outbox-messages.ts';
import { keep, type StepNow } from '../../src/store/steps.ts';
import type { Db } from '../../src/store/tables.ts';
import { testCatalogue } from '../support/catalogue.ts';
import { approvedRun, slaPlan } from '../support/runs.ts';
import { openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();
const opened = new Date('2026-03-10T12:00:00Z');
const minute = 60_000;
const log = { info() {}, warn() {}, error() {} };

const acknowledged: LifeEvent = {
  key: 'L1',
  kind: 'acknowledged',
  at: '2026-03-10T12:02:00Z',
  by: 'Ana Ruiz',
  to: [],
};
const life = (over: Partial<Life> = {}): Life => ({
  ...{ id: 'P1', number: 1, title: 'Down', state: 'triggered', url: '', events: [] },
  ...{ openedAt: '2026-03-10T12:00:00Z', changedAt: '2026-03-10T12:00:00Z' },
  ...over,
});

/** The run that opened it. */
beforeAll(async () => {
  const run = await approvedRun(store.db(), 'paged', slaPlan());
  const at = opened.toISOString();
  const step = { stepId: 'page', tool: 'pagerduty.page' };
  const ended = { status: 'succeeded', reason: null, attempts: 1, startedAt: at, finishedAt: at } as const;
  const result = { ...step, ...ended, result: { incident: 'P1' }, notes: [] };
  const page: StepNow = { ...step, startedAt: at, result };
  await keep(store.db(), run, [page]);
});

interface Given {
  /** Milliseconds since it was opened. */
  readonly at?: number;
  readonly known?: Life | null;
  readonly hasWebhooks?: boolean;
  readonly db?: Db;
}

/** One followed incident, that is due, and what PagerDuty says of it. */
async function given(
  answer: () => Life | null,
  { at = 0, known = null, hasWebhooks = false, db = store.db() }: Given = {},
) {
  await sql`delete from incidents`.execute(db);
  await sql`delete from outbox`.execute(db);
  await sql`insert into incidents (team_id, id, life, opened_at, look_at)
    values (${TEAM}, 'P1', ${known === null ? null : jsonb(jsonOf(known))}, ${opened}, ${opened})`.execute(
    db,
  );
  const deps: FollowDeps = {
    ...{ db, teamId: TEAM, manifests: testCatalogue().manifests, hosts: [], hasWebhooks, log },
    ...{ pagerduty: { life: async () => answer() }, now: () => new Date(opened.getTime() + at) },
    damaged() {},
    kick() {},
    before: async () => null,
  };
  const row = () => incidents.get(db, { teamId: TEAM, id: 'P1' });
  return {
    deps,
    row,
    /** Milliseconds until it is read again; null for never. */
    async pause() {
      const lookAt = (await row())?.lookAt;
      return lookAt ? lookAt.getTime() - opened.getTime() - at : null;
    },
    /** The words of its thread, in order. */
    async said() {
      const rows = await db.selectFrom('outbox').select('payload').orderBy('id').execute();
      return rows.map(({ payload }) => payloadSchema.parse(payload).message.text);
    },
    /** Looks at it, whenever it is due. */
    async look() {
      await incidents.change(db, { teamId: TEAM, id: 'P1' }, { lookAt: opened });
      await followRound(deps);
    },
  };
}

const failing = (): Life => {
  throw new TypeError('PagerDuty is away');
};

describe('an incident that a run has opened', () => {
  test('is looked at often at first, then less, and only as a safety net where webhooks come', () => {
    const polled = { hasWebhooks: false, failures: 0 };
    expect([0, 15 * minute, 90 * minute].map((ms) => pauseFor(ms, polled))).toEqual([
      10_000,
      minute,
      5 * minute,
    ]);
    expect(pauseFor(0, { hasWebhooks: true, failures: 0 })).toBe(5 * minute);
    expect(pauseFor(0, { hasWebhooks: false, failures: 20 })).toBe(10 * minute);
  });

  test('is reported once, however often it is looked at', async () => {
    const { look, said, row, deps } = await given(() =>
      life({ state: 'acknowledged', changedAt: acknowledged.at, events: [acknowledged] }),
    );
    await look();
    await look();
    await incidentChanged('P1', deps);
    expect(await said()).toEqual([
      expect.stringMatching(/^Acknowledged by Ana Ruiz after 2 min: incident #.?1/),
    ]);
    expect((await row())?.told).toEqual(['L1']);
  });

  test('is not set back by an answer that is older than what is known', async () => {
    const known = life({ state: 'resolved', changedAt: '2026-03-10T12:05:00Z' });
    const { deps, row, said } = await given(
      () => life({ state: 'acknowledged', changedAt: acknowledged.at, events: [acknowledged] }),
      { known },
    );
    await incidentChanged('P1', deps);
    expect(await row()).toMatchObject({ life: known, told: [] });
    expect(await said()).toEqual([]);
  });

  test('is looked at again soon when PagerDuty reported something that its log does not show yet', async () => {
    const { deps, pause } = await given(() => life(), { hasWebhooks: true });
    await incidentChanged('P1', deps);
    expect(await pause()).toBe(10_000);
  });

  test('is no longer followed once it is resolved', async () => {
    const { look, pause, said } = await given(() => life({ state: 'resolved' }));
    await look();
    expect(await pause()).toBeNull();
    expect(await said()).toEqual([]);
  });

  test('is given up after a day, and its thread says so', async () => {
    const { look, pause, said } = await given(() => life(), { at: 25 * 60 * minute });
    await look();
    expect(await pause()).toBeNull();
    expect(await said()).toEqual([
      expect.stringMatching(/No longer followed: incident #.?1 has been open for 24 hours/),
    ]);
  });

  test('is reported as gone when PagerDuty has it no more', async () => {
    const { look, pause, said } = await given(() => null);
    await look();
    expect(await pause()).toBeNull();
    expect(await said()).toEqual([expect.stringMatching(/no longer has this incident/)]);
  });

  test('that cannot be read is asked for less and less, and people hear of it at the fifth time, once', async () => {
    const { look, pause, said } = await given(failing);
    const pauses: (number | null)[] = [];
    for (let round = 0; round < 7; round += 1) {
      await look();
      pauses.push(await pause());
    }
    expect(pauses).toEqual([20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000]);
    expect(await said()).toEqual([expect.stringMatching(/I cannot follow incident P1: PagerDuty is away/)]);
    const late = await given(failing, { at: 25 * 60 * minute });
    await late.look();
    expect(await late.said()).toEqual([expect.stringMatching(/No longer followed/)]);
  });
});

test('following an incident uses one connection at a time, so a burst of webhooks cannot exhaust them', async () => {
  const db = await openDatabase({ url: store.url(), max: 1, log });
  try {
    const { deps, said } = await given(() => null, { db });
    await incidentChanged('P1', deps);
    expect(await said()).toHaveLength(1);
  } finally {
    await db.destroy();
  }
});
