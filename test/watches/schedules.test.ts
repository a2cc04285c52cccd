import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { firstTurn } from '../../src/core/planning-turn.ts';
import { parse } from '../../src/notation/parse.ts';
import { takeOver } from '../../src/store/inbox.ts';
import * as requests from '../../src/store/requests.ts';
import { checkWatch } from '../../src/watches/check.ts';
import type { WatchContext } from '../../src/watches/context.ts';
import { takePlan } from '../../src/watches/create.ts';
import { syncSchedules } from '../../src/watches/schedules.ts';
import { givenRequest, NOON, openTestStore, TEAM } from '../support/store.ts';
import { partly } from '../support/vendors.ts';

const store = openTestStore();

const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
const goal = 'jira.count project=OPS priority=P1 status=open';
const file = {
  schedules: [{ name: 'nightly', cron: '0 3 * * *', timezone: 'UTC', goal, inputs: {}, channel: 'ops' }],
  channels: { ops: { id: 'C0OPS' } },
  watches: { worse_by: { by: 20, unit: 'percent' } },
} as const;

test('a schedule that has just been planned is checked once, even if the process that planned it dies', async () => {
  const db = store.db();
  const context = partly<WatchContext>({
    ...{ db, teamId: TEAM, manifests, now: () => NOON },
    review: () => ({ findings: [] }),
  });
  await syncSchedules(context, file, 'the playbooks', NOON);
  const tick = { watch: 'nightly', key: 'watch:nightly:03:00' };
  expect(await checkWatch(tick, context)).toMatchObject({ text: goal, requester: 'schedule:nightly' });

  const asked = { via: 'schedule', requester: 'schedule:nightly' } as const;
  const request = {
    ...(await givenRequest(db, 'planned', asked)),
    state: 'planning',
    question: null,
  } as const;
  const planned = { request, turn: firstTurn(request.requester, tick.key), reply: null };
  const plan = parse(goal, manifests).plan ?? expect.unreachable();
  expect(await takePlan({ ...planned, plan }, context, () => expect.unreachable())).toBe(true);
  expect(await requests.get(db, TEAM, 'planned')).toMatchObject({ state: 'closed' });

  // The process has died, and its tick is worked on again.
  expect(await checkWatch(tick, context)).toBeNull();
  const left = await takeOver(db, { teamId: TEAM, executor: 'another' });
  expect(left).toMatchObject([{ event: { type: 'tick', watch: 'nightly' } }]);
  const check = { watch: 'nightly', key: left[0]?.key ?? '' };
  expect(await checkWatch(check, context)).toMatchObject({ planned: { answer: { kind: 'plan' } } });
});
