import { expect, test } from 'vitest';
import { type Proposal, type ProposeDeps, propose } from '../../src/approval/propose.ts';
import { planSchema } from '../../src/core/plan.ts';
import type { Request } from '../../src/core/request.ts';
import type { Revision } from '../../src/core/revision.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { slaPlan } from '../support/plans.ts';
import { slaRevision } from '../support/revisions.ts';

const request: Request = {
  ...{ teamId: 'T0SANDBOX', id: 'req-1', goal: 'Check OPS', via: 'command', requester: 'U0BEN' },
  ...{ channel: 'C0OPS', threadTs: null, quoted: null, createdAt: new Date('2026-03-02T12:00:00Z') },
};
const proposal: Proposal = {
  ...{ request, plan: planSchema.parse(slaPlan()), planner: 'person', notes: [], usd: 0 },
  ...{ actor: 'U0BEN', answerers: [], basedOn: null, inWords: false, replaces: true },
};

/** What a proposal becomes: the revision, and whether its card was queued. */
async function sealed(change: Partial<Proposal>, stored: readonly Revision[] | null = []) {
  const shown: Revision[] = [];
  const deps: ProposeDeps = {
    resolve: async () => [],
    estimate: async () => ({ p50Ms: null, p95Ms: null, usd: 0 }),
    newest: async () => change.basedOn?.sealed.number ?? 0,
    store: async () => stored,
    show: async (revision) => void shown.push(revision),
    rules: () => ({ policy: testPolicy, catalogue: 'digest' }),
    manifests: () => testCatalogue().manifests,
    now: () => new Date('2026-03-02T12:00:00Z'),
  };
  return { revision: await propose({ ...proposal, ...change }, deps), shown };
}

test('everybody who asked, edited before, edited now or answered is an author, and the bot is none', async () => {
  const basedOn = slaRevision({ authors: ['U0BEN', 'U0DEV'] });
  const change = { basedOn, actor: 'U0EVA', answerers: ['U0ANA'] };
  const { revision } = await sealed(change);
  expect(revision?.sealed.authors.toSorted()).toEqual(['U0ANA', 'U0BEN', 'U0DEV', 'U0EVA']);
  expect((await sealed({ actor: 'system' })).revision?.sealed.authors).toEqual(['U0BEN']);
});

test('a revision is numbered after the newest, expires by the rules of now, and has no card when it came too late', async () => {
  const { revision, shown } = await sealed({ basedOn: slaRevision({ number: 4 }) });
  expect(revision?.sealed).toMatchObject({ number: 5, expiresAt: '2026-03-02T12:30:00.000Z' });
  expect(shown).toEqual([revision]);
  expect(await sealed({}, null)).toEqual({ revision: null, shown: [] });
});
