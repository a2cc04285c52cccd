import { expect, test } from 'vitest';
import { applyStanding } from '../../../src/approval/standing/apply.ts';
import type { StandingPort } from '../../../src/approval/standing/end.ts';
import type { StandingApproval } from '../../../src/core/standing-approval.ts';
import { slaRevision } from '../../support/revisions.ts';

test('a card that no standing approval fits is loaded once, and forgotten when it is no longer open', async () => {
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

test('a standing approval ends at its date and says so', async () => {
  const source = { scope: 'playbook:sla', version: '1' };
  const revision = slaRevision({ source });
  const until = new Date('2026-03-02T12:00:00Z');
  const standing = { id: 's1', scope: source.scope, until } as Partial<StandingApproval> as StandingApproval;
  const ended: string[] = [];
  const applied = (now: Date) =>
    applyStanding(
      {
        candidates: async () => [{ revision, standing: { ...standing, yeses: [], owner: '', summary: '' } }],
        revisions: { load: async () => ({ revision, state: 'proposed', facts: [], joiners: [] }) },
        rules: () => ({ policy: { reads: 'run' }, catalogue: '' }),
        now: () => now,
        end: async (_of: unknown, { reason }: { reason: string }) => void ended.push(reason),
      } as unknown as StandingPort,
      new Set(),
    );
  await applied(new Date(until.getTime() - 1));
  await applied(until);
  expect(ended).toEqual(['The playbook has changed.', 'It reached its end date.']);
});
