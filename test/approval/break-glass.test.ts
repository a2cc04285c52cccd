import { expect, test } from 'vitest';
import { mayBreakGlass } from '../../src/approval/break-glass.ts';
import type { PeopleDirectory } from '../../src/approval/ports.ts';
import { VendorError } from '../../src/core/errors.ts';
import type { Person } from '../../src/core/person.ts';
import type { Approver, Policy } from '../../src/core/policy.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { slaRevision } from '../support/revisions.ts';
import { rule } from '../support/rules.ts';

const named: Approver[] = ['U0ANA', 'U0GUEST', 'U0GONE', 'U0ROBOT', 'U0OUTSIDE'].map((id) => ({
  kind: 'user',
  id,
}));
const marked: Record<string, Partial<Person>> = {
  U0GUEST: { guest: true },
  U0GONE: { deactivated: true },
  U0ROBOT: { bot: true },
  U0OUTSIDE: { external: true },
};
const people: PeopleDirectory = {
  person: async ({ userId: id }) => ({
    ...{ id, deactivated: false, bot: false, guest: false, external: false },
    ...marked[id],
  }),
  groupMembers: async () => new Set(),
  onCall: async () => [],
};
const twoOfBen = rule({ approvers: [{ kind: 'user', id: 'U0BEN' }], needed: 2 });

function may(userId: string, change: Partial<Policy> = {}, directory = people) {
  const policy = { ...testPolicy, rules: [twoOfBen], breakGlass: named, ...change };
  const { manifests } = testCatalogue();
  const now = new Date('2026-03-02T12:10:00.000Z');
  const who = { userId, home: null };
  return mayBreakGlass({ revision: slaRevision(), who, policy, manifests, people: directory, now });
}

test('only named full members may break glass', async () => {
  expect(await may('U0ANA')).toEqual({ allowed: true });
  expect(await may('U0BEN')).toEqual({ allowed: false, why: 'no_glass', named });
  expect(await may('U0ANA', { breakGlass: [] })).toMatchObject({ allowed: false, why: 'no_glass' });
  const refused = { U0GUEST: 'guest', U0GONE: 'deactivated', U0ROBOT: 'bot', U0OUTSIDE: 'external' };
  for (const [id, why] of Object.entries(refused)) expect(await may(id)).toEqual({ allowed: false, why });
});

test('nobody can break glass for a write that is denied or that no rule covers', async () => {
  const denied = [rule({ deny: 'not on weekends' }), twoOfBen];
  expect(await may('U0ANA', { rules: denied })).toMatchObject({ allowed: false, why: 'denied' });
  expect(await may('U0ANA', { rules: [] })).toMatchObject({ allowed: false, why: 'nobody' });
});

test('nobody can break glass while Slack cannot be queried', async () => {
  const away: PeopleDirectory = {
    ...people,
    person: async () => {
      throw new VendorError('slack_unreachable', 'away', { retryable: true, mayHaveHappened: false });
    },
  };
  expect(await may('U0ANA', {}, away)).toEqual({ allowed: false, why: 'cannot_tell' });
});
