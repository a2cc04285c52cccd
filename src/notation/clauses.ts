import { codeTool } from '../core/code.ts';
import { planLimits, stepIdPattern } from '../core/plan.ts';
import { suggest } from '../core/suggest.ts';
import { type RawCode, takeCode } from './code.ts';
import { takeCondition } from './conditions.ts';
import {
  ahead,
  type Cursor,
  isClauseEnd,
  type Line,
  skipBlanks,
  skipClause,
  take,
  takeLine,
  takeRaw,
  type Word,
} from './cursor.ts';
import { inCode, type Problems } from './problems.ts';
import { type RawArg, takeArgs } from './raw-args.ts';

export const planKeys = [
  'goal',
  'summary',
  'input',
  'default',
  'asked',
  'assuming',
  'omitted',
  'success',
  'situation',
  'cause',
  'idea',
  'watch',
] as const;
export const stepKeys = ['why', 'after', 'on error', 'on skip', 'expect', 'verify', 'one of'] as const;
export type PlanKey = (typeof planKeys)[number];
export type StepKey = (typeof stepKeys)[number];

/** The `why:` lines and the like, in text order. */
export interface Said<Key> {
  readonly key: Key;
  readonly line: Line;
  /** The key itself, for problems. */
  readonly word: Word;
}

/** One step as written; no name in it has been looked up. */
export interface RawStep {
  readonly id: Word | null;
  readonly when: Line | null;
  /** `for each list.keys as item`: the list, and the name of an entry. */
  readonly each: { readonly list: Word; readonly name: Word } | null;
  readonly tool: Word;
  readonly args: readonly RawArg[];
  /** For a step of code. */
  readonly code: RawCode | null;
  /** False when some of its arguments could not be read. */
  readonly isWhole: boolean;
  readonly said: Said<StepKey>[];
}

export interface RawPlan {
  readonly said: readonly Said<PlanKey>[];
  readonly steps: readonly RawStep[];
  /** False when some step could not be read at all. */
  readonly isWhole: boolean;
}

/** A plan pasted as code is the same plan; fences become blanks, so that positions stay right. */
function withoutFences(text: string): string {
  const [fence = ''] = /^\s*(?:```|`)/.exec(text) ?? [];
  if (fence === '') return text;
  return (' '.repeat(fence.length) + text.slice(fence.length)).replace(/`{1,3}\s*$/, (marks) =>
    ' '.repeat(marks.length),
  );
}

/** Between clauses: blank lines, semicolons, and comments from `#` to the end of the line. */
export function skipBetween(cursor: Cursor): void {
  while (take(cursor, /[\s;]+|#[^\n]*/y));
}

/** Reads the structure of a text. Unreadable parts go to `problems`, and reading continues after them. */
export function readClauses(source: string, problems: Problems): RawPlan {
  const cursor: Cursor = { text: withoutFences(source), at: 0 };
  const said: Said<PlanKey>[] = [];
  const steps: RawStep[] = [];
  let isWhole = true;
  for (skipBetween(cursor); cursor.at < cursor.text.length && !problems.isFull(); skipBetween(cursor)) {
    const line = takeSaid(cursor, problems);
    if (line === 'wrong') continue;
    if (line === null) {
      const step = takeStep(cursor, problems);
      if (step) steps.push(step);
      else skipClause(cursor);
      isWhole &&= step !== null;
      if (steps.length > planLimits.steps) {
        problems.add(
          'bad_plan',
          steps.at(-1)?.tool ?? cursor,
          `A plan has at most ${planLimits.steps} steps.`,
        );
        break;
      }
    } else if (isStepKey(line.key)) {
      const step = steps.at(-1);
      if (step) step.said.push({ ...line, key: line.key });
      else
        problems.add('syntax', line.word, `${inCode(`${line.key}:`)} belongs to a step; write it after one.`);
    } else said.push({ ...line, key: line.key });
  }
  return { said, steps, isWhole };
}

function isStepKey(key: PlanKey | StepKey): key is StepKey {
  return stepKeys.some((one) => one === key);
}

const keyPattern = /([A-Za-z]+(?: [A-Za-z]+)?)[^\S\n]*:(?!\/)/y;

/** A line that starts with a key; null if it does not. */
function takeSaid(cursor: Cursor, problems: Problems): Said<PlanKey | StepKey> | 'wrong' | null {
  const word = ahead(cursor, keyPattern)?.[1];
  if (word === undefined || /^(?:when|if)\b/i.test(word)) return null;
  const at = cursor.at;
  const keys = [...planKeys, ...stepKeys];
  const key = keys.find((one) => one === word.toLowerCase());
  if (key === undefined) {
    const meant = suggest(word, keys);
    if (meant === null) return null;
    problems.add('unknown_line', { text: word, at }, `There is no line ${inCode(`${word}:`)}.`, `${meant}:`);
    skipClause(cursor);
    return 'wrong';
  }
  take(cursor, keyPattern);
  const isRaw = ['input', 'default', 'asked', 'watch', 'verify', 'cause'].includes(key);
  return { key, line: isRaw ? takeRaw(cursor) : takeLine(cursor), word: { text: word, at } };
}

/** `when condition: for each list as item: id = tool name=value …`; null when it cannot be read, and `problems` then says why. */
function takeStep(cursor: Cursor, problems: Problems): RawStep | null {
  const first = takeEach(cursor, problems);
  const when = first === undefined ? undefined : takeWhen(cursor, problems);
  const each = when === undefined ? undefined : (first ?? takeEach(cursor, problems));
  if (when === undefined || each === undefined) return null;
  const id = takeId(cursor, problems);
  if (id === undefined) return null;
  const tool = takeTool(cursor, problems);
  if (tool === null) return null;
  const before = problems.found.length;
  const isCode = tool.text === codeTool;
  const args = takeArgs(cursor, problems, isCode ? /->/y : null);
  const code = isCode ? takeCode(cursor) : null;
  return { id, when, each, tool, args, code, isWhole: problems.found.length === before, said: [] };
}

/** The condition before a step; null when there is none, undefined when it cannot be read. */
function takeWhen(cursor: Cursor, problems: Problems): Line | null | undefined {
  const start = cursor.at;
  const word = take(cursor, /(?:when|if)\b(?!\s*=(?!=))/iy)?.[0];
  if (word === undefined) return null;
  const when = takeCondition(cursor);
  if (when === null) {
    const message = `${inCode(word)} needs a colon between its condition and the step: when count.total > 5: tool …`;
    problems.add('syntax', { text: word, at: start }, message);
    return undefined;
  }
  skipBlanks(cursor);
  return when;
}

const eachForm = 'for each list.keys as item: jira.comment key={item} …';

/** The list before a step; null when there is none, undefined when it cannot be read. */
function takeEach(cursor: Cursor, problems: Problems): RawStep['each'] | undefined {
  const start = cursor.at;
  const word = take(cursor, /for ?each\b(?!\s*=(?!=))[^\S\n]*/iy)?.[0];
  if (word === undefined) return null;
  const at = cursor.at;
  const match = take(cursor, /\{?([a-z][\w.]*)\}?[^\S\n]+as[^\S\n]+([a-z][a-z0-9_]*)[^\S\n]*:[^\S\n]*/iy);
  if (match === null) {
    problems.add('syntax', { text: word.trim(), at: start }, `Write ${inCode(eachForm)}.`);
    return undefined;
  }
  const name = { text: (match[2] ?? '').toLowerCase(), at: match[0].lastIndexOf(match[2] ?? '') + at };
  return { list: { text: match[1] ?? '', at }, name };
}

/** The id before `=`; null when there is none, undefined when it cannot be one. */
function takeId(cursor: Cursor, problems: Problems): Word | null | undefined {
  const at = cursor.at;
  const match = take(cursor, /([^\s=;:]+)[^\S\n]*=(?!=)[^\S\n]*/y);
  if (!match) return null;
  const id = { text: (match[1] ?? '').toLowerCase(), at };
  if (stepIdPattern.test(id.text)) return id;
  problems.add(
    'syntax',
    id,
    `${inCode(id.text)} cannot be the name of a step: letters, digits and _, at most 32.`,
  );
  return undefined;
}

export function takeTool(cursor: Cursor, problems: Problems): Word | null {
  const at = cursor.at;
  if (isClauseEnd(cursor)) {
    problems.add('syntax', { text: '', at }, 'A tool is missing here.');
    return null;
  }
  // Slack mistakes `slack.post` for an address and puts http:// in front.
  const word = take(cursor, /(?:https?:\/\/)?([^\s;,:]+)[,:]?/y)?.[1] ?? '';
  if (/^(?:when|if)$/i.test(word)) {
    const message = 'The condition stands first: when count.total > 5: page = pagerduty.page …';
    problems.add('syntax', { text: word, at }, message);
    return null;
  }
  return { text: word.replace(/\/$/, '').toLowerCase(), at };
}
