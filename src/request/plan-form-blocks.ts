import { z } from 'zod';
import type { FormValues } from '../blocks/form-values.ts';
import { actionIds, viewIds } from '../blocks/ids.ts';
import { numberInput, option, select, selectInput, textInput } from '../blocks/inputs.ts';
import { divider, md, plain } from '../blocks/layout.ts';
import type { Block, Modal } from '../blocks/message.ts';
import { bold, line, rich } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { parseJson } from '../core/json.ts';
import { planLimits } from '../core/plan.ts';

/** An input of a ready-made plan, as a form field. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'number' | 'choice';
  /** For a choice. */
  readonly options: readonly string[];
  readonly value: string;
  /** The problem with a value, or null. */
  readonly check: (value: string) => string | null;
}

/** A ready-made plan offered by the form. */
export interface ReadyMade {
  readonly name: string;
  readonly summary: string;
  readonly fields: readonly Field[];
}

/** The form for `/plan` without words: a goal in words, an earlier one, or a ready-made plan with its inputs. */
export function askForm(of: {
  readonly channel: string;
  readonly playbooks: readonly ReadyMade[];
  readonly chosen: ReadyMade | null;
  readonly recent: readonly { readonly id: string; readonly goal: string }[];
}): Modal {
  const { channel, playbooks, chosen, recent } = of;
  const blocks: Block[] = [
    textInput({
      blockId: goalBlock,
      label: 'What do you want to know or have done?',
      placeholder: 'Check open P1 tickets in OPS against the SLA and page on-call if breached',
      hint: 'You see the plan first. Nothing is written without approval.',
      multiline: true,
      optional: true,
      max: planLimits.goal,
    }),
    ...(recent.length === 0 ? [] : [recentField(recent)]),
    divider(),
    ...(playbooks.length === 0 ? [] : [chooser(playbooks, chosen)]),
    ...(chosen === null
      ? []
      : [rich([line(bold(cut(oneLine(chosen.summary), 200)))]), ...chosen.fields.map(fieldOf)]),
  ];
  return {
    type: 'modal',
    callback_id: viewIds.ask,
    private_metadata: JSON.stringify({ c: channel, p: chosen?.name ?? null }),
    title: plain('Ask for a plan', 24),
    submit: plain('Plan it', 24),
    close: plain('Close', 24),
    blocks,
  };
}

const goalBlock = 'goal';
const recentBlock = 'recent';
const inputBlock = (name: string): string => `in:${name}`;

function recentField(recent: readonly { readonly id: string; readonly goal: string }[]): Block {
  return selectInput({
    blockId: recentBlock,
    label: 'Or what you asked for before',
    optional: true,
    options: recent.map(({ id, goal }) => option(id, oneLine(goal))),
  });
}

function chooser(playbooks: readonly ReadyMade[], chosen: ReadyMade | null): Block {
  return {
    type: 'section',
    block_id: 'choose_playbook',
    text: md`Or a ready-made plan:`,
    accessory: select({
      action: actionIds.askPlaybook,
      options: playbooks.map(({ name }) => option(name)),
      placeholder: 'Choose a plan',
      ...(chosen === null ? {} : { value: chosen.name }),
    }),
  };
}

function fieldOf({ name, label, kind, options, value }: Field): Block {
  const of = { blockId: inputBlock(name), label, value };
  if (kind === 'choice') return selectInput({ ...of, options: options.map((each) => option(each)) });
  return kind === 'number' ? numberInput({ ...of, decimal: true }) : textInput({ ...of, max: 300 });
}

const metadataSchema = z.strictObject({ c: z.string().max(40), p: z.string().max(80).nullable() });

/** The channel of the form and the chosen plan; null for metadata we did not write. */
export function readAskPlace(metadata: string): { channel: string; playbook: string | null } | null {
  const parsed = metadataSchema.safeParse(parseJson(metadata));
  return parsed.success ? { channel: parsed.data.c, playbook: parsed.data.p } : null;
}

/** The request in a filled form, or the errors by field. */
export type Asked =
  | { readonly kind: 'words'; readonly words: string }
  | { readonly kind: 'again'; readonly requestId: string }
  | { readonly kind: 'playbook'; readonly values: ReadonlyMap<string, string> }
  | { readonly kind: 'wrong'; readonly errors: Readonly<Record<string, string>> };

export function readAskForm(values: FormValues, chosen: ReadyMade | null): Asked {
  const words = textAt(values, goalBlock);
  const again = textAt(values, recentBlock);
  const said = [words, again, chosen?.name ?? ''].filter((one) => one !== '').length;
  const wrong = (message: string): Asked => ({ kind: 'wrong', errors: { [goalBlock]: message } });
  if (said === 0) return wrong('Say what you want, or choose something below.');
  if (said > 1) return wrong('Pick one: your own words, an earlier request, or a ready-made plan.');
  if (words !== '') return { kind: 'words', words };
  if (again !== '') return { kind: 'again', requestId: again };
  const given = new Map(
    (chosen?.fields ?? []).map((field) => [field.name, textAt(values, inputBlock(field.name))]),
  );
  const problems = (chosen?.fields ?? []).flatMap((field) => {
    const problem = field.check(given.get(field.name) ?? '');
    return problem === null ? [] : [[inputBlock(field.name), problem] as const];
  });
  if (problems.length > 0) return { kind: 'wrong', errors: Object.fromEntries(problems) };
  return { kind: 'playbook', values: given };
}

function textAt(values: FormValues, block: string): string {
  const value = values.get(block);
  return typeof value === 'string' ? value.trim() : '';
}
