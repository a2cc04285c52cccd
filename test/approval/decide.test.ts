import { describe, expect, it } from 'vitest';
import type { RefusedClick } from '../../src/approval/audit-refusal.ts';
import { approve, type DecideDeps, reject } from '../../src/approval/decide.ts';
import { type Click, openForMember, stoppable } from '../../src/approval/find-revision.ts';
import { mayApprove } from '../../src/approval/may-approve.ts';
import type { PeopleDirectory, Revisions, StoredRevision, Yes } from '../../src/approval/ports.ts';
import { refusalMessage } from '../../src/approval/refusal-words.ts';
import { missingYeses } from '../../src/approval/required-approvals.ts';
import { writeCardRef } from '../../src/blocks/card-ref.ts';
import { catalogueDigest } from '../../src/core/catalogue.ts';
import { VendorError } from '../../src/core/errors.ts';
import type { Person } from '../../src/core/person.ts';
import { type Approver, type Policy, policyDigest } from '../../src/core/policy.ts';
import { DigestError, type Revision, type Sealed } from '../../src/core/revision.ts';
import { blockText } from '../support/block-text.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { countStep, pageStep, slaPlan, slaStep } from '../support/plans.ts';
import { pagesAna, revisionOf, slaRevision, wouldWrite } from '../support/revisions.ts';
import { rulesFor, withoutFourEyes } from '../support/rules.ts';

const { manifests } = testCatalogue();
const noon = new Date('2026-03-02T12:10:00.000Z');
const ana: Approver = { kind: 'user', id: 'U0ANA' };
const sre: Approver = { kind: 'group', id: 'S0SRE' };
const onCall: Approver = { kind: 'oncall', service: 'ops' };

/** Revisions in memory with the store's one compare-and-set; every answer takes a turn of the event loop. */
class Shelf implements Revisions {
  readonly #rows = new Map<number, StoredRevision>();
  readonly runs: string[] = [];

  constructor(revisions: readonly Revision[]) {
    for (const revision of revisions) this.set(revision, {});
  }

  set(revision: Revision, change: Partial<StoredRevision>): void {
    const fresh = {
      revision,
      state: 'proposed',
      decidedBy: null,
      decidedAt: null,
      reason: null,
      joiners: [],
    } as const;
    const facts = wouldWrite(revision);
    this.#rows.set(revision.sealed.number, { ...fresh, facts, ...change });
  }

  async load(_team: string, requestId: string, number: number): Promise<StoredRevision | null> {
    await Promise.resolve();
    const row = this.#rows.get(number);
    return row && row.revision.sealed.requestId === requestId ? row : null;
  }

  async exists(team: string, requestId: string, number: number): Promise<boolean> {
    return (await this.load(team, requestId, number)) !== null;
  }

  async newest(): Promise<number> {
    return Math.max(...this.#rows.keys());
  }

  readonly #yeses: { by: string; at: Date }[] = [];

  async yeses(): Promise<readonly Yes[]> {
    await Promise.resolve();
    return [...this.#yeses];
  }

  async second({ number, by, now: at }: Parameters<Revisions['second']>[0]): ReturnType<Revisions['second']> {
    await Promise.resolve();
    if (this.#rows.get(number)?.state !== 'proposed') return 'closed';
    if (this.#yeses.some((yes) => yes.by === by)) return 'repeated';
    this.#yeses.push({ by, at });
    return 'added';
  }

  async decide(of: Parameters<Revisions['decide']>[0]): ReturnType<Revisions['decide']> {
    await Promise.resolve();
    const row = this.#rows.get(of.number);
    if (!row) return { ok: false, why: 'not_found' };
    if (row.revision.digest !== of.digest) return { ok: false, why: 'digest_mismatch' };
    if (row.state === 'superseded') return { ok: false, why: 'superseded' };
    if (row.state !== 'proposed') return { ok: false, why: 'already_decided' };
    this.set(row.revision, { state: of.to, decidedBy: of.by, decidedAt: of.now, reason: of.reason });
    if (of.to !== 'approved') return { ok: true, runId: null };
    const runId = `run-${of.requestId}-${of.number}`;
    this.runs.push(runId);
    return { ok: true, runId };
  }
}

const nobodySpecial = { deactivated: false, bot: false, guest: false, external: false };
const marked: Record<string, Partial<Person>> = {
  U0GONE: { deactivated: true },
  U0ROBOT: { bot: true },
  U0GUEST: { guest: true },
  U0OUTSIDE: { external: true },
};
const directory: PeopleDirectory = {
  person: async ({ userId: id }) => (id === 'U0UNKNOWN' ? null : { id, ...nobodySpecial, ...marked[id] }),
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

function setUp(
  policy: Policy = testPolicy,
  change: Partial<Sealed> = {},
  people: PeopleDirectory = directory,
) {
  const revision = slaRevision({ policy: policyDigest(policy), ...change });
  let now = noon;
  const shelf = new Shelf([revision]);
  const refused: RefusedClick[] = [];
  const deps: DecideDeps = {
    revisions: shelf,
    people,
    maySee: async () => true,
    rules: () => ({ policy, catalogue: catalogueDigest(testCatalogue()) }),
    manifests: () => manifests,
    stopped: () => Promise.resolve(null),
    now: () => now,
    refused: async (each) => {
      refused.push(each);
    },
  };
  const click = (userId: string, value = cardValue(revision)): Click => {
    return { teamId: 'T0SANDBOX', userId, home: 'T0SANDBOX', value };
  };
  const yes = (userId: string, value?: string) => approve({ ...click(userId, value), from: 'card' }, deps);
  const setNow = (date: Date): void => {
    now = date;
  };
  return { revision, shelf, deps, click, yes, setNow, refused };
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
    expect(await missingYeses(judged, ['U0CHIARA'])).toMatchObject([
      { tool: 'slack.post', given: [], needed: 1 },
    ]);
    expect(await missingYeses(judged, ['U0CHIARA', 'U0ANA'])).toEqual([]);
    expect(await may('U0DEV', policy, both)).toMatchObject({
      why: 'not_an_approver',
      tool: 'pagerduty.page',
    });
    const unknown = revisionOf(slaPlan([{ ...countStep, tool: 'jira.erase' }]));
    expect(await may('U0ANA', policyWith({ 'pagerduty.page': [ana] }), unknown)).toMatchObject({
      why: 'nobody',
      tool: 'jira.erase',
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
    const { yes, shelf } = setUp(policy);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => yes(index === 3 ? 'U0CHIARA' : 'U0ANA')),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(shelf.runs).toEqual(['run-req-1-1']);
    const words = await refusalOf(yes('U0CHIARA'));
    expect(words).toContain('Already approved by @U0ANA');
    expect(words).toContain('It runs once; your click changed nothing.');
  });

  it('is refused with the reason and the approvers, and changes nothing', async () => {
    const policy = policyWith({ 'pagerduty.page': [ana, sre, onCall] });
    const { yes, shelf } = setUp(policy);
    const words = await refusalOf(yes('U0BEN'));
    expect(words).toContain(
      'pagerduty.page may be approved by @U0ANA, @S0SRE or whoever is on call for ops (rule “pagerduty.page”).',
    );
    const none = setUp(policyWith({}));
    expect(await refusalOf(none.yes('U0ANA'))).toContain('No rule in countersign.yml covers pagerduty.page');
    const four = setUp(policyWith({ '*': [{ kind: 'user', id: 'U0BEN' }] }, true));
    expect(await refusalOf(four.yes('U0BEN'))).toContain('nobody else is an approver under “*”');
    const dark = setUp(policyWith({ '*': [sre] }), {}, away);
    expect(await refusalOf(dark.yes('U0CHIARA'))).toContain('I took it as a no');
    expect(await refusalOf(setUp(policy).yes('U0OUTSIDE'))).toContain('Only full members');
    for (const each of [shelf, none.shelf, four.shelf, dark.shelf]) expect(each.runs).toEqual([]);
  });

  it('must match the exact plan that was shown, while it is open', async () => {
    const { yes, shelf, revision, setNow, deps, click } = setUp();
    expect(await refusalOf(yes('U0ANA', '{"r":"req-1"}'))).toContain('does not match the plan');
    expect(await refusalOf(yes('U0ANA', cardValue(revision, { digest: '0'.repeat(64) })))).toContain(
      'does not match the plan',
    );
    expect(await refusalOf(yes('U0ANA', cardValue(revision, { number: 9 })))).toContain('no longer stored');

    setNow(new Date(revision.sealed.expiresAt));
    expect(await refusalOf(yes('U0ANA'))).toContain('This card expired');
    setNow(noon);
    shelf.set(revision, { state: 'expired' });
    expect(await refusalOf(yes('U0ANA'))).toContain('This card expired');
    const next = slaRevision({ number: 2, policy: revision.sealed.policy });
    shelf.set(revision, { state: 'superseded' });
    shelf.set(next, {});
    expect(await refusalOf(yes('U0ANA'))).toContain('revision 2 has replaced it');
    expect(shelf.runs).toEqual([]);
    expect((await approve({ ...click('U0ANA', cardValue(next)), from: 'card' }, deps)).ok).toBe(true);
  });

  it('is valid only under the rules that the card was made under', async () => {
    const { deps, click } = setUp();
    const looser = { policy: { ...testPolicy, expiresMinutes: 99 }, catalogue: deps.rules().catalogue };
    const changed = approve({ ...click('U0ANA'), from: 'card' }, { ...deps, rules: () => looser });
    expect(await refusalOf(changed)).toContain('Tools, services or approvers were changed');
    const other = { policy: testPolicy, catalogue: 'another catalogue' };
    const moved = approve({ ...click('U0ANA'), from: 'card' }, { ...deps, rules: () => other });
    expect(await refusalOf(moved)).toContain('Ask again for a new card');
  });

  it('cannot be given unseen: a plan too large for its card is approved in the full view', async () => {
    const forty = Array.from({ length: 40 }, (_, index) => ({ ...countStep, id: `count_${index}` }));
    const large = revisionOf(slaPlan([...forty.slice(3), slaStep, { ...countStep }, pageStep]));
    const { shelf, deps, click } = setUp();
    shelf.set(large, {});
    const from = (place: 'card' | 'details') =>
      approve({ ...click('U0ANA', cardValue(large)), from: place }, deps);
    expect(await refusalOf(from('card'))).toContain('Read all to approve');
    expect((await from('details')).ok).toBe(true);
  });
});

describe('a rejection and other clicks', () => {
  it('any full member may reject a plan with a reason, and nobody can then approve it', async () => {
    const { yes, shelf, deps, click } = setUp();
    const no = (userId: string) => reject({ ...click(userId), reason: 'OPS is being migrated' }, deps);
    expect((await no('U0GUEST')).ok).toBe(false);
    expect((await no('U0EVA')).ok).toBe(true);
    expect(await refusalOf(yes('U0ANA'))).toContain('Already rejected by @U0EVA');
    expect(await shelf.load('T0SANDBOX', 'req-1', 1)).toMatchObject({
      state: 'rejected',
      reason: 'OPS is being migrated',
    });
    expect(shelf.runs).toEqual([]);
  });

  it('editing and dry runs need a full member and an open card', async () => {
    const { deps, click, revision, shelf } = setUp();
    expect((await openForMember(click('U0BEN'), deps)).ok).toBe(true);
    expect((await openForMember(click('U0OUTSIDE'), deps)).ok).toBe(false);
    shelf.set(revision, { state: 'approved', decidedBy: 'U0ANA', decidedAt: noon });
    expect(await openForMember(click('U0BEN'), deps)).toMatchObject({ refusal: { code: 'decided' } });
  });

  it('an unreachable Slack is an error, and nothing is opened', async () => {
    const broken: PeopleDirectory = {
      ...directory,
      person: () => directory.groupMembers('x').then(() => Promise.reject(new Error('away'))),
    };
    const { deps, click } = setUp(testPolicy, {}, broken);
    await expect(openForMember(click('U0BEN'), deps)).rejects.toThrow('away');
  });
});

describe('refused clicks are recorded for the audit log', () => {
  it('with the person, the revision and the reason; allowed clicks are not', async () => {
    const { yes, refused, revision, deps, click } = setUp(policyWith({ '*': [ana] }));
    await yes('U0BEN');
    await openForMember(click('U0GUEST'), deps);
    await stoppable(click('U0OUTSIDE'), deps);
    await reject({ ...click('U0ROBOT'), reason: 'x' }, deps);
    expect((await yes('U0ANA')).ok).toBe(true);
    await yes('U0ANA');
    const noted = refused.map(({ userId, reason, facts }) => [userId, facts.action, reason]);
    expect(noted).toEqual([
      ['U0BEN', 'approve', 'not_an_approver'],
      ['U0GUEST', 'open', 'guest'],
      ['U0OUTSIDE', 'stop', 'external'],
      ['U0ROBOT', 'reject', 'bot'],
      ['U0ANA', 'approve', 'decided'],
    ]);
    const about = { teamId: 'T0SANDBOX', at: noon, kind: 'refusal', subject: 'revision:req-1/1' };
    for (const each of refused) expect(each).toMatchObject(about);
    expect(revision.sealed.requestId).toBe('req-1');
  });

  it('with the revision that a forged value names, but only if it is stored', async () => {
    const { yes, refused, revision } = setUp();
    await yes('U0EVE', cardValue(revision, { digest: '0'.repeat(64) }));
    await yes('U0EVE', `{"r":"req-1","n":1,"approved":true}`);
    await yes('U0EVE', `{"r":"req-9","n":1,"approved":true}`);
    await yes('U0EVE', cardValue(revision, { number: 7 }));
    await yes('U0EVE', 'x'.repeat(10_000));
    expect(refused.map(({ subject, reason }) => [subject, reason])).toEqual([
      ['revision:req-1/1', 'tampered'],
      ['revision:req-1/1', 'not_ours'],
      ['button', 'not_ours'],
      ['button', 'not_found'],
      ['button', 'not_ours'],
    ]);
    expect(refused[0]?.facts).toMatchObject({ clicked: '0'.repeat(64) });
  });

  it('as tampering when the stored plan itself was changed', async () => {
    const { shelf, yes, refused, click, deps } = setUp();
    shelf.load = () => Promise.reject(new DigestError('digest_mismatch', 'x'));
    expect(await refusalOf(yes('U0ANA'))).toContain('The stored plan was changed after it was shown');
    expect(await openForMember(click('U0BEN'), deps)).toMatchObject({ refusal: { code: 'bytes_changed' } });
    for (const each of refused)
      expect(each).toMatchObject({ kind: 'tampering', subject: 'revision:req-1/1' });
    expect(refused).toHaveLength(2);
  });
});
