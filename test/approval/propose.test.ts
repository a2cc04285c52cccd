import { expect, test } from 'vitest';
import type { StoredRun } from '../../src/approval/card-actions.ts';
import { type Proposal, type ProposePort, propose } from '../../src/approval/propose.ts';
import { planSchema } from '../../src/core/plan.ts';
import type { PlannerReply } from '../../src/core/planning.ts';
import { firstTurn } from '../../src/core/planning-turn.ts';
import type { Request } from '../../src/core/request.ts';
import type { Revision } from '../../src/core/revision.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { slaPlan } from '../support/plans.ts';
import { slaRevision } from '../support/revisions.ts';

const request: Request = {
  ...{ teamId: 'T0SANDBOX', id: 'req-1', goal: 'Check OPS', via: 'command', requester: 'U0BEN' },
  ...{ channel: 'C0OPS', threadTs: null, quoted: null, createdAt: new Date('2026-03-02T12:00:00Z') },
};
const turn = firstTurn('U0BEN', 'propose');
const proposal: Proposal = { request, plan: planSchema.parse(slaPlan()), turn, reply: null };

/** The result of a proposal: the revision, the run of its reads, and what the person was told. */
async function proposed(
  change: Partial<Proposal>,
  more: Partial<ProposePort> = {},
): Promise<{
  revision: Revision | undefined;
  reads: StoredRun | null;
  question: PlannerReply | null;
  said: string[];
}> {
  const made: Revision[] = [];
  const said: string[] = [];
  const port: ProposePort = {
    resolve: async () => ({ targets: [], needs: [] }),
    estimate: async () => ({ p50Ms: null, p95Ms: null, usd: 0 }),
    newest: async () => change.turn?.basedOn?.sealed.number ?? 0,
    answerersOf: async () => [],
    store: async (revision) => {
      made.push(revision);
      return { kind: 'new', number: revision.sealed.number };
    },
    join: async () => undefined,
    close: async () => undefined,
    mayApprove: async () => false,
    approve: async () => null,
    holder: async () => null,
    cancel: async () => undefined,
    cancelDamaged: async () => false,
    showAsked: async () => undefined,
    linkTo: async () => null,
    show: async () => undefined,
    waits: async () => undefined,
    rules: () => ({ policy: testPolicy, catalogue: 'digest' }),
    manifests: () => testCatalogue().manifests,
    now: () => new Date('2026-03-02T12:00:00Z'),
    ...more,
  };
  const { reads, question } = await propose(
    { ...proposal, ...change },
    port,
    async ({ text }) => void said.push(text),
  );
  return { revision: made[0], reads, question, said };
}

test('the requester, all editors and everybody who answered are authors, but the bot is not', async () => {
  const basedOn = slaRevision({ authors: ['U0BEN', 'U0DEV'] });
  const edited = { turn: { ...turn, basedOn, actor: 'U0EVA' } };
  const { revision } = await proposed(edited, { answerersOf: async () => ['U0ANA'] });
  expect(revision?.sealed.authors.toSorted()).toEqual(['U0ANA', 'U0BEN', 'U0DEV', 'U0EVA']);
  const bySystem = await proposed({ turn: firstTurn('system', 'x') });
  expect(bySystem.revision?.sealed.authors).toEqual(['U0BEN']);
});

test('missing write arguments are asked for first, but not for a schedule or an existing card', async () => {
  const need = { step: 'page', arg: 'text', question: 'Which text?', choices: ['a', 'b'.repeat(90)] };
  const lacking = { resolve: async () => ({ targets: [], needs: [need] }) };
  const asked = await proposed({}, lacking);
  expect(asked.revision).toBeUndefined();
  expect(asked.question?.answer).toMatchObject({
    kind: 'clarify',
    question: `Which text? (“a”, “${'b'.repeat(74)}…”)`,
    options: ['a'],
  });
  expect(asked.question?.answer).toMatchObject({ blank: { step: 'page', arg: 'text', item: null } });
  for (const change of [
    { request: { ...request, via: 'schedule' } as const },
    { turn: { ...turn, basedOn: slaRevision() } },
  ]) {
    const { revision, question } = await proposed(change, lacking);
    expect([revision?.sealed.requestId, question]).toEqual(['req-1', null]);
  }
});

test('a revision is numbered after the newest, expires by the current rules, and gets no card if too late', async () => {
  const { revision } = await proposed({ turn: { ...turn, basedOn: slaRevision({ number: 4 }) } });
  expect(revision?.sealed).toMatchObject({ number: 5, expiresAt: '2026-03-02T12:30:00.000Z' });
  const late = await proposed({}, { store: async () => ({ kind: 'closed' }) });
  expect(late.reads).toBeNull();
  expect(late.said.join()).toMatch(/Nothing was changed/);
});

test("the title describes the steps, and the model's summary is only a note below it", async () => {
  const plan = { ...proposal.plan, summary: 'Already approved by Ana; nobody is paged' };
  const answer = { kind: 'plan', plan } as const;
  const reply = { answer, planner: 'model', confidence: 1, usage: null, notes: [] } as const;
  const { sealed } = (await proposed({ plan, reply })).revision ?? slaRevision();
  expect(sealed.plan.summary).toMatch(/^Page the on-call of ops if /);
  expect(sealed.notes).toEqual(['The model’s note: “Already approved by Ana; nobody is paged”']);
});

test('reads run before anybody is asked, unless the policy makes them wait', async () => {
  const { reads } = await proposed({});
  expect(reads).toEqual({ runId: 'read-req-1-1', requestId: 'req-1' });
  const shown: Revision[] = [];
  const policy = { ...testPolicy, reads: 'ask' } as const;
  const asking = await proposed(
    {},
    {
      rules: () => ({ policy, catalogue: 'digest' }),
      show: async (revision) => void shown.push(revision),
      store: async (revision, _turn, readsId) => {
        expect(readsId).toBeNull();
        return { kind: 'new', number: revision.sealed.number };
      },
    },
  );
  expect(asking.reads).toBeNull();
  expect(shown).toHaveLength(1);
});

test('repeating the same plan keeps its title, its notes and its planner', async () => {
  const basedOn = slaRevision({ planner: 'model', notes: ['A note.'] });
  const again = { turn: { ...turn, basedOn }, plan: basedOn.sealed.plan };
  expect((await proposed(again)).revision?.sealed).toMatchObject({
    planner: 'model',
    notes: ['A note.'],
    plan: { summary: basedOn.sealed.plan.summary },
  });
});
