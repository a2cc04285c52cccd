import type { RichTextBlockElement } from '@slack/types';
import { askedBy, cardFacts } from '../../blocks/card-frame.ts';
import { writeCardRef } from '../../blocks/card-ref.ts';
import { codeElements } from '../../blocks/code-block.ts';
import type { FormValues } from '../../blocks/form-values.ts';
import { viewIds } from '../../blocks/ids.ts';
import { checkbox } from '../../blocks/inputs.ts';
import { header, plain } from '../../blocks/layout.ts';
import { limits } from '../../blocks/limits.ts';
import type { Block, Modal } from '../../blocks/message.ts';
import { causeNotes, criterionNotes, omissionNotes } from '../../blocks/plan-notes.ts';
import { bold, bullets, code, line, lines, quote, rich, type Span } from '../../blocks/rich.ts';
import type { Facts } from '../../core/read-results.ts';
import type { Revision } from '../../core/revision.ts';
import { argText, vocabularyOf } from '../../core/step-words.ts';
import { type FactsView, factsView } from './read-results.ts';
import { mark } from './step-item.ts';
import { type Manifests, type StepView, stepViews } from './step-view.ts';

/** Block of the checkbox required before approving a long plan. */
const readAllBlock = 'read_all';

/** The error for an unticked checkbox; null if it is ticked. */
export function unreadErrors(values: FormValues): Readonly<Record<string, string>> | null {
  const ticked = values.get(readAllBlock);
  if (Array.isArray(ticked) && ticked.includes('yes')) return null;
  return { [readAllBlock]: 'Tick this once you have read the plan.' };
}

/** Length of rich text that Slack reliably accepts in one piece. */
const piece = 2_800;

/**
 * Everything a revision covers, nothing cut. Where the card is too small for the plan this is the only place to approve
 * it: the person submitting it has had all of it before them, and the digest comes back in its metadata.
 */
export function detailsModal(
  revision: Revision,
  manifests: Manifests,
  options: { readonly open: boolean; readonly facts?: Facts | null },
): Modal {
  const { sealed, digest } = revision;
  const steps = stepViews(revision, manifests);
  const facts = options.facts ? factsView(revision, options.facts, manifests) : null;
  const last = checkbox({
    blockId: readAllBlock,
    label: 'To approve',
    value: 'yes',
    text: 'I have read all of this plan',
  });
  const blocks: Block[] = [
    header(sealed.plan.summary),
    rich([line(...askedBy(revision), ':'), ...long(sealed.plan.goal)]),
    ...packed(steps, facts),
    ...beside(revision, manifests),
    cardFacts(revision, options),
    rich([line('Full digest: ', code(digest))]),
    ...(options.open ? [{ ...last, optional: false }] : []),
  ];
  return {
    type: 'modal',
    callback_id: viewIds.details,
    private_metadata: writeCardRef(revision),
    title: plain('The whole plan', 24),
    close: plain('Back', 24),
    ...(options.open ? { submit: plain('Approve and run', 24) } : {}),
    blocks,
  };
}

/** Text of any length, split into quotes that Slack accepts. */
function long(text: string): RichTextBlockElement[] {
  const found: RichTextBlockElement[] = [];
  for (let at = 0; at < text.length; ) {
    // A character outside the basic plane is two units, and must not be split.
    const splits = /[\ud800-\udbff]$/.test(text.slice(at, at + piece)) && at + piece < text.length;
    const end = at + piece - (splits ? 1 : 0);
    found.push(quote(text.slice(at, end)));
    at = end;
  }
  return found;
}

/**
 * One block per step, with every argument under its own name, so that nothing hides in a sentence. What a write sends
 * is shown as it will be sent, and then how the plan makes it.
 */
function packed(steps: readonly StepView[], facts: FactsView | null): Block[] {
  return steps.map((step) => {
    const args = Object.entries(step.step.args).flatMap(([name, value]) => {
      const text = argText(value) || '(empty)';
      const sent = step.effect === 'write' ? (facts?.textOf(step.step.id, name) ?? text) : text;
      return sent === text
        ? [{ name, text }]
        : [
            { name, text: sent },
            { name: `${name} in the plan`, text },
          ];
    });
    const isShort = ({ text }: { text: string }) => text.length <= 80 && !text.includes('\n');
    const rows = [
      ...stepRows(step),
      ...args.filter(isShort).map(({ name, text }) => [`${name}: `, bold(text)]),
    ];
    const texts = args.filter((arg) => !isShort(arg));
    return rich([
      lines(rows),
      ...texts.flatMap(({ name, text }) => [line(`${name}:`), ...long(text)]),
      ...codeElements(step.step),
    ]);
  });
}

function stepRows(step: StepView): Span[][] {
  const rows: Span[][] = [[bold(`${step.number}. `), mark(step), ` ${step.step.tool} (${step.step.id})`]];
  if (step.condition !== null) {
    rows.push([bold('only if '), step.condition], ['condition: ', code(step.step.when ?? '')]);
  }
  for (const target of step.targets) rows.push([`→ ${target.label}`]);
  if (step.after.length > 0) rows.push([`after ${step.after.join(', ')}`]);
  for (const flag of step.flags) rows.push([flag]);
  rows.push(['why: ', step.why]);
  if (step.success !== null) rows.push([step.success]);
  if (step.undo !== null) rows.push(['to undo: ', step.undo]);
  return rows;
}

function beside({ sealed }: Revision, manifests: Manifests): Block[] {
  const { plan } = sealed;
  const words = vocabularyOf(plan.steps, manifests, sealed.targets);
  const sources = { text: 'from the goal', default: 'guessed, a default', asked: 'answered' } as const;
  const rows = [
    ...(plan.summary.length > limits.header ? [`In full: ${plan.summary}`] : []),
    ...plan.inputs.map((input) => `${input.name}: ${input.value} (${sources[input.source]})`),
    ...plan.assumptions.map((assumption) => `Assumption: ${assumption}`),
    ...omissionNotes(plan),
    ...criterionNotes(sealed, words),
    ...causeNotes(plan, words),
    ...sealed.notes,
  ];
  return rows.length === 0 ? [] : [rich([bullets(rows.map((row) => line(row)))])];
}
