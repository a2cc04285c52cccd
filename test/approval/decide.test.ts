import { describe, expect, it } from 'vitest';
import { approve, reject } from '../../src/approval/decide.ts';
import { type Click, openForMember, stoppable } from '../../src/approval/find-revision.ts';
import { mayApprove } from '../../src/approval/may-approve.ts';
import type { PeopleDirectory } from '../../src/approval/ports.ts';
import { refusalMessage } from '../../src/approval/refusal-words.ts';
import { missingApprovals } from '../../src/approval/required-approvals.ts';
import { writeCardRef } from '../../src/blocks/card-ref.ts';
import { VendorError } from '../../src/core/errors.ts';
import type { Person } from '../../src/core/person.ts';
import type { Approver, Policy } from '../../src/core/policy.ts';
import type { Revision } from '../../src/core/revision.ts';
import * as revisions from '../../src/store/revisions.ts';
import { listOf as listRuns } from '../../src/store/runs.ts';
import type { RevisionRow } from '../../src/store/tables.ts';
import { approvalContext, directoryOf, givenRevision } from '../support/approval.ts';
import { blockText } from '../support/block-text.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { countStep, pageStep, slaPlan, slaStep } from '../support/plans.ts';
import { pagesAna, revisionOf, slaRevision, wouldWrite } from '../support/revisions.ts';
import { rulesFor, withoutFourEyes } from '../support/rules.ts';
import { auditRows, openTestStore } from '../support/store.ts';

const store = openTestStore();
const { manifests } = testCatalogue();
const noon = new Date('2026-03-02T12:10:00.000Z');
const ana: Approver = { kind: 'user', id: 'U0ANA' };
const sre: Approver = { kind: 'group', id: 'S0SRE' };
const onCall: Approver = { kind: 'oncall', service: 'ops' };

const marked: Record<string, Partial<Person>> = {
  U0GONE: { deactivated: true },
  U0ROBOT: { bot: true },
  U0GUEST: { guest: true },
  U0OUTSIDE: { external: true },
};
const known = directoryOf((id) => marked[id] ?? {});
const directory: PeopleDirectory = {
  person: async (who) => (who.userId === 'U0UNKNOWN' ? null : known.person(who)),
  groupMembers: async (id) => new Set(id === 'S0SRE' ? ['U0ANA', 'U0CHIARA', 'U0GUEST', 'U0ROBOT'] : []),
  onCall: async (service) => (service === 'ops' ? ['U0DEV'] : []),
};
const away: PeopleDirectory = {
  ...directory,
  groupMembers: async () => {
    throw new VendorError('slack_unreachable', 'away', { retryable: true, mayHaveHappened: false });
  },
};

type ByTool = Parameters<typeof rulesFor>[0];

function policyWith(approvers: ByTool, fourEyes = false): Policy {
  return { ...testPolicy, rules: rulesFor(approvers, fourEyes) };
}

let teams = 0;

/** The main job as a card that waits for a decision, in a workspace of its own. */
async function setUp(policy: Policy = testPolicy, people: PeopleDirectory = directory) {
  teams += 1;
  const teamId = `T${teams}`;
  const db = store.db();
  const revision = slaRevision({ teamId, policy });
  await givenRevision(db, revision, wouldWrite(revision));
  let now = noon;
  const ctx = approvalContext(db, { teamId, policy, people, now: () => now });
  const click = (userId: string, value = cardValue(revision)): Click => {
    return { teamId, userId, home: teamId, value };
  };
  const approveAs = (userId: string, value?: string) => {
    return approve({ ...click(userId, value), from: 'card' }, ctx);
  };
  const setNow = (date: Date): void => {
    now = date;
  };
  /** Changes the stored row of the revision. */
  const change = async (to: Partial<RevisionRow>): Promise<void> => {
    await db.updateTable('revisions').set(to).where('teamId', '=', teamId).where('number', '=', 1).execute();
  };
  const runs = async (): Promise<string[]> => {
    const rows = await listRuns(db, teamId, revision.sealed.requestId);
    return rows.filter(({ mode }) => mode === 'run').map(({ id }) => id);
  };
  /** The audit log's refused clicks, oldest first. */
  const refused = async () => {
    const lines = (await auditRows(db, teamId)).toReversed();
    return lines
      .filter(({ kind }) => kind === 'click.refused' || kind === 'revision.tampered')
      .map(({ data, ...line }) => ({ ...line, data: JSON.parse(data) }));
  };
  return { revision, ctx, click, approveAs, setNow, change, runs, refused };
}

function cardValue(
  { sealed, digest }: Revision,
  change: Partial<{ number: number; digest: string }> = {},
): string {
  const { number = sealed.number, ...other } = change;
  return writeCardRef({ requestId: sealed.requestId, number, digest, ...other });
}

async function refusalOf(decided: ReturnType<typeof approve>): Promise<string> {
  const answer = await decided;
  if (answer.ok) throw new Error('this was allowed');
  const message = refusalMessage(answer.refusal);
  expect(message.text.length).toBeLessThanOrEqual(300);
  return blockText(message.blocks);
}

describe('who may approve', () => {
  const may = (userId: string, policy: Policy, revision = slaRevision(), people = directory) =>
    mayApprove({ revision, who: { userId, home: null }, policy, manifests, people, now: noon });

  it.each<[string, ByTool, string, boolean]>([
    ['a person who is named', { 'pagerduty.page': [ana] }, 'U0ANA', true],
    ['a person who is not', { 'pagerduty.page': [ana] }, 'U0BEN', false],
    ['a member of a named group', { 'pagerduty.page': [sre] }, 'U0CHIARA', true],
    ['whoever is on call', { 'pagerduty.page': [onCall] }, 'U0DEV', true],
    ['somebody who is not on call', { 'pagerduty.page': [onCall] }, 'U0BEN', false],
    ['those for every tool, where it has none of its own', { '*': [ana] }, 'U0ANA', true],
    [
      'those for every tool, where it has its own',
      { '*': [ana], 'pagerduty.page': [onCall] },
      'U0ANA',
      false,
    ],
    ['nobody where the list is empty', { '*': [ana], 'pagerduty.page': [] }, 'U0ANA', false],
    ['nobody where there is no list', {}, 'U0ANA', false],
    ['a guest in the group', { '*': [sre] }, 'U0GUEST', false],
    ['a bot in the group', { '*': [sre] }, 'U0ROBOT', false],
    ['nobody by a name of the prototype', { '*': [] }, 'constructor', false],
  ])('%s', async (_who, approvers, userId, allowed) => {
    expect((await may(userId, policyWith(approvers))).allowed).toBe(allowed);
  });

  it('is an approver of the writes whose rules name them; the others need their own approvals', async () => {
    const post = {
      id: 'post',
      tool: 'slack.post',
      why: 'x',
      args: { channel: '#ops', text: 'x' },
      needs: ['page'],
    };
    const both = revisionOf(slaPlan([countStep, slaStep, pageStep, post]), { targets: [pagesAna] });
    const policy = policyWith({ 'pagerduty.page': [sre], 'slack.post': [ana] });
    expect(await may('U0ANA', policy, both)).toEqual({ allowed: true });
    expect(await may('U0CHIARA', policy, both)).toEqual({ allowed: true });
    const judged = { revision: both, policy, manifests, people: directory, now: noon };
    expect(await missingApprovals(judged, ['U0CHIARA'])).toMatchObject([
      { write: '“Post to #ops”', given: [], needed: 1 },
    ]);
    expect(await missingApprovals(judged, ['U0CHIARA', 'U0ANA'])).toEqual([]);
    expect(await may('U0DEV', policy, both)).toMatchObject({
      why: 'not_an_approver',
      write: '“Page the on-call of ops”',
    });
    const unknown = revisionOf(slaPlan([{ ...countStep, tool: 'jira.erase' }]));
    expect(await may('U0ANA', policyWith({ 'pagerduty.page': [ana] }), unknown)).toMatchObject({
      why: 'nobody',
      write: '“jira.erase”',
    });
  });

  it('is a second person under four eyes, not the requester or an editor', async () => {
    const edited = slaRevision({ authors: ['U0BEN', 'U0ANA'] });
    const everyone = policyWith({ '*': [ana, sre, { kind: 'user', id: 'U0BEN' }] }, true);
    expect(await may('U0ANA', everyone, edited)).toMatchObject({ why: 'four_eyes' });
    expect(await may('U0BEN', everyone, edited)).toMatchObject({ why: 'four_eyes' });
    expect(await may('U0CHIARA', everyone, edited)).toEqual({ allowed: true });
    expect(await may('U0BEN', withoutFourEyes(everyone), edited)).toEqual({ allowed: true });
    const unsigned = slaRevision({ authors: [] });
    expect(await may('U0BEN', everyone, unsigned)).toMatchObject({ why: 'four_eyes' });
  });

  it('is any full member for a read-only plan, even the requester, and nobody else', async () => {
    const reads = revisionOf(slaPlan([countStep, slaStep]));
    const strict = policyWith({}, true);
    expect(await may('U0BEN', strict, reads)).toEqual({ allowed: true });
    const refused = { U0GONE: 'deactivated', U0ROBOT: 'bot', U0GUEST: 'guest', U0OUTSIDE: 'external' };
    for (const [userId, why] of Object.entries(refused)) {
      expect(await may(userId, strict, reads)).toMatchObject({ allowed: false, why });
    }
    expect(await may('U0UNKNOWN', strict, reads)).toMatchObject({ why: 'unknown_person' });
  });

  it('is nobody while Slack cannot be queried', async () => {
    expect(await may('U0CHIARA', policyWith({ '*': [sre] }), slaRevision(), away)).toEqual({
      allowed: false,
      why: 'cannot_tell',
    });
  });
});

describe('an approval', () => {
  it('counts once, even with ten clicks at once, and tells the others who was first', async () => {
    const policy = policyWith({ '*': [ana, sre] });
    const { approveAs, runs } = await setUp(policy);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => approveAs(index === 3 ? 'U0CHIARA' : 'U0ANA')),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(await runs()).toEqual(['run-req-1-1']);
    const words = await refusalOf(approveAs('U0CHIARA'));
    expect(words).toContain('Already approved by @U0ANA');
    expect(words).toContain('It runs once; your click changed nothing.');
  });

  it('is refused with the reason and the approvers, and changes nothing', async () => {
    const policy = policyWith({ 'pagerduty.page': [ana, sre, onCall] });
    const some = await setUp(policy);
    const words = await refusalOf(some.approveAs('U0BEN'));
    expect(words).toContain(
      '“Page the on-call of ops” may be approved by @U0ANA, @S0SRE or whoever is on call for ops (rule “pagerduty.page”).',
    );
    const none = await setUp(policyWith({}));
    expect(await refusalOf(none.approveAs('U0ANA'))).toContain(
      'No rule in countersign.yml covers “Page the on-call of ops”',
    );
    const four = await setUp(policyWith({ '*': [{ kind: 'user', id: 'U0BEN' }] }, true));
    expect(await refusalOf(four.approveAs('U0BEN'))).toContain('nobody else is an approver under “*”');
    const dark = await setUp(policyWith({ '*': [sre] }), away);
    expect(await refusalOf(dark.approveAs('U0CHIARA'))).toContain('I did not allow it');
    expect(await refusalOf(some.approveAs('U0OUTSIDE'))).toContain('Only full members');
    for (const each of [some, none, four, dark]) expect(await each.runs()).toEqual([]);
  });

  it('must match the exact plan that was shown, while it is open', async () => {
    const { approveAs, runs, change, revision, setNow, ctx, click } = await setUp();
    expect(await refusalOf(approveAs('U0ANA', '{"r":"req-1"}'))).toContain('does not match the plan');
    expect(await refusalOf(approveAs('U0ANA', cardValue(revision, { digest: '0'.repeat(64) })))).toContain(
      'does not match the plan',
    );
    expect(await refusalOf(approveAs('U0ANA', cardValue(revision, { number: 9 })))).toContain(
      'no longer stored',
    );

    setNow(new Date(revision.sealed.expiresAt));
    expect(await refusalOf(approveAs('U0ANA'))).toContain('This card expired');
    setNow(noon);
    await change({ state: 'expired' });
    expect(await refusalOf(approveAs('U0ANA'))).toContain('This card expired');
    const { teamId } = revision.sealed;
    const next = slaRevision({ teamId, number: 2 });
    await change({ state: 'superseded' });
    await givenRevision(ctx.db, next, wouldWrite(next));
    expect(await refusalOf(approveAs('U0ANA'))).toContain('revision 2 has replaced it');
    expect(await runs()).toEqual([]);
    expect((await approve({ ...click('U0ANA', cardValue(next)), from: 'card' }, ctx)).ok).toBe(true);
  });

  it('is valid only under the rules that the card was made under', async () => {
    const { ctx, click } = await setUp();
    const { catalogue } = ctx.rules;
    const looser = { policy: { ...testPolicy, rules: rulesFor({ '*': [] }) }, catalogue };
    const changed = approve({ ...click('U0ANA'), from: 'card' }, { ...ctx, rules: looser });
    expect(await refusalOf(changed)).toContain('Changed since this card was made: who may approve it.');
    const services = catalogue.services.map((one) => ({ ...one, pagerdutyId: 'PSELSE1' }));
    const other = { policy: testPolicy, catalogue: { ...catalogue, services } };
    const moved = approve({ ...click('U0ANA'), from: 'card' }, { ...ctx, rules: other });
    expect(await refusalOf(moved)).toContain('was made: service ops. Ask again for a new card');
  });

  it('cannot be given unseen: a plan too large for its card is approved in the full view', async () => {
    const forty = Array.from({ length: 40 }, (_, index) => ({ ...countStep, id: `count_${index}` }));
    const { ctx, click } = await setUp();
    const { teamId } = ctx;
    const steps = [...forty.slice(3), slaStep, { ...countStep }, pageStep];
    const large = revisionOf(slaPlan(steps), { teamId, requestId: 'large' });
    await givenRevision(ctx.db, large, wouldWrite(large));
    const from = (place: 'card' | 'details') =>
      approve({ ...click('U0ANA', cardValue(large)), from: place }, ctx);
    expect(await refusalOf(from('card'))).toContain('Read all to approve');
    expect((await from('details')).ok).toBe(true);
  });
});

describe('a rejection and other clicks', () => {
  it('any full member may reject a plan with a reason, and nobody can then approve it', async () => {
    const { approveAs, ctx, click, runs } = await setUp();
    const rejectAs = (userId: string) => reject({ ...click(userId), reason: 'OPS is being migrated' }, ctx);
    expect((await rejectAs('U0GUEST')).ok).toBe(false);
    expect((await rejectAs('U0EVA')).ok).toBe(true);
    expect(await refusalOf(approveAs('U0ANA'))).toContain('Already rejected by @U0EVA');
    const stored = await revisions.get(ctx.db, ctx.teamId, 'req-1', 1);
    expect(stored).toMatchObject({
      state: 'rejected',
      reason: 'OPS is being migrated',
    });
    expect(await runs()).toEqual([]);
  });

  it('editing and dry runs need a full member and an open card', async () => {
    const { ctx, click, change } = await setUp();
    expect((await openForMember(click('U0BEN'), ctx)).ok).toBe(true);
    expect((await openForMember(click('U0OUTSIDE'), ctx)).ok).toBe(false);
    await change({ state: 'approved', decidedBy: 'U0ANA', decidedAt: noon });
    expect(await openForMember(click('U0BEN'), ctx)).toMatchObject({ refusal: { code: 'decided' } });
  });

  it('an unreachable Slack is an error, and nothing is opened', async () => {
    const broken: PeopleDirectory = {
      ...directory,
      person: () => directory.groupMembers('x').then(() => Promise.reject(new Error('away'))),
    };
    const { ctx, click } = await setUp(testPolicy, broken);
    await expect(openForMember(click('U0BEN'), ctx)).rejects.toThrow('away');
  });
});

describe('refused clicks are recorded for the audit log', () => {
  it('with the person, the revision and the reason; allowed clicks are not', async () => {
    const { approveAs, refused, ctx, click } = await setUp(policyWith({ '*': [ana] }));
    await approveAs('U0BEN');
    await openForMember(click('U0GUEST'), ctx);
    await stoppable(click('U0OUTSIDE'), ctx);
    await reject({ ...click('U0ROBOT'), reason: 'x' }, ctx);
    expect((await approveAs('U0ANA')).ok).toBe(true);
    await approveAs('U0ANA');
    const lines = await refused();
    expect(lines.map(({ actor, data }) => [actor, data.action, data.reason])).toEqual([
      ['U0BEN', 'approve', 'not_an_approver'],
      ['U0GUEST', 'open', 'guest'],
      ['U0OUTSIDE', 'stop', 'external'],
      ['U0ROBOT', 'reject', 'bot'],
      ['U0ANA', 'approve', 'decided'],
    ]);
    const about = { at: noon, kind: 'click.refused', subject: 'revision:req-1/1' };
    for (const each of lines) expect(each).toMatchObject(about);
  });

  it('with the revision that a forged value names, but only if it is stored', async () => {
    const { approveAs, refused, revision } = await setUp();
    await approveAs('U0EVE', cardValue(revision, { digest: '0'.repeat(64) }));
    await approveAs('U0EVE', `{"r":"req-1","n":1,"approved":true}`);
    await approveAs('U0EVE', `{"r":"req-9","n":1,"approved":true}`);
    await approveAs('U0EVE', cardValue(revision, { number: 7 }));
    await approveAs('U0EVE', 'x'.repeat(10_000));
    const lines = await refused();
    // The last one repeats the third, and is recorded once.
    expect(lines.map(({ subject, data }) => [subject, data.reason])).toEqual([
      ['revision:req-1/1', 'tampered'],
      ['revision:req-1/1', 'not_ours'],
      ['button', 'not_ours'],
      ['button', 'not_found'],
    ]);
    expect(lines[0]?.data).toMatchObject({ clicked: '0'.repeat(64) });
  });

  it('as tampering when the stored plan itself was changed', async () => {
    const { change, approveAs, refused, click, ctx, revision } = await setUp();
    await change({ bytes: revision.bytes.replace('"ops"', '"payments-api"') });
    expect(await refusalOf(approveAs('U0ANA'))).toContain('The stored plan was changed after it was shown');
    expect(await openForMember(click('U0BEN'), ctx)).toMatchObject({ refusal: { code: 'bytes_changed' } });
    const subject = 'revision:req-1/1';
    expect(await refused()).toMatchObject([{ kind: 'revision.tampered', actor: 'U0ANA', subject }]);
  });
});
