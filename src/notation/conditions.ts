import { ConditionError, compileCondition, sentenceOf } from '../core/condition.ts';
import { own } from '../core/own-property.ts';
import { suggest } from '../core/suggest.ts';
import { type Cursor, type Line, skipBlanks, take, type Word } from './cursor.ts';
import { scopeOf } from './defaults.ts';
import { inCode } from './problems.ts';
import { closeOf, escaped, isBareLine, opensQuote, plainOf } from './quoting.ts';
import type { ValueContext } from './values.ts';

/** Strings of a condition, which stay as they are, and the alternative spellings of operators around them. */
const parts =
  /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|[“”„]([^“”„"]*)[“”]|[‘’]([^‘’']*)[‘’]|≥|≤|≠|(?<![=!<>])=(?!=)|(?<![.\w])(?:and|or|not)\b(?!\s*\.)/g;
const operators: Readonly<Record<string, string>> = {
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '=': '==',
  and: '&&',
  or: '||',
  not: '!',
};
const celWords = new Set(['true', 'false', 'null', 'in', 'and', 'or', 'not']);

/** The CEL for typed text: `a.total ≥ 5 and b.state = “open”`. CEL stays unchanged. */
function asCel(source: string): string {
  return source.replace(parts, (whole, double?: string, single?: string) => {
    const quoted = double ?? single;
    return quoted === undefined ? (own(operators, whole) ?? whole) : JSON.stringify(quoted);
  });
}

/** `step`, `step.field` and `{input}` outside of strings. */
const names =
  /[“”„][^“”„"]*[“”]|[‘’][^‘’']*[‘’]|"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|\{([a-z][a-z0-9_]*)\}|(?<![\w.])([a-z][a-z0-9_]*)(?![\w("'])(?:\s*\.\s*([A-Za-z]\w*))?/g;

interface Name extends Word {
  readonly input: string | undefined;
  readonly step: string | undefined;
  readonly field: string | undefined;
}

function namesIn(text: string): Name[] {
  return [...text.matchAll(names)].flatMap(({ 0: whole, 1: input, 2: step, 3: field, index }) =>
    input === undefined && (step === undefined || celWords.has(step))
      ? []
      : [{ text: whole, at: index, input, step, field }],
  );
}

/** Inputs inside strings, where they would be plain letters instead of values. */
function quotedInputs(text: string, { inputs }: ValueContext): Name[] {
  const bare = new Set(namesIn(text).map(({ at }) => at));
  return [...text.matchAll(/\{([a-z][a-z0-9_]*)\}/g)]
    .filter(({ index, 1: name = '' }) => inputs.has(name) && !bare.has(index))
    .map(({ 0: whole, 1: input, index }) => ({
      text: whole,
      at: index,
      input,
      step: undefined,
      field: undefined,
    }));
}

function replaced(text: string, found: readonly Name[], by: (name: Name) => string): string {
  let last = 0;
  const parts = found.map((name) => {
    const before = text.slice(last, name.at);
    last = name.at + name.text.length;
    return before + by(name);
  });
  return parts.join('') + text.slice(last);
}

/** A condition as CEL, checked; null when it is wrong, and `problems` then says why. */
export function readCondition(line: Line, context: ValueContext): string | null {
  const { scope, inputs, problems } = context;
  const found = namesIn(line.text);
  const quoted = quotedInputs(line.text, context);
  for (const { text, at } of quoted)
    problems.add(
      'bad_condition',
      { text, at: line.at + at },
      `${inCode(text)} cannot stand in a text; a condition takes numbers and durations.`,
    );
  if (quoted.length > 0) return null;
  const filled = replaced(line.text, found, ({ text, input, step = '', field }) => {
    if (input !== undefined) return String(inputs.get(input)?.inCondition ?? text);
    const main = field === undefined && !line.verbatim ? scope.get(step)?.main : undefined;
    return main === undefined ? text : `${step}.${main}`;
  });
  const cel = line.verbatim ? filled : asCel(filled);
  try {
    compileCondition(cel, scopeOf(cel, scope));
    return cel;
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (found.some(({ step }) => step !== undefined && !scope.has(step) && context.mayBe(step))) return null;
    const before = problems.found.length;
    for (const name of found)
      checkName({ ...name, at: line.verbatim ? line.at : line.at + name.at }, context);
    if (problems.found.length === before && !problems.isFull())
      problems.add(
        'bad_condition',
        line,
        `The condition ${inCode(line.text)} cannot be used: ${error.message}.`,
      );
    return null;
  }
}

function checkName(name: Name, { scope, ids, inputs, problems }: ValueContext): void {
  const { input, step = '', field } = name;
  if (input !== undefined) {
    const number = inputs.get(input)?.inCondition;
    if (number === undefined) problems.add('unknown_step', name, `There is no input ${inCode(input)}.`);
    else if (number === null)
      problems.add(
        'bad_condition',
        name,
        `${inCode(name.text)} is a word; a condition takes numbers and durations.`,
      );
    return;
  }
  const manifest = scope.get(step);
  if (!manifest) {
    const meant = suggest(step, ids);
    problems.add('unknown_step', { ...name, text: step }, `There is no step ${inCode(step)}.`, meant);
  } else if (field !== undefined && own(manifest.result.shape, field) === undefined) {
    const known = Object.keys(manifest.result.shape);
    const meant = suggest(field, known);
    const message = `${inCode(manifest.name)} returns no ${inCode(field)}; it returns ${known.join(', ')}.`;
    problems.add('unknown_field', name, message, meant && `${step}.${meant}`);
  }
}

/** A check after a step or a run: a condition, or a sentence marked `words:`. */
export function readCriterion(line: Line, context: ValueContext): string | null {
  if (sentenceOf(line.text) !== null) return line.text;
  if (line.verbatim || /[<>=≤≥≠!(]/.test(line.text)) return readCondition(line, context);
  context.problems.add(
    'bad_condition',
    line,
    `${inCode(line.text)} compares nothing.`,
    `words: ${line.text}`,
  );
  return null;
}

/** The condition after `when`, with its colon; null if there is none. */
export function takeCondition(cursor: Cursor): Line | null {
  skipBlanks(cursor);
  const { at, text } = cursor;
  if (opensQuote(text[at])) {
    const close = closeOf(text, at);
    const after = { text, at: close + 1 };
    if (close > 0 && take(after, /[^\S\n]*:/y)) {
      cursor.at = after.at;
      return { text: plainOf(text.slice(at + 1, close)), at, verbatim: true };
    }
  }
  while (cursor.at < text.length) {
    take(cursor, /[^\n;:"'“”„‘]*/y);
    if (take(cursor, /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[“”„][^“”„"\n]*[“”]|‘[^‘’'\n]*’/y)) continue;
    if (take(cursor, /["'“”„‘]/y)) continue;
    const end = cursor.at;
    return take(cursor, /:/y) ? { text: text.slice(at, end).trim(), at, verbatim: false } : null;
  }
  return null;
}

/** True when a condition reads back unchanged, even by the lenient reader. */
function isPlainCel(cel: string): boolean {
  return (
    asCel(cel) === cel && namesIn(cel).every(({ field, input }) => field !== undefined && input === undefined)
  );
}

/** A condition as written after `when`: verbatim where that reads back, else in quotation marks. */
export function conditionText(cel: string): string {
  const text = `${cel}:`;
  const cursor = { text, at: 0 };
  const read = takeCondition(cursor);
  const same = read?.text === cel && !read.verbatim && cursor.at === text.length;
  return same && isBareLine(cel) && isPlainCel(cel) ? cel : `"${escaped(cel)}"`;
}

/** A criterion as it is written after `expect:` and `success:`. */
export function criterionText(criterion: string): string {
  const same = sentenceOf(criterion) !== null || isPlainCel(criterion);
  return same && isBareLine(criterion) ? criterion : `"${escaped(criterion)}"`;
}
