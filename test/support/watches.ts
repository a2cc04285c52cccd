import type { Db } from '../../src/store/tables.ts';
import { insert, type NewWatch } from '../../src/store/watches.ts';
import { NOON, TEAM } from './store.ts';

/** A row of a person's watch that looks every ten minutes, from noon on. */
export function watchRow(id: string, changes: Partial<NewWatch> = {}): NewWatch {
  return {
    ...{ teamId: TEAM, id, owner: 'U0ANA', goal: 'watch OPS', entry: null, plan: null, planner: 'offline' },
    ...{ every: { minutes: 10 }, until: null, worse: { by: 20, unit: 'percent' }, channel: 'C0OPS' },
    ...{ threadTs: null, createdAt: NOON, nextAt: NOON, alarm: { on: null, failures: 0 } },
    ...changes,
  };
}

export function givenWatch(db: Db, id: string, changes: Partial<NewWatch> = {}) {
  return insert(db, watchRow(id, changes), { perPerson: 100, inAll: 100, messages: [] });
}
