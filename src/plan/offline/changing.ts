import { canonicalJson } from '../../core/canonical.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan, Step } from '../../core/plan.ts';
import type { Vocabulary } from '../../core/words.ts';
import type { Frame } from './frame.ts';
import { fillFrame } from './frames.ts';
import { argsThatTake, takesOf } from './takes.ts';
import { is, type Text } from './text.ts';

/** A change while its words are read. */
export interface Change {
  readonly plan: Plan;
  /** The plan before the change, for its words. */
  readonly words: Vocabulary;
  readonly text: Text;
  /** Reads other words as those of the change were read. */
  readonly read: (words: string) => Text;
  /** Without what was made of the steps. */
  steps: readonly Step[];
  success: readonly string[];
  /** Ids of steps that the words take out: an order that is added stands in their place. */
  readonly gone: Set<string>;
  /** Values that are to go, unless another one comes in their place. */
  readonly dropped: { readonly arg: string; readonly value: string }[];
  /** Words that nothing in the plan takes. */
  readonly left: number[];
  /** Guesses that the change brings. */
  readonly notes: string[];
  ask: string | null;
}

export const toolOf = ({ text }: Change, { tool }: Step): Manifest | undefined =>
  text.lexicon.tools.get(tool);
export const isWrite = (change: Change, step: Step): boolean => toolOf(change, step)?.effect === 'write';
export const staying = ({ steps, gone }: Change): Step[] => steps.filter(({ id }) => !gone.has(id));
export const writesOf = (change: Change): Step[] => staying(change).filter((step) => isWrite(change, step));

/** Words that only say that something changes, or point to what is there. */
export const isSilent = (text: Text, at: number): boolean =>
  is(text, at, 'empty', 'changing', 'adding', 'only', 'instead', 'pronoun', 'result', 'mends', 'and', 'undo');

/** What the words say of one tool of the plan. */
export interface Heard {
  readonly frame: Frame;
  readonly tool: Manifest;
  readonly slots: ReadonlyMap<string, readonly string[]>;
  /** Words that it does not take. */
  readonly left: readonly number[];
}

/** Whether a word names what a tool does. */
export const isAct = (text: Text, at: number, tool: string): boolean =>
  is(text, at, `verb ${tool}`, `noun ${tool}`, `also ${tool}`);

/** The words as each tool of the plan hears them. A text is only what is quoted, or what a word such as "titled" or a colon begins. */
export function heardBy(change: Change, span: readonly number[]): Heard[] {
  const { text } = change;
  const tools = new Set(staying(change).flatMap((step) => toolOf(change, step) ?? []));
  return [...tools].map((tool) => {
    const frame = fillFrame(text, tool, span);
    const first = Math.min(...frame.spoken);
    const isTold = span.some((at) => at < first && is(text, at, 'telling') && !is(text, at, 'about'));
    const guessed = isTold ? [] : [...frame.spoken];
    const texts = guessed.length > 0 ? argsThatTake(tool, 'message') : [];
    const isTaken = (at: number): boolean =>
      isSilent(text, at) || isAct(text, at, tool.name) || is(text, at, `cue ${tool.name}`);
    return {
      ...{ frame, tool, slots: new Map([...frame.slots].filter(([arg]) => !texts.includes(arg))) },
      left: [...frame.left, ...guessed].filter((at) => !isTaken(at)),
    };
  });
}

/** The argument of a step in whose place a value of this argument comes: a person instead of a channel, a day instead of a duration. */
export function placeOf(tool: Manifest, { args }: Step, arg: string): string | undefined {
  const groups = [...tool.exactlyOne, ['window', 'since']];
  const group = groups.find((one) => one.includes(arg)) ?? [arg];
  return group.find((one) => one in args);
}

/** A step with a value in the place of what was there, wherever it stands in the step. */
export function withValue(tool: Manifest, step: Step, arg: string, said: string): Step {
  const value = takesOf(tool, arg) === 'number' ? Number(said) : said;
  const { [placeOf(tool, step, arg) ?? arg]: old, ...others } = step.args;
  const args = Object.entries(others).map(([name, one]) => [name, one === old ? value : one]);
  return { ...step, args: { ...Object.fromEntries(args), [arg]: value } };
}

/** An id that no step has. */
export function freshId(steps: readonly Step[], base: string): string {
  const plain = base.replace(/_\d+$/u, '').slice(0, 28);
  let id = base;
  for (let count = 2; steps.some((step) => step.id === id); count += 1) id = `${plain}_${count}`;
  return id;
}

/** Whether a step looks at the results of another one. */
export const uses = ({ args, when }: Pick<Step, 'args' | 'when'>, id: string): boolean =>
  new RegExp(`(?<![\\w.])${id}\\.`, 'u').test(JSON.stringify([args, when ?? '']));

/** A step with the ids that others have now. */
export function renamed(step: Step, ids: ReadonlyMap<string, string>): Step {
  const own = (id: string): string => ids.get(id) ?? id;
  const inText = (words: string): string => words.replace(/(?<![\w.])[a-z]\w*(?=\.[a-z])/gu, own);
  const mend = (key: string, value: unknown): unknown =>
    (key === 'ref' || key === 'when') && typeof value === 'string' ? inText(value) : value;
  const next = JSON.parse(JSON.stringify(step, mend)) as Step;
  return { ...next, id: own(step.id), needs: [...new Set(step.needs.map(own))] };
}

/**
 * The look-ups and orders of another plan that are not here yet, with ids of their own, and what the ids of all of them are
 * here. A look-up that is here already stays the same.
 */
export function adopt(
  change: Change,
  fresh: readonly Step[],
): { readonly made: readonly Step[]; readonly ids: ReadonlyMap<string, string> } {
  const ids = new Map<string, string>();
  const made: Step[] = [];
  for (const one of fresh) {
    const { tool, args } = renamed(one, ids);
    const same = staying(change).find(
      (step) =>
        step.tool === tool && !isWrite(change, step) && canonicalJson(step.args) === canonicalJson(args),
    );
    ids.set(one.id, same?.id ?? freshId([...change.steps, ...made], one.id));
    if (same === undefined) made.push(renamed(one, ids));
  }
  return { made, ids };
}
