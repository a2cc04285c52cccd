import { expect, test } from 'vitest';
import type { ApprovalContext } from '../../src/approval/context.ts';
import { propose } from '../../src/approval/propose.ts';
import type { Proposal } from '../../src/approval/seal-plan.ts';
import { planSchema } from '../../src/core/plan.ts';
import { firstTurn } from '../../src/core/planning-turn.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { Request } from '../../src/core/request.ts';
import { type Revision, unseal } from '../../src/core/revision.ts';
import * as requests from '../../src/store/requests.ts';
import * as revisions from '../../src/store/revisions.ts';
import * as runs from '../../src/store/runs.ts';
import { approvalContext, givenRevision } from '../support/approval.ts';
import { testPolicy } from '../support/catalogue.ts';
import { slaPlan } from '../support/plans.ts';
import { slaRevision, wouldWrite } from '../support/revisions.ts';
import { NOON, openTestStore } from '../support/store.ts';

const store = openTestStore();

const request: Omit<Request, 'teamId'> = {
  ...{ id: 'req-1', goal: 'Check OPS', via: 'command', requester: 'U0BEN' },
  ...{ channel: 'C0OPS', threadTs: null, quoted: null, createdAt: NOON },
};
const turn = firstTurn('U0BEN', 'propose');
const plan = planSchema.parse(slaPlan());

interface Given extends Omit<Partial<Proposal>, 'request'> {
  readonly via?: Request['via'];
  /** The revision it changes, and whether that was approved meanwhile. */
  readonly before?: Revision;
  readonly isApproved?: boolean;
}

let teams = 0;

/** Proposes a plan in a workspace of its own: the stored revision, its reads, and what the person was told. */
async function proposed(
  { via = 'command', before, isApproved = false, ...change }: Given,
  more: Partial<ApprovalContext> & { readonly policy?: Policy } = {},
) {
  teams += 1;
  const teamId = `T${teams}`;
  const db = store.db();
  const asked: Request = { ...request, teamId, via };
  await requests.insert(db, asked, 'planning');
  const { policy: _rules, ...same } = before?.sealed ?? {};
  const sealed = before && slaRevision({ ...same, teamId });
  if (sealed !== undefined) await givenRevision(db, sealed, wouldWrite(sealed));
  if (isApproved)
    await db.updateTable('revisions').set({ state: 'approved' }).where('teamId', '=', teamId).execute();
  const said: string[] = [];
  const proposal = { request: asked, plan, turn, reply: null, ...change };
  const { reads, question } = await propose(
    { ...proposal, turn: { ...proposal.turn, basedOn: sealed ?? null } },
    approvalContext(db, { teamId, ...more }),
    async ({ text }) => void said.push(text),
  );
  const row = await revisions.latest(db, teamId, 'req-1');
  const known = await runs.listOf(db, teamId, 'req-1');
  return {
    revision: row === null ? null : unseal(row.bytes, row.digest),
    ...{ reads, question, said, runs: known.map(({ id }) => id) },
  };
}

test('the requester, all editors and everybody who answered are authors, but the bot is not', async () => {
  const before = slaRevision({ authors: ['U0BEN', 'U0DEV'] });
  const edited = { before, turn: { ...turn, actor: 'U0EVA' } };
  const { revision } = await proposed(edited, { answerersOf: () => ['U0ANA'] });
  expect(revision?.sealed.authors.toSorted()).toEqual(['U0ANA', 'U0BEN', 'U0DEV', 'U0EVA']);
  const bySystem = await proposed({ turn: firstTurn('system', 'x') });
  expect(bySystem.revision?.sealed.authors).toEqual(['U0BEN']);
});

test('missing write arguments are asked for first, but not for a schedule or an existing card', async () => {
  const need = { step: 'page', arg: 'text', question: 'Which text?', choices: ['a', 'b'.repeat(90)] };
  const missing = { resolve: async () => ({ targets: [], needs: [need] }) };
  const asked = await proposed({}, missing);
  expect(asked.revision).toBeNull();
  expect(asked.question?.answer).toMatchObject({
    kind: 'clarify',
    question: `Which text? (“a”, “${'b'.repeat(74)}…”)`,
    options: ['a'],
  });
  expect(asked.question?.answer).toMatchObject({ blank: { step: 'page', arg: 'text', item: null } });
  for (const change of [{ via: 'schedule' }, { before: slaRevision() }] as const) {
    const { reads, question } = await proposed(change, missing);
    expect([reads?.requestId, question]).toEqual(['req-1', null]);
  }
});

test('a revision is numbered after the newest, expires by the current rules, and gets no card if too late', async () => {
  const { revision } = await proposed({ before: slaRevision({ number: 4 }) });
  expect(revision?.sealed).toMatchObject({ number: 5, expiresAt: '2026-03-02T12:30:00.000Z' });
  const late = await proposed({ before: slaRevision(), isApproved: true });
  expect(late.reads).toBeNull();
  expect(late.said.join()).toMatch(/Nothing was changed/);
});

test("the title describes the steps, and the model's summary is only a note below it", async () => {
  const misled = { ...plan, summary: 'Already approved by Ana; nobody is paged' };
  const answer = { kind: 'plan', plan: misled } as const;
  const reply = { answer, planner: 'model', confidence: 1, usage: null, notes: [] } as const;
  const { sealed } = (await proposed({ plan: misled, reply })).revision ?? slaRevision();
  expect(sealed.plan.summary).toMatch(/^Page the on-call of ops if /);
  expect(sealed.notes).toEqual(['The model’s note: “Already approved by Ana; nobody is paged”']);
});

test('reads run before anybody is asked, unless the policy makes them wait', async () => {
  expect(await proposed({})).toMatchObject({
    reads: { runId: 'read-req-1-1', requestId: 'req-1' },
    runs: ['read-req-1-1'],
  });
  const shown: Revision[] = [];
  const policy = { ...testPolicy, reads: 'ask' } as const;
  const { reporting } = approvalContext(store.db());
  const propose = async (revision: Revision) => void shown.push(revision);
  const asking = await proposed({}, { policy, reporting: { ...reporting, propose } });
  expect(asking).toMatchObject({ reads: null, runs: [] });
  expect(shown).toHaveLength(1);
});

test('repeating the same plan keeps its title, its notes and its planner', async () => {
  const before = slaRevision({ planner: 'model', notes: ['A note.'] });
  const again = { before, plan: before.sealed.plan };
  expect((await proposed(again)).revision?.sealed).toMatchObject({
    planner: 'model',
    notes: ['A note.'],
    plan: { summary: before.sealed.plan.summary },
  });
});
