import { expect, test } from 'vitest';
import type { StandingPort } from '../../src/approval/standing.ts';
import { applyStanding } from '../../src/approval/standing-apply.ts';
import type { StandingApproval } from '../../src/core/standing.ts';
import { slaRevision } from '../support/revisions.ts';

test('a card that a standing approval is not for is looked at once, and forgotten when it no longer waits', async () => {
  const revision = slaRevision();
  const standing = { id: 's1', scope: 'playbook:other' } as Partial<StandingApproval> as StandingApproval;
  let waiting = [{ revision, standing }];
  let looks = 0;
  const port = {
    candidates: async () => waiting,
    revisions: {
      async load() {
        looks += 1;
        return { revision, state: 'proposed', facts: [] };
      },
    },
    rules: () => ({ policy: { reads: 'run' }, catalogue: '' }),
  } as unknown as StandingPort;
  const tried = new Set<string>();
  for (let count = 0; count < 3; count += 1) expect(await applyStanding(port, tried)).toEqual([]);
  expect(looks).toBe(1);
  expect(tried.size).toBe(1);
  waiting = [];
  await applyStanding(port, tried);
  expect(tried.size).toBe(0);
});
