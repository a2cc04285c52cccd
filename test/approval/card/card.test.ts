import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBlocks, checkView } from '../../../sandbox/slack/blocks/validate.ts';
import { confirmText } from '../../../src/approval/card/buttons.ts';
import { type CardView, drawCard, fitsCard } from '../../../src/approval/card/card.ts';
import { detailsModal } from '../../../src/approval/card/details.ts';
import type { CardState } from '../../../src/approval/card/state.ts';
import { stepViews } from '../../../src/approval/card/step-view.ts';
import { withCardAddresses } from '../../../src/blocks/card-address.ts';
import { readCardRef } from '../../../src/blocks/card-ref.ts';
import { clean } from '../../../src/blocks/escape.ts';
import { assertMessageFits, assertViewFits } from '../../../src/blocks/fit.ts';
import type { Message } from '../../../src/blocks/message.ts';
import { shortDigest } from '../../../src/core/canonical.ts';
import type { PlanDraft } from '../../../src/core/plan.ts';
import type { Approver, Policy } from '../../../src/core/policy.ts';
import type { Revision } from '../../../src/core/revision.ts';
import { blockText, buttonsOf } from '../../support/block-text.ts';
import { testCatalogue, testPolicy } from '../../support/catalogue.ts';
import { countStep, pageStep, slaPlan, slaStep } from '../../support/plans.ts';
import { longPlan, pagesAna, revisionOf, slaRevision } from '../../support/revisions.ts';
import { rule, rulesFor } from '../../support/rules.ts';

const { manifests } = testCatalogue();
const proposed: CardState = { kind: 'proposed' };
const at = '2026-03-02T12:05:00.000Z';

const renderCard = (revision: Revision, view: CardView): Message => drawCard(revision, view).message;
const card = (revision: Revision, state: CardState = proposed): Message =>
  renderCard(revision, { manifests, state });

function strictFindings(message: Message): string[] {
  return checkBlocks(JSON.parse(JSON.stringify(message.blocks)), {
    surface: 'message',
    unknownBlocks: ['plan', 'task_card'],
  });
}

function button(message: Message, actionId: string) {
  const elements = message.blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  const found = elements.find((element) => element.action_id === actionId);
  if (found?.type !== 'button') throw new Error(`there is no button ${actionId}`);
  return found;
}

describe('an open card', () => {
  it('shows everything that an approval covers, in plain words', () => {
    const message = card(slaRevision({ notes: ['The model did not answer in time.'] }));
    const text = blockText(message.blocks);
    for (const words of [
      'Page ops if OPS has more open P1 tickets than its SLA allows',
      '@U0BEN asked',
      'read Count open P1 tickets in OPS',
      'read Look up the SLA limit for P1 in OPS',
      'WRITE Page the on-call of ops: “OPS has ‹open P1 tickets in OPS› open P1 tickets; the SLA allows ‹the SLA limit for P1 in OPS›”',
      'only if open P1 tickets in OPS > the SLA limit for P1 in OPS',
      '→ pages Ana Ruiz, on call for ops until 18:00 UTC',
      'the SLA is breached · after 1 and 2',
      'Assumed: project OPS, priority P1',
      'The model did not answer in time.',
      shortDigest(slaRevision({ notes: ['The model did not answer in time.'] }).digest),
      'takes about 2 s, rarely 5 s · 0.002 USD',
    ]) {
      expect(text).toContain(words);
    }
    expect(buttonsOf(message.blocks)).toEqual(['plan.approve', 'plan.edit', 'plan.dry_run', 'plan.reject']);
    expect(strictFindings(message)).toEqual([]);
    expect(message.text).toContain('Plan to approve: Page ops');
  });

  it('has headings that say what its steps are for, where there are more than five', () => {
    const more = (['#ops', '#incidents'] as const).map((channel, index) => {
      const args = { channel, text: 'Ops was paged.' };
      return { id: `post${index}`, tool: 'slack.post', why: 'they ask', needs: ['page'], args };
    });
    const text = blockText(card(revisionOf(slaPlan([countStep, slaStep, pageStep, ...more]))).blocks);
    expect(text).not.toMatch(/Decide|Tell\b/);
    const third = { ...countStep, id: 'count2', args: { project: 'PAY' } };
    const message = card(revisionOf(slaPlan([countStep, third, slaStep, pageStep, ...more])));
    expect(blockText(message.blocks)).toMatch(
      /Look up\s+.*Count open.*Count.*Decide\s+.*SLA limit.*Act\s+.*Page.*Tell\s+.*#ops.*#incidents/s,
    );
    const steps = message.blocks.flatMap((block) => JSON.stringify(block).match(/"offset":\d+/g) ?? []);
    expect(steps).toEqual(['"offset":2', '"offset":3', '"offset":4']);
    expect(strictFindings(message)).toEqual([]);
  });

  it('asks for confirmation before an approval, naming every write and what cannot be undone', () => {
    const approve = button(card(slaRevision()), 'plan.approve');
    expect(approve.style).toBe('primary');
    expect(approve.confirm?.text.text).toBe(
      'Pages Ana Ruiz, on call for ops until 18:00 UTC, only if open P1 tickets in OPS > the SLA limit for P1 in OPS: “OPS has ‹open P1 tickets in OPS› open P1 tickets; the SLA allows ‹the SLA limit for P1 in OPS›”. A page cannot be unsent.',
    );
    const reads = revisionOf(slaPlan([countStep, slaStep]));
    expect(confirmText(stepViews(reads, manifests), null)).toContain('only reads');
    expect(buttonsOf(card(reads).blocks)).toEqual(['plan.approve', 'plan.edit', 'plan.reject']);
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...pageStep,
      id: `page_${index}`,
      when: 'count.total > 1',
    }));
    const text = confirmText(stepViews(revisionOf(slaPlan([countStep, slaStep, ...many])), manifests), null);
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text).toContain('20 writes');
  });

  it('carries the full digest in every button, and rejects any other value', () => {
    const revision = slaRevision();
    for (const action of ['plan.approve', 'plan.edit', 'plan.dry_run', 'plan.reject']) {
      const value = button(card(revision), action).value ?? '';
      expect(readCardRef(value)).toEqual({ requestId: 'req-1', number: 1, digest: revision.digest });
    }
    const good = JSON.parse(button(card(revision), 'plan.approve').value ?? '');
    const tampered = [
      '',
      'null',
      '[]',
      'x'.repeat(600),
      JSON.stringify({ ...good, n: 0 }),
      JSON.stringify({ ...good, d: 'short' }),
      JSON.stringify({ ...good, approved: true }),
      JSON.stringify({ r: good.r, n: '1', d: good.d }),
    ];
    for (const value of tampered) expect(readCardRef(value), value).toBeNull();
  });

  it('hides no argument behind a sentence: what the sentence omits is shown beside it', () => {
    const step = (args: PlanDraft['steps'][number]['args']): string => {
      const plan = slaPlan([countStep, slaStep, { ...pageStep, args }]);
      return blockText(card(revisionOf(plan)).blocks);
    };
    expect(step({ service: 'ops', text: 'low disk on P5', urgency: 'low', severity: 'P5' })).toContain(
      '(severity: P5)',
    );
    expect(step({ service: 'ops', text: 'x', urgency: 'high' })).toContain('(urgency: high)');
    const search = { ...countStep, tool: 'jira.search', args: { project: 'OPS', limit: 5, window: 'PT45M' } };
    const text = blockText(card(revisionOf(slaPlan([search]))).blocks);
    expect(text).toContain('List the first 5 tickets in OPS created in the last 45 minutes');
    const hour = { ...search, args: { ...search.args, window: 'PT1H' } };
    expect(blockText(card(revisionOf(slaPlan([hour]))).blocks)).not.toContain('window');
  });

  it('highlights the unusual: an unknown tool counts as a write, and a failed lookup is shown', () => {
    const plan = slaPlan([
      { ...countStep, tool: 'jira.erase', onError: 'continue' },
      { ...slaStep, needs: ['count'], onSkip: 'run', success: ['sla.max_open > 0', 'words: looks sane'] },
    ]);
    const label = 'ops (could not be looked up: PagerDuty did not answer)';
    const nobody = { ...pagesAna, step: 'count', identity: '', label };
    const text = blockText(card(revisionOf(plan, { targets: [nobody] })).blocks);
    expect(text).toContain('WRITE jira.erase');
    expect(text).toContain('if it fails, the rest goes on');
    expect(text).toContain('runs even if a step before it was skipped');
    expect(text).toContain('must hold afterwards: the SLA limit for P1 in OPS is more than 0');
    expect(text).toContain('for people to check afterwards: “looks sane”');
    expect(text).toContain(`→ ${label}`);
    // Once at the step and once in the full plan.
    expect(text.match(/could not be looked up/g)).toHaveLength(2);
  });

  it('names the approvers while the rules are those it was sealed under', () => {
    const text = (revision: Revision, policy: Policy): string =>
      blockText(renderCard(revision, { manifests, policy, state: proposed }).blocks);
    const ruled = (policy: Policy, steps?: PlanDraft['steps']): string =>
      text(revisionOf(slaPlan(steps), { policy }), policy);
    const post = { ...pageStep, id: 'post', tool: 'slack.post', args: { channel: '#ops', text: 'x' } };
    const sre: Approver = { kind: 'group', id: 'S0SRE' };
    const onCall: Approver = { kind: 'oncall', service: 'ops' };
    const one = { ...testPolicy, rules: rulesFor({ '*': [sre, onCall] }) };
    expect(ruled(one)).toContain('Approvers: @S0SRE or whoever is on call for ops\n');
    expect(ruled(one)).not.toContain('second person');
    expect(ruled({ ...one, rules: rulesFor({ '*': [sre] }, true) })).toContain(
      'Needs someone other than the people who asked',
    );
    expect(ruled(one, [countStep])).toContain('Approvers: any full member');
    const two = { ...one, rules: rulesFor({ 'pagerduty.page': [sre], 'slack.post': [onCall] }) };
    const lines = ruled(two, [countStep, slaStep, pageStep, post]);
    expect(lines).toContain('Approvers of “Page the on-call of ops”: @S0SRE');
    expect(lines).toContain('Approvers of “Post to #ops”: whoever is on call for ops');
    expect(ruled({ ...one, rules: [] })).toContain('Nobody may approve “Page the on-call of ops');
    const many = Array.from({ length: 300 }, (_, index): Approver => ({ kind: 'user', id: `U0A${index}` }));
    expect(ruled({ ...one, rules: rulesFor({ '*': many }) })).toContain('@U0A7 or 292 others');
    expect(text(slaRevision(), { ...testPolicy, rules: [] })).not.toContain('Approvers');
  });

  it('ends each sentence of the dialog with one full stop', () => {
    const page = { ...pageStep, when: undefined, args: { service: 'ops', text: 'Look at ops.' }, needs: [] };
    const text = confirmText(stepViews(revisionOf(slaPlan([page])), manifests), null);
    expect(text).toContain('Look at ops”. A page');
  });

  it('shows a failed target lookup in the dialog', () => {
    const page = { ...pageStep, when: undefined, args: { service: 'ops', text: 'x' }, needs: [] };
    const targets = [{ ...pagesAna, label: 'ops (could not be looked up: no answer)', identity: '' }];
    const text = confirmText(stepViews(revisionOf(slaPlan([page]), { targets }), manifests), null);
    expect(text).toMatch(/^Page the on-call of ops → ops \(could not be looked up/);
  });

  it('separates what was found about a target from what the plan says', () => {
    const page = {
      ...pageStep,
      when: undefined,
      args: { service: 'ops', text: 'x', severity: 'P1' },
      needs: [],
    };
    const targets = [{ ...pagesAna, about: 'their local time: 13:00 in Europe/Madrid' }];
    expect(blockText(card(revisionOf(slaPlan([page]), { targets })).blocks)).toContain(
      'pages Ana Ruiz, on call for ops until 18:00 UTC (their local time: 13:00 in Europe/Madrid) (severity: P1)',
    );
  });

  it("has no Approve button if nobody may approve, unless a rule's hours allow it later", () => {
    const actions = (policy: Policy): string[] => {
      const revision = revisionOf(slaPlan(), { policy });
      return buttonsOf(renderCard(revision, { manifests, policy, state: proposed }).blocks);
    };
    const sre: Approver = { kind: 'group', id: 'S0SRE' };
    const never = rule({ approvers: [] });
    const early = { from: 300, to: 301, days: [2], timezone: 'UTC' };
    expect(actions({ ...testPolicy, rules: [never] })).not.toContain('plan.approve');
    const later = rule({ approvers: [sre], hours: early });
    expect(actions({ ...testPolicy, rules: [later, never] })).toContain('plan.approve');
  });

  it('does not repeat the goal if the title already says it', () => {
    const plan = slaPlan();
    const text = blockText(card(revisionOf({ ...plan, goal: plan.summary.toUpperCase() })).blocks);
    expect(text.toLowerCase().split(plan.summary.toLowerCase())).toHaveLength(2);
    expect(text).toContain('@U0BEN asked');
  });

  it('shows the changes since the previous revision', () => {
    const revision = slaRevision({ number: 2, authors: ['U0BEN', 'U0CHIARA'], planner: 'person' });
    const changes = ['Step 3: only if 20', ...Array.from({ length: 14 }, (_, index) => `change ${index}`)];
    const message = renderCard(revision, { manifests, state: proposed, changes });
    const text = blockText(message.blocks);
    expect(text).toContain('edited by @U0CHIARA');
    expect(text).toContain('Step 3: only if 20');
    expect(text).toContain('and 3 more changes');
    expect(text).toContain('Revision 2');
  });
});

describe('a card of a decided plan', () => {
  it.each<[CardState, string]>([
    [{ kind: 'approved', by: 'U0ANA', at }, 'Approved by @U0ANA'],
    [{ kind: 'rejected', by: 'U0ANA', at, reason: 'OPS is being migrated' }, 'OPS is being migrated'],
    [{ kind: 'expired', at }, 'nobody decided in time'],
    [{ kind: 'superseded', byNumber: 3 }, 'Replaced by revision 3'],
    [{ kind: 'cancelled', by: 'U0ANA', at, reason: null }, 'Cancelled by @U0ANA'],
  ])('%o has no buttons and says why', async (state, words) => {
    const message = await withCardAddresses(card(slaRevision(), state), async () => 'https://a.slack.com/p1');
    expect(buttonsOf(message.blocks)).toEqual([]);
    expect(blockText(message.blocks)).toContain(words);
    expect(message.text).toContain(`Plan ${state.kind}`);
    expect(strictFindings(message)).toEqual([]);
  });
});

/** Plans of any size that the language allows, full of text that imitates something else. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('<!channel>', '<@U0ANA>', '*bold*', '\n', '\u202e', '"', '\\', '{count.total}', '“'),
      fc.nat(3_000).map((length) => 'long '.repeat(length / 5)),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => `x${parts.join('')}`.slice(0, 3_900).toWellFormed());
const anyPlan = fc
  .record({
    goal: anyText.map((text) => text.slice(0, 2_000).toWellFormed()),
    texts: fc.array(anyText, { minLength: 1, maxLength: 38 }),
  })
  .map(({ goal, texts }): PlanDraft => {
    const steps = texts.map((text, index) => ({
      ...pageStep,
      id: `page_${index}`,
      why: text.slice(0, 300).toWellFormed(),
      args: { service: 'ops', text: index % 3 === 0 ? [text, { ref: 'count.total' }] : text },
    }));
    return {
      ...slaPlan([countStep, slaStep, ...steps]),
      goal,
      assumptions: [goal.slice(0, 300).toWellFormed()],
    };
  });

describe('a plan of any size', () => {
  it('is shown in full on the card, or else in the window, which alone can then approve it', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const revision = revisionOf(plan, { targets: [{ ...pagesAna, step: 'page_0' }] });
        const changes = plan.steps.map((step) => `"${step.why}"`);
        const message = renderCard(revision, { manifests, state: proposed, changes });
        expect(() => assertMessageFits(message)).not.toThrow();
        expect(strictFindings(message)).toEqual([]);
        const modal = detailsModal(revision, manifests, { open: true });
        expect(() => assertViewFits(modal)).not.toThrow();
        expect(checkView(JSON.parse(JSON.stringify(modal)), { surface: 'modal' })).toEqual([]);

        const whole = fitsCard(revision, manifests, null);
        expect(buttonsOf(message.blocks).includes('plan.approve')).toBe(whole);
        if (!whole) expect(buttonsOf(message.blocks)).toContain('plan.details');
        const squeezed = (text: string) => clean(text).replaceAll(/\s+/g, '');
        const shown = squeezed(blockText(whole ? message.blocks : modal.blocks));
        for (const step of plan.steps) {
          const { text } = step.args;
          const literal = Array.isArray(text) ? text[0] : text;
          if (typeof literal === 'string') expect(shown).toContain(squeezed(literal));
        }
        expect(shown).toContain(squeezed(plan.goal));
      }),
      { numRuns: 60 },
    );
  });

  it('shows the full summary when the title has no room for it', () => {
    const summary = `${'Look at the tickets and then '.repeat(6)}page somebody else`;
    for (const steps of [
      undefined,
      Array.from({ length: 40 }, (_, index) => ({ ...countStep, id: `c_${index}` })),
    ]) {
      const revision = revisionOf({ ...slaPlan(steps), summary });
      const card = renderCard(revision, { manifests, state: proposed });
      const modal = detailsModal(revision, manifests, { open: true });
      expect(blockText(modal.blocks)).toContain(summary);
      if (fitsCard(revision, manifests, null)) expect(blockText(card.blocks)).toContain(summary);
    }
  });

  it('is only cut between characters, even when a long text is split', () => {
    const text = `${'x'.repeat(2_799)}${'𐀀'.repeat(600)}`;
    const plan = slaPlan([countStep, slaStep, { ...pageStep, args: { service: 'ops', text } }]);
    const shown = blockText(detailsModal(revisionOf(plan), manifests, { open: true }).blocks);
    expect(shown.isWellFormed()).toBe(true);
    expect(shown.match(/𐀀/gu)).toHaveLength(600);
  });

  it('is one card with a dozen steps, and is read in the window with forty', () => {
    const dozen = revisionOf(longPlan(), { targets: [pagesAna] });
    expect(fitsCard(dozen, manifests, null)).toBe(true);
    const forty = Array.from({ length: 40 }, (_, index) => ({ ...countStep, id: `count_${index}` }));
    const revision = revisionOf(slaPlan(forty));
    expect(fitsCard(revision, manifests, null)).toBe(false);
    const message = card(revision);
    expect(blockText(message.blocks)).toContain('and 20 more steps');
    expect(blockText(message.blocks)).toContain('This plan has 40 steps and does not fit here');
    const modal = detailsModal(revision, manifests, { open: true });
    expect(modal.submit?.text).toBe('Approve and run');
    expect(readCardRef(modal.private_metadata ?? '')?.digest).toBe(revision.digest);
    expect(detailsModal(revision, manifests, { open: false }).submit).toBeUndefined();
    expect(blockText(modal.blocks)).toContain(revision.digest);
  });
});

describe('other plans for the same service', () => {
  const other = {
    requestId: 'other',
    number: 2,
    service: 'ops',
    summary: 'Page the on-call of ops',
    isRunning: true,
  };
  const shown = (besides: readonly (typeof other)[], revision = slaRevision()) =>
    withCardAddresses(
      renderCard(revision, { manifests, state: proposed, besides }),
      async () => 'https://slack.test/p1',
    );

  it('are named with their status, two at most, and counted', async () => {
    const waiting = {
      ...other,
      requestId: 'third',
      isRunning: false,
      summary: 'Page ops <!channel>'.padEnd(400, 'x'),
    };
    const message = await shown([other, waiting, { ...waiting, requestId: 'fourth' }]);
    expect(blockText((await shown([other])).blocks)).toContain(
      'Already running for ops, and only one plan runs at a time: Page the on-call',
    );
    const words = blockText(message.blocks);
    expect(words).toMatch(/3 other plans for ops were .*: Page the on-call of ops; Page ops .* and 1 more/s);
    expect(JSON.stringify(message.blocks)).toContain('https://slack.test/p1');
    expect(strictFindings(message)).toEqual([]);
    assertMessageFits(message);
  });

  it('do not matter to a read-only plan', async () => {
    const reads = revisionOf({ ...slaPlan(), steps: [countStep] });
    expect(blockText((await shown([other], reads)).blocks)).not.toContain('Another plan');
  });
});
