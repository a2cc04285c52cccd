import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { followPort } from '../../src/app/following.ts';
import type { FollowStep } from '../../src/incidents/follow.ts';
import { openDatabase } from '../../src/store/database.ts';
import { testCatalogue } from '../support/catalogue.ts';
import { minutes, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

test('following an incident uses one connection at a time, so a burst of webhooks cannot exhaust them', async () => {
  const log = { info() {}, warn() {}, error() {} };
  const db = await openDatabase({ url: store.url(), max: 1, log });
  try {
    await sql`insert into incidents (team_id, id, opened_at, look_at)
      values (${TEAM}, 'PINC1', ${minutes(0)}, ${minutes(0)})`.execute(db);
    const reporting = { kick() {}, progressOf: async () => null };
    const port = followPort({
      ...{ db, teamId: TEAM, manifests: testCatalogue().manifests, isTold: true, log, damaged() {} },
      ...{ pagerduty: { life: async () => null }, reporting: reporting as never, now: () => minutes(1) },
    });
    const message = { text: 'gone', blocks: [] };
    const step: FollowStep = {
      ...{ life: null, fresh: [], word: { key: 'gone', message }, lookAt: null, failures: 3 },
    };
    const seen = await port.get('PINC1');
    if (seen === null) throw new Error('it is followed');
    await port.advance(seen, () => step);
    const { rows } = await sql<{
      failures: number;
    }>`select failures from incidents where id = 'PINC1'`.execute(db);
    expect(rows).toEqual([{ failures: 3 }]);
  } finally {
    await db.destroy();
  }
});
