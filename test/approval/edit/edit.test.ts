import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkView } from '../../../sandbox/slack/blocks/validate.ts';
import { diffPlans } from '../../../src/approval/card/diff.ts';
import { asComparison } from '../../../src/approval/edit/condition.ts';
import { editModal } from '../../../src/approval/edit/modal.ts';
import { findingErrors, readEdit } from '../../../src/approval/edit/read.ts';
import { readReject, rejectModal } from '../../../src/approval/reject-modal.ts';
import { readCardRef } from '../../../src/blocks/card-ref.ts';
import type { FormValues } from '../../../src/blocks/form-values.ts';
import type { Modal } from '../../../src/blocks/message.ts';
import { finding } from '../../../src/core/finding.ts';
import { type Plan, type PlanDraft, planSchema } from '../../../src/core/plan.ts';
import type { Revision } from '../../../src/core/revision.ts';
import { vocabularyOf } from '../../../src/core/step-words.ts';
import { openView, submitPayload } from '../../../src/vendors/slack/payloads.ts';
import { blockText } from '../../support/block-text.ts';
import { testCatalogue } from '../../support/catalogue.ts';
import { countStep, pageStep, slaPlan, slaStep } from '../../support/plans.ts';
import { longPlan, revisionOf, slaRevision } from '../../support/revisions.ts';

const catalogue = testCatalogue();
const { manifests } = catalogue;
const about = { manifests, catalogue };

/** The values that Slack sends for a modal as it was opened, with `entries` typed or chosen by block id. */
function submitted(modal: Modal, entries: Record<string, string | string[] | null> = {}): FormValues {
  const values: Record<string, Record<string, object>> = {};
  for (const block of modal.blocks) {
    if (block.type !== 'input' || !('element' in block)) continue;
    const { element, block_id: id = '' } = block;
    const initial =
      'initial_value' in element && typeof element.initial_value === 'string' ? element.initial_value : null;
    const option = 'initial_option' in element ? (element.initial_option?.value ?? null) : null;
    const given = id in entries ? entries[id] : (initial ?? option);
    values[id] = { v: stateOf(element.type, given) };
  }
  const view = { id: 'V1', hash: 'h', type: 'modal', callback_id: modal.callback_id, state: { values } };
  const payload = { user: { id: 'U0BEN' }, team: { id: 'T0SANDBOX' }, trigger_id: 't', view };
  return new Map(Object.entries(openView(submitPayload.parse(payload).view).values));
}

function stateOf(type: string, given: string | string[] | null | undefined): object {
  if (type === 'checkboxes') {
    return { type, selected_options: (Array.isArray(given) ? given : []).map((value) => ({ value })) };
  }
  if (type === 'static_select') return { type, selected_option: given === null ? null : { value: given } };
  return { type, value: given ?? null };
}

function edit(revision: Revision, entries: Record<string, string | string[] | null>) {
  return readEdit(submitted(editModal(revision, about), entries), revision, manifests);
}

function editedPlan(revision: Revision, entries: Record<string, string | string[] | null>): Plan {
  const read = edit(revision, entries);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return planSchema.parse(read.draft);
}

function errorsOf(revision: Revision, entries: Record<string, string | string[] | null>) {
  const read = edit(revision, entries);
  return read.ok ? {} : read.errors;
}

function stepOf(plan: Plan, id: string) {
  return plan.steps.find((step) => step.id === id);
}

describe('the edit form', () => {
  it('has a typed, prefilled field for every argument and condition', () => {
    const modal = editModal(slaRevision(), about);
    expect(checkView(JSON.parse(JSON.stringify(modal)), { surface: 'modal' })).toEqual([]);
    const types = Object.fromEntries(
      modal.blocks.flatMap((block) =>
        block.type === 'input' && 'element' in block ? [[block.block_id ?? '', block.element.type]] : [],
      ),
    );
    expect(types).toEqual({
      words: 'plain_text_input',
      plan_text: 'plain_text_input',
      'arg:count:project': 'static_select',
      'arg:count:priority': 'static_select',
      'arg:count:status': 'plain_text_input',
      'drop:count': 'checkboxes',
      'arg:sla:project': 'static_select',
      'arg:sla:priority': 'static_select',
      'drop:sla': 'checkboxes',
      'arg:page:service': 'static_select',
      'arg:page:text': 'plain_text_input',
      'if:page:op': 'static_select',
      'if:page:to': 'plain_text_input',
      'drop:page': 'checkboxes',
    });
    const text = blockText(modal.blocks);
    expect(text).toContain('{count.total} stands for open P1 tickets in OPS');
    expect(text).toContain('Only if open P1 tickets in OPS');
    expect(text).toContain('Step 3 uses this result');
    const both = [countStep, slaStep, pageStep, { ...pageStep, id: 'again' }];
    const twice = blockText(editModal(revisionOf(slaPlan(both)), about).blocks);
    expect(twice).toContain('Steps 3 and 4 use this result');
    expect(readCardRef(modal.private_metadata ?? '')).toMatchObject({ requestId: 'req-1', number: 1 });
  });

  it('rejects a submission without changes', () => {
    const long = revisionOf(longPlan());
    for (const revision of [slaRevision(), long]) {
      expect(edit(revision, {})).toEqual({ ok: false, errors: { words: 'You haven’t changed anything.' } });
    }
  });

  it('changes a threshold to a number, and back to a field of another step', () => {
    const number = editedPlan(slaRevision(), { 'if:page:to': '20' });
    expect(stepOf(number, 'page')).toMatchObject({ when: 'count.total > 20', needs: ['count', 'sla'] });
    const lowered = editedPlan(slaRevision(), { 'if:page:op': '>=', 'if:page:to': '1,500' });
    expect(stepOf(lowered, 'page')?.when).toBe('count.total >= 1500');
    const back = editedPlan(revisionOf(number), { 'if:page:to': 'sla.max_open' });
    expect(stepOf(back, 'page')?.when).toBe('count.total > sla.max_open');
    expect(back.summary).toBe(number.summary);
    const always = editedPlan(slaRevision(), { 'if:page:op': 'always' });
    expect(stepOf(always, 'page')?.when).toBeUndefined();
  });

  it('keeps references in a text while the words around them change', () => {
    const text = 'Please look: {count.total} open, {sla.max_open} allowed {see docs}';
    const plan = editedPlan(slaRevision(), { 'arg:page:text': text });
    expect(stepOf(plan, 'page')?.args.text).toEqual([
      'Please look: ',
      { ref: 'count.total' },
      ' open, ',
      { ref: 'sla.max_open' },
      ' allowed {see docs}',
    ]);
    expect(errorsOf(slaRevision(), { 'arg:page:text': '{count.totl}' })['arg:page:text']).toContain(
      'count.total',
    );
  });

  it('reports an error at its field', () => {
    const revision = slaRevision();
    expect(errorsOf(revision, { 'if:page:to': 'a lot' })).toEqual({
      'if:page:to': 'Write a number, or step.field.',
    });
    expect(errorsOf(revision, { 'if:page:to': '20 || true' })).toHaveProperty(['if:page:to']);
    expect(errorsOf(revision, { 'if:page:to': 'count.jql' })['if:page:to']).toContain('cannot be used');
    expect(errorsOf(revision, { 'if:page:to': 'page.state' })['if:page:to']).toContain('cannot be used');
    expect(errorsOf(revision, { 'arg:page:text': '  ' })).toEqual({ 'arg:page:text': 'This is required.' });
    expect(errorsOf(revision, { 'arg:count:priority': 'P9' })['arg:count:priority']).toContain('P1 to P5');
    expect(errorsOf(revision, { words: 'x'.repeat(1_001) })).toEqual({
      words: 'Please shorten this.',
    });
    const search = { ...countStep, tool: 'jira.search', args: { project: 'OPS', limit: 5 } };
    const list = revisionOf(slaPlan([search]));
    expect(errorsOf(list, { 'arg:count:limit': '1001' })).toHaveProperty(['arg:count:limit']);
    expect(stepOf(editedPlan(list, { 'arg:count:limit': '7' }), 'count')?.args.limit).toBe(7);
  });

  it('drops emptied optional arguments, and marks corrected guesses as asked for', () => {
    const plan = editedPlan(slaRevision(), {
      'arg:count:status': null,
      'arg:count:project': 'PAY',
      'arg:count:priority': 'P2',
    });
    expect(stepOf(plan, 'count')?.args).toEqual({ project: 'PAY', priority: 'P2' });
    expect(plan.inputs).toEqual([
      { name: 'project', value: 'PAY', source: 'asked' },
      { name: 'priority', value: 'P2', source: 'asked' },
    ]);
  });

  it('drops a step with whatever only it needed, but never one whose result is used', () => {
    const drop = ['drop'];
    expect(errorsOf(slaRevision(), { 'drop:sla': drop })).toEqual({
      'drop:sla': 'Step 3 uses its result. Leave that out, too, or keep this one.',
    });
    const withoutPage = editedPlan(slaRevision(), { 'drop:page': drop });
    expect(withoutPage.steps.map((step) => step.id)).toEqual(['count', 'sla']);
    const all = { 'drop:count': drop, 'drop:sla': drop, 'drop:page': drop };
    expect(errorsOf(slaRevision(), all)['drop:page']).toContain('Reject the plan instead');

    const criteria = revisionOf({
      ...slaPlan([
        countStep,
        { ...slaStep, needs: ['count'], success: ['sla.max_open > count.total', 'words: fine'] },
      ]),
      success: ['count.total >= 0', 'sla.max_open > 0'],
    });
    const plan = editedPlan(criteria, { 'drop:count': drop });
    expect(plan.steps).toEqual([expect.objectContaining({ id: 'sla', needs: [], success: ['words: fine'] })]);
    expect(plan.success).toEqual(['sla.max_open > 0']);
  });

  it('accepts a change in words, alone or with the fields', () => {
    expect(edit(slaRevision(), { words: ' use P2 \u202e ' })).toMatchObject({
      ok: true,
      changed: null,
      words: 'use P2',
      draft: slaRevision().sealed.plan,
    });
    const both = edit(slaRevision(), { words: 'post to #ops', 'if:page:to': '5' });
    expect(both).toMatchObject({ ok: true, changed: 'fields', words: 'post to #ops' });
  });

  it('accepts the plan as text, and reports errors there with their line', () => {
    const revision = slaRevision();
    const field = editModal(revision, about).blocks.find((block) => block.block_id === 'plan_text');
    const text =
      field && 'element' in field && 'initial_value' in field.element ? field.element.initial_value : '';
    if (typeof text !== 'string') throw new Error('the plan is there as text');
    const plan = editedPlan(revision, {
      plan_text: text
        .replaceAll('project=OPS priority=P1', 'project=OPS priority=P2')
        .replace('default: project=OPS priority=P2', 'default: project=OPS priority=P1')
        .replace('when count.total >', 'seen = jira.search project=OPS\nwhen count.total + seen.total ≥'),
    });
    expect(plan.goal).toBe(revision.sealed.plan.goal);
    expect(plan.steps.map(({ id }) => id)).toEqual(['count', 'sla', 'seen', 'page']);
    expect(stepOf(plan, 'page')).toMatchObject({ when: 'count.total + seen.total >= sla.max_open' });
    expect(plan.inputs).toContainEqual({ name: 'priority', value: 'P2', source: 'asked' });

    const wrong = text.replace('jira.count', 'jira.cnt').replace('service=ops', 'servce=ops');
    const { plan_text: message } = errorsOf(revision, { plan_text: wrong });
    expect(message).toMatch(
      /^Line \d: No tool `jira.cnt`. Did you mean `jira.count`\? Line \d: .*`service`\?$/,
    );
    expect(errorsOf(revision, { plan_text: null }).plan_text).toContain('Reject the plan instead');
    expect(errorsOf(revision, { plan_text: text.replace('P1', 'P2'), 'if:page:to': '9' })).toEqual({
      plan_text: 'Change the fields or the text, not both.',
    });
    const findings = [finding('unknown_target', 'page', 'args.service', 'nobody knows ops2')];
    expect(findingErrors(findings, submitted(editModal(revision, about)), 'text')).toEqual({
      plan_text: 'Step page: nobody knows ops2',
    });

    const long = revisionOf(
      slaPlan([{ ...countStep, why: 'x'.repeat(299), args: { text: 'y'.repeat(190) } }]),
    );
    expect(JSON.stringify(editModal(long, about))).toContain('plan_text');
    const many = Array.from({ length: 7 }, (_, index) => ({
      ...countStep,
      id: `c${index}`,
      why: 'z'.repeat(299),
      args: { text: 'y'.repeat(190) },
    }));
    expect(JSON.stringify(editModal(revisionOf(slaPlan(many)), about))).not.toContain('plan_text');
  });

  it('keeps what no field can hold: references as targets, and texts too long or like references', () => {
    const plan = slaPlan([
      { ...countStep, tool: 'jira.search', args: { project: 'OPS' } },
      {
        id: 'tell',
        tool: 'jira.comment',
        why: 'x',
        args: { key: { ref: 'count.first' }, text: 'a literal {count.total}' },
        needs: ['count'],
      },
    ]);
    const modal = editModal(revisionOf(plan), about);
    const text = blockText(modal.blocks);
    expect(text).toContain('Key: the first ticket in OPS (from step count; change it in words)');
    expect(text).toContain('Text: stays as it is (change it in words)');
    const edited = editedPlan(revisionOf(plan), { 'arg:count:project': 'PAY' });
    expect(stepOf(edited, 'tell')?.args).toEqual({
      key: { ref: 'count.first' },
      text: 'a literal {count.total}',
    });
  });

  it('offers unset arguments in one menu; a chosen one gets a field and is set when filled', () => {
    const revision = slaRevision();
    const modal = editModal(revision, about);
    const menu = modal.blocks.find(({ block_id: id }) => id === 'more:0');
    expect(JSON.stringify(menu)).toContain(
      '{"value":"arg:page:urgency","text":{"type":"plain_text","text":"3. Urgency"',
    );
    expect(JSON.stringify(menu)).not.toContain('arg:page:service');
    expect(modal.blocks.some(({ block_id: id }) => id === 'arg:page:urgency')).toBe(false);

    const added = [...submitted(modal).keys(), 'arg:page:urgency', 'arg:count:label', 'arg:page:nonsense'];
    const form = editModal(revision, { ...about, added });
    expect(checkView(JSON.parse(JSON.stringify(form)), { surface: 'modal' })).toEqual([]);
    const ids = form.blocks.map(({ block_id: id }) => id);
    expect(ids).toContain('arg:page:urgency');
    expect(ids).not.toContain('arg:page:nonsense');
    expect(ids).not.toContain('more:0');
    const left = form.blocks.find(({ block_id: id }) => id?.startsWith('more:') === true);
    expect(JSON.stringify(left)).not.toContain('arg:page:urgency');

    const filled = readEdit(submitted(form, { 'arg:page:urgency': 'low' }), revision, manifests);
    if (!filled.ok) throw new Error('not read');
    const plan = planSchema.parse(filled.draft);
    expect(stepOf(plan, 'page')?.args).toMatchObject({ urgency: 'low' });
    expect(stepOf(plan, 'count')?.args).not.toHaveProperty('label');
    expect(readEdit(submitted(form), revision, manifests).ok).toBe(false);
    const wrong = readEdit(submitted(form, { 'arg:page:urgency': 'loud' }), revision, manifests);
    expect(wrong.ok ? {} : wrong.errors).toHaveProperty('arg:page:urgency');
  });

  it('asks for the step first when the plan is too large for one window', () => {
    const forty: PlanDraft['steps'] = [
      countStep,
      slaStep,
      ...Array.from({ length: 38 }, (_, index) => ({ ...pageStep, id: `page_${index}` })),
    ];
    const revision = revisionOf(slaPlan(forty));
    const first = editModal(revision, about);
    expect(first.blocks.length).toBeLessThan(10);
    expect(checkView(JSON.parse(JSON.stringify(first)), { surface: 'modal' })).toEqual([]);
    expect(JSON.stringify(first.blocks)).toContain('plan.edit.step');
    const one = editModal(revision, { ...about, step: 'page_7' });
    expect(checkView(JSON.parse(JSON.stringify(one)), { surface: 'modal' })).toEqual([]);
    expect(readCardRef(one.private_metadata ?? '')?.step).toBe('page_7');
    const read = readEdit(submitted(one, { 'if:page_7:to': '9' }), revision, manifests);
    if (!read.ok) throw new Error('not read');
    const plan = planSchema.parse(read.draft);
    expect(plan.steps.filter((step) => step.when === 'count.total > 9').map((step) => step.id)).toEqual([
      'page_7',
    ]);
  });

  it('shows a review finding at its field, and any other at the words', () => {
    const values = submitted(editModal(slaRevision(), about));
    const errors = findingErrors(
      [
        finding('unknown_target', 'page', 'args.service', 'nobody knows ops2'),
        finding('condition', 'page', 'when', 'is not a condition'),
        finding('cap', null, 'steps', 'too many'),
        finding('flow', 'page', 'tool', 'not there'),
      ],
      values,
    );
    expect(errors).toEqual({
      'arg:page:service': 'nobody knows ops2',
      'if:page:to': 'is not a condition',
      words: 'too many Step page: not there',
    });
  });

  it('parses simple comparisons and leaves every other condition as text', () => {
    const words = vocabularyOf(planSchema.parse(slaPlan()).steps, manifests);
    expect(asComparison('count.total > sla.max_open', words)).toEqual({
      left: 'count.total',
      operator: '>',
      right: 'sla.max_open',
    });
    expect(asComparison('count.total >= -5', words)?.right).toBe('-5');
    expect(asComparison('page.state == "triggered"', words)?.right).toBe('triggered');
    for (const more of [
      'count.total > 1 && sla.max_open > 1',
      'count.total + 1 > 5',
      '!count.approximate',
      '(((',
    ]) {
      expect(asComparison(more, words), more).toBeNull();
    }
    const both = revisionOf(
      slaPlan([countStep, slaStep, { ...pageStep, when: 'count.total > 1 && sla.max_open > 1' }]),
    );
    const plan = editedPlan(both, { 'if:page:cel': 'count.total > 2 || sla.max_open < 1' });
    expect(stepOf(plan, 'page')?.when).toBe('count.total > 2 || sla.max_open < 1');
    expect(stepOf(editedPlan(both, { 'if:page:cel': null }), 'page')?.when).toBeUndefined();
    expect(errorsOf(both, { 'if:page:cel': 'count.jql.matches("(a+)+")' })).toHaveProperty(['if:page:cel']);
  });

  it('opens with the longest conditions that a plan may have', () => {
    const word = `"${'x'.repeat(240)}"`;
    for (const when of [`page.state == ${word}`, `count.total > 1 && page.state != ${word}`]) {
      const revision = revisionOf(slaPlan([countStep, slaStep, { ...pageStep, when }]));
      const view = JSON.parse(JSON.stringify(editModal(revision, about)));
      expect(checkView(view, { surface: 'modal' })).toEqual([]);
    }
  });

  it('round-trips any text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), (typed) => {
        const text = `x${typed}`.normalize('NFC').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
        const draft = slaPlan([countStep, slaStep, { ...pageStep, args: { service: 'ops', text } }]);
        const revision = revisionOf(draft);
        const plan = editedPlan(revision, { 'arg:page:service': 'payments-api' });
        expect(stepOf(plan, 'page')?.args).toEqual({ service: 'payments-api', text });
      }),
    );
  });
});

describe('the difference between two revisions', () => {
  const before = planSchema.parse(slaPlan());

  it('is described in plain words, one line each', () => {
    const after = planSchema.parse({
      ...slaPlan([
        { ...countStep, args: { project: 'OPS', priority: 'P2' } },
        { ...pageStep, when: 'count.total > 20', onError: 'continue', needs: ['count'] },
        { id: 'post', tool: 'slack.post', why: 'x', args: { channel: '#ops', text: 'hello' } },
      ]),
      success: ['count.total >= 0'],
    });
    expect(diffPlans(before, after, manifests)).toEqual([
      'Step 1: priority P1 → P2',
      'Step 1: status open was removed',
      'Step 2: only if open P1 tickets in OPS > the SLA limit for P1 in OPS → only if there are more than 20 P2 tickets in OPS',
      'Step 2: if it fails, the rest now continues',
      'Step 2: now waits for step 1',
      'Step 3 added: Post to #ops: “hello”',
      'Left out: Look up the SLA limit for P1 in OPS',
      'At the end: now P2 tickets in OPS ≥ 0',
    ]);
  });

  it('is empty without changes, and includes a new order, tool or text', () => {
    expect(diffPlans(before, before, manifests)).toEqual([]);
    const swapped = planSchema.parse(slaPlan([slaStep, countStep, pageStep]));
    expect(diffPlans(before, swapped, manifests)).toEqual(['The order of the steps has changed']);
    const other = planSchema.parse(slaPlan([{ ...countStep, tool: 'jira.search' }, slaStep, pageStep]));
    expect(diffPlans(before, other, manifests)).toContain('Step 1 is now: List open P1 tickets in OPS');
    const always = planSchema.parse(slaPlan([countStep, slaStep, { ...pageStep, when: undefined }]));
    expect(diffPlans(before, always, manifests)[0]).toContain('Step 3: now always; it was only if');
    expect(diffPlans(always, before, manifests)[0]).toContain('Step 3: now only if');
  });
});

describe('the reason for a rejection', () => {
  it('is required, limited in length and cleaned', () => {
    const modal = rejectModal(slaRevision());
    expect(checkView(JSON.parse(JSON.stringify(modal)), { surface: 'modal' })).toEqual([]);
    expect(readReject(submitted(modal, { reason: ' OPS is\n being \u202emigrated ' }))).toEqual({
      ok: true,
      reason: 'OPS is being migrated',
    });
    expect(readReject(submitted(modal, { reason: ' \n ' }))).toEqual({
      ok: false,
      errors: { reason: 'Give a short reason.' },
    });
    const long = readReject(submitted(modal, { reason: 'x'.repeat(900) }));
    expect(long.ok && long.reason.length).toBe(500);
  });
});
