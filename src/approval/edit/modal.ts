import { writeCardRef } from '../../blocks/card-ref.ts';
import { actionIds, viewIds } from '../../blocks/ids.ts';
import { checkbox, option, select, textInput } from '../../blocks/inputs.ts';
import { divider, md, plain } from '../../blocks/layout.ts';
import type { Block, Modal } from '../../blocks/message.ts';
import { bold, line, rich } from '../../blocks/rich.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import { dependenciesOf } from '../../core/graph.ts';
import type { Revision } from '../../core/revision.ts';
import { type Vocabulary, vocabularyOf } from '../../core/step-words.ts';
import { mark } from '../card/step-item.ts';
import { type Manifests, type StepView, stepViews } from '../card/step-view.ts';
import { argBlock } from './arguments.ts';
import { conditionFields } from './condition.ts';
import { addedArgs, moreBlock } from './more.ts';
import { planTextBlock } from './text.ts';

export const wordsBlock = 'words';
export const maxWords = 1_000;

/** Slack allows 100; a few are left for the blocks around the steps. */
const maxBlocks = 92;

export function dropBlockId(step: string): string {
  return `drop:${step}`;
}

export interface EditAbout {
  readonly manifests: Manifests;
  readonly catalogue: Catalogue;
  /** The step shown, for a plan too large for one window. */
  readonly step?: string;
  /** Block ids of fields for arguments that the plan does not set. */
  readonly added?: readonly string[];
}

/**
 * The form that makes a new revision: a typed field for every argument and condition, a checkbox to leave a step out,
 * one field for a change in words, and the plan as text. Plans too large for one window are edited one step at a time.
 */
export function editModal(revision: Revision, about: EditAbout): Modal {
  const { sealed } = revision;
  const views = stepViews(revision, about.manifests);
  const words = vocabularyOf(sealed.plan.steps, about.manifests);
  const text = planTextBlock(sealed.plan, about.manifests);
  const forms = views.map((view) => stepForm(view, views, words, about));
  // Writes first, because people mostly change those: the threshold, the text.
  const writesFirst = [...forms.keys()].sort((a, b) => Number(isRead(views[a])) - Number(isRead(views[b])));
  const tooLarge = forms.flat().length > maxBlocks;
  const chosen = tooLarge ? views.findIndex((view) => view.step.id === about.step) : -1;
  const shown = tooLarge ? (forms[chosen] ?? []) : writesFirst.flatMap((index) => forms[index] ?? []);
  const step = views[chosen]?.step.id;
  const offered = tooLarge
    ? views.slice(chosen, chosen + 1)
    : writesFirst.flatMap((index) => views[index] ?? []);
  const more = moreBlock(offered, words, { added: about.added ?? [], numbered: views.length > 1 });
  return {
    type: 'modal',
    callback_id: viewIds.edit,
    private_metadata: writeCardRef(revision, step),
    title: plain('Edit this plan', 24),
    submit: plain('Save as new revision', 24),
    close: plain('Back', 24),
    blocks: [...wordsField(), ...(tooLarge ? [chooser(views, step)] : []), ...shown, ...more, ...text],
  };
}

function isRead(view: StepView | undefined): boolean {
  return view?.effect === 'read';
}

function wordsField(): Block[] {
  return [
    textInput({
      blockId: wordsBlock,
      label: 'Change it in words',
      placeholder: 'use P2 and post to #ops instead',
      hint: 'Or change the fields below. Nothing runs: you get a new card to approve.',
      multiline: true,
      optional: true,
      max: maxWords,
    }),
  ];
}

function chooser(views: readonly StepView[], chosen: string | undefined): Block {
  const options = views.map((view) => option(view.step.id, `${view.number}. ${oneLine(view.sentence)}`));
  return {
    type: 'section',
    block_id: 'choose_step',
    text: md`This plan is large. Which step do you want to change?`,
    accessory: select({
      action: actionIds.editStep,
      options,
      placeholder: 'Choose a step',
      ...(chosen === undefined ? {} : { value: chosen }),
    }),
  };
}

function stepForm(
  view: StepView,
  all: readonly StepView[],
  words: Vocabulary,
  { catalogue, added = [] }: EditAbout,
): Block[] {
  const { step } = view;
  const manifest = words.scope.get(step.id);
  const title = rich([line(bold(`${view.number}. `), mark(view), ` ${cut(oneLine(view.sentence), 300)}`)]);
  const bodies = new Set(view.texts.map(({ arg }) => arg));
  const names = Object.keys(step.args).sort((a, b) => Number(bodies.has(b)) - Number(bodies.has(a)));
  const more = manifest ? addedArgs(step, manifest, added) : [];
  const args = manifest
    ? [...names, ...more].map((name) => argBlock({ step, name, manifest }, words, catalogue))
    : [];
  const condition = step.when === undefined ? [] : conditionFields(step.id, step.when, words);
  // The condition first, then the text: people mostly change the threshold.
  return [divider(), title, ...condition, ...args, dropBox(view, all)];
}

function dropBox(view: StepView, all: readonly StepView[]): Block {
  const users = all.filter((other) => dependenciesOf(other.step).includes(view.step.id));
  const numbers = users.map((user) => user.number).join(' and ');
  const notes = [
    '',
    `Step ${numbers} uses this result: remove or change it too.`,
    `Steps ${numbers} use this result: remove or change them too.`,
  ];
  const note = notes[Math.min(users.length, 2)] ?? '';
  return checkbox({
    blockId: dropBlockId(view.step.id),
    label: `Remove step ${view.number}`,
    value: 'drop',
    text: 'Remove this step',
    ...(note === '' ? {} : { note }),
  });
}
