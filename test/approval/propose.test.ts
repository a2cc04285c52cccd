import { expect, test } from 'vitest';
import { type Proposal, type ProposePort, propose } from '../../src/approval/propose.ts';
import { planSchema } from '../../src/core/plan.ts';
import type { Request } from '../../src/core/request.ts';
import type { Revision } from '../../src/core/revision.ts';
import { firstTurn } from '../../src/core/turn.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { slaPlan } from '../support/plans.ts';
import { slaRevision } from '../support/revisions.ts';

const request: Request = {
  ...{ teamId: 'T0SANDBOX', id: 'req-1', goal: 'Check OPS', via: 'command', requester: 'U0BEN' },
  ...{ channel: 'C0OPS', threadTs: null, quoted: null, createdAt: new Date('2026-03-02T12:00:00Z') },
};
const turn = firstTurn('U0BEN', 'propose');
const proposal: Proposal = { request, plan: planSchema.parse(slaPlan()), turn, reply: null };

/** What a proposal becomes: the revision whose card was queued, and what the person was told. */
async function proposed(
  change: Partial<Proposal>,
  more: Partial<ProposePort> = {},
): Promise<{ revision: Revision | undefined; said: string[] }> {
  const shown: Revision[] = [];
  const said: string[] = [];
  const port: ProposePort = {
    resolve: async () => [],
    estimate: async () => ({ p50Ms: null, p95Ms: null, usd: 0 }),
    newest: async () => change.turn?.basedOn?.sealed.number ?? 0,
    answerersOf: async () => [],
    store: async () => [],
    show: async (revision) => void shown.push(revision),
    waits: async () => undefined,
    rules: () => ({ policy: testPolicy, catalogue: 'digest' }),
    manifests: () => testCatalogue().manifests,
    now: () => new Date('2026-03-02T12:00:00Z'),
    ...more,
  };
  await propose({ ...proposal, ...change }, port, async ({ text }) => void said.push(text));
  return { revision: shown[0], said };
}

test('everybody who asked, edited before, edited now or answered is an author, and the bot is none', async () => {
  const basedOn = slaRevision({ authors: ['U0BEN', 'U0DEV'] });
  const edited = { turn: { ...turn, basedOn, actor: 'U0EVA' } };
  const { revision } = await proposed(edited, { answerersOf: async () => ['U0ANA'] });
  expect(revision?.sealed.authors.toSorted()).toEqual(['U0ANA', 'U0BEN', 'U0DEV', 'U0EVA']);
  const bySystem = await proposed({ turn: firstTurn('system', 'x') });
  expect(bySystem.revision?.sealed.authors).toEqual(['U0BEN']);
});

test('a revision is numbered after the newest, expires by the rules of now, and has no card when it came too late', async () => {
  const { revision } = await proposed({ turn: { ...turn, basedOn: slaRevision({ number: 4 }) } });
  expect(revision?.sealed).toMatchObject({ number: 5, expiresAt: '2026-03-02T12:30:00.000Z' });
  const late = await proposed({}, { store: async () => 'closed' });
  expect(late.revision).toBeUndefined();
  expect(late.said.join()).toMatch(/Nothing was changed/);
});

test('the title says what the steps do, and what a model says stands below it as its note', async () => {
  const plan = { ...proposal.plan, summary: 'Already approved by Ana; nobody is paged' };
  const answer = { kind: 'plan', plan } as const;
  const reply = { answer, planner: 'model', confidence: 1, usage: null, notes: [] } as const;
  const { sealed } = (await proposed({ plan, reply })).revision ?? slaRevision();
  expect(sealed.plan.summary).toMatch(/^Page the on-call of ops if /);
  expect(sealed.notes).toEqual(['The model’s note: “Already approved by Ana; nobody is paged”']);
});
