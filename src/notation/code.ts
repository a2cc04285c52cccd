import { type Code, type CodeType, codeTypes, tidySource } from '../core/code.ts';
import { own } from '../core/own-property.ts';
import { suggest } from '../core/suggest.ts';
import { codeProblems } from './code-source.ts';
import { type Cursor, take, type Word } from './cursor.ts';
import { inCode, type Problems } from './problems.ts';

/** The end of a step of code: its result, and its source in the lines below, each after a bar. */
export interface RawCode {
  /** After `->`; null where there is none. */
  readonly returns: Word | null;
  readonly source: string;
  /** Where each line of the source begins. */
  readonly starts: readonly number[];
}

const barLine = /[^\S\n]*\n[^\S\n]*\| ?([^\n]*)/y;

/** Reads `-> key: issue` and the lines `| …` below it. */
export function takeCode(cursor: Cursor): RawCode {
  const arrow = take(cursor, /->[^\S\n]*/y);
  const { at } = cursor;
  const returns = arrow === null ? null : { text: take(cursor, /[^\n;]*/y)?.[0].trim() ?? '', at };
  const lines: Word[] = [];
  // A source of any length is read: one that is too long is refused as a whole.
  for (let match = take(cursor, barLine); match !== null; match = take(cursor, barLine)) {
    const [whole, text = ''] = match;
    if (lines.length > 0 || text.trim() !== '')
      lines.push({ text, at: match.index + whole.length - text.length });
  }
  const source = tidySource(lines.map(({ text }) => text).join('\n'));
  return { returns, source, starts: lines.map((line) => line.at) };
}

/** The code of a step, checked; null when it is wrong, and `problems` then says why. */
export function readCode(
  raw: RawCode,
  tool: Word,
  names: readonly string[],
  problems: Problems,
): Code | null {
  const result = raw.returns === null ? {} : readResult(raw.returns, problems);
  if (raw.returns === null)
    problems.add('syntax', tool, `Its result is missing: ${inCode('-> key: issue, hours: number')}.`);
  if (raw.source === '')
    problems.add('syntax', tool, `Its source is missing, in lines below that begin with ${inCode('|')}.`);
  const found = raw.source === '' ? [] : codeProblems(raw.source, names);
  for (const { line, message } of found) problems.add('bad_code', lineAt(raw, line), message);
  return result === null || found.length > 0 ? null : { source: raw.source, result };
}

function lineAt({ source, starts }: RawCode, line: number): Word {
  return { text: source.split('\n')[line - 1] ?? '', at: starts[line - 1] ?? 0 };
}

function readResult({ text, at }: Word, problems: Problems): Code['result'] | null {
  const result: Record<string, CodeType> = {};
  const before = problems.found.length;
  for (const part of text.split(',')) {
    const [, name = '', type = ''] =
      /^\s*([a-z][a-z0-9_]*)\s*:\s*([a-z/]+(?: [a-z/]+)*)\s*$/.exec(part) ?? [];
    const known = codeTypes.find((one) => one === type);
    if (name === '') problems.add('syntax', { text: part.trim(), at }, 'A result is written as name: type.');
    else if (own(result, name) !== undefined)
      problems.add('repeated', { text: name, at }, `${inCode(name)} is declared twice.`);
    else if (known === undefined) unknownType({ text: type, at }, problems);
    else result[name] = known;
  }
  return problems.found.length > before ? null : result;
}

function unknownType({ text, at }: Word, problems: Problems): void {
  const known = codeTypes.filter((type) => !type.startsWith('list')).join(', ');
  const message = `There is no type ${inCode(text)}; there are ${known}, and list of each.`;
  problems.add('bad_value', { text, at }, message, suggest(text, codeTypes));
}

/** ` -> key: issue`, and the lines of the source. */
export function codeText({ source, result }: Code): {
  readonly returns: string;
  readonly lines: readonly string[];
} {
  const fields = Object.entries(result).map(([name, type]) => `${name}: ${type}`);
  return {
    returns: ` -> ${fields.join(', ')}`,
    lines: source.split('\n').map((line) => (line === '' ? '|' : `| ${line}`)),
  };
}
