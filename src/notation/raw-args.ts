import { jsonEnd, parseJson } from '../core/json.ts';
import {
  ahead,
  type Cursor,
  isClauseEnd,
  quotationEnd,
  skipBlanks,
  skipClause,
  take,
  type Word,
} from './cursor.ts';
import { inCode, type Problems } from './problems.ts';
import { isDelimited, opensQuote, type Piece, piecesOf } from './quoting.ts';

/** A value as written, quoted or bare, in words and tokens. */
export interface Written {
  readonly at: number;
  readonly quoted: boolean;
  readonly pieces: readonly Piece[];
}

export type RawValue =
  | ({ readonly kind: 'one' } & Written)
  | {
      readonly kind: 'list';
      readonly at: number;
      readonly items: readonly Written[];
      /** As it was written: it may be JSON. */
      readonly text: string;
    };

export interface RawArg {
  readonly name: Word;
  readonly value: RawValue;
}

const argName = /([A-Za-z][A-Za-z_]*)[^\S\n]*=(?!=)/y;

/** `name=value` up to the end of the clause, or up to `stop`. */
export function takeArgs(cursor: Cursor, problems: Problems, stop: RegExp | null = null): RawArg[] {
  const args: RawArg[] = [];
  while (!problems.isFull()) {
    take(cursor, /(?:[^\S\n]|,)*/y);
    if (isClauseEnd(cursor) || take(cursor, /#[^\S\n][^\n]*/y)) break;
    if (stop !== null && ahead(cursor, stop)) break;
    const at = cursor.at;
    const name = take(cursor, argName)?.[1];
    if (name === undefined) {
      takeStray(cursor, args.at(-1), problems);
      continue;
    }
    const word = { text: name.toLowerCase(), at };
    const value = takeValue(cursor, word, problems);
    if (value === null) continue;
    args.push({ name: word, value });
  }
  return args;
}

/** Words that belong to no argument: most likely a text that lacks quotation marks. */
function takeStray(cursor: Cursor, before: RawArg | undefined, problems: Problems): void {
  const at = cursor.at;
  const words: string[] = [];
  while (!isClauseEnd(cursor) && !ahead(cursor, argName)) {
    words.push(take(cursor, /[^\s;]+/y)?.[0] ?? '');
    skipBlanks(cursor);
  }
  const text = words.join(' ');
  const said = before?.value.kind === 'one' && !before.value.quoted ? before.value.pieces[0] : undefined;
  const hint =
    before && typeof said === 'string'
      ? `Several words need quotation marks: ${before.name.text}="${said} ${text}".`
      : 'Write it as name=value.';
  problems.add('syntax', { text, at }, `${inCode(text)} belongs to no argument. ${hint}`);
}

function takeValue(cursor: Cursor, name: Word, problems: Problems): RawValue | null {
  const blanks = take(cursor, /[^\S\n]*/y)?.[0] ?? '';
  if (isClauseEnd(cursor) || (blanks !== '' && ahead(cursor, argName))) {
    problems.add('bad_value', name, `${inCode(name.text)} has no value.`);
    return null;
  }
  const json = takeJson(cursor);
  if (json !== null) return { kind: 'one', ...json };
  if (cursor.text[cursor.at] === '[') return takeList(cursor, problems);
  const one = takeOne(cursor, /[^\s;]*[^\s;,]|[^\s;]/y, problems);
  return one && { kind: 'one', ...one };
}

/** A JSON object, or a list of objects or lists; null for anything else, such as `{count.total}`. */
function takeJson(cursor: Cursor): Written | null {
  const { at, text } = cursor;
  if (!ahead(cursor, /(?:\[\s*)?[{[]\s*["{[\]}]/y)) return null;
  const end = jsonEnd(text, at);
  const json = text.slice(at, end);
  const isWhole = end > at && isDelimited(text, end) && parseJson(json) !== undefined;
  if (!isWhole || isWords(json)) return null;
  cursor.at = end;
  return { at, quoted: true, pieces: piecesOf(json, at, 'json') };
}

/** A list of words can be read as a list. */
function isWords(json: string): boolean {
  const value = parseJson(json);
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function takeOne(cursor: Cursor, bare: RegExp, problems: Problems): Written | null {
  const { at, text } = cursor;
  if (!opensQuote(text[at])) {
    const raw = take(cursor, bare)?.[0] ?? '';
    return { at, quoted: false, pieces: piecesOf(raw, at, 'bare') };
  }
  const close = quotationEnd(cursor);
  const open = { text: text[at] ?? '', at };
  if (close < 0) {
    problems.add('syntax', open, 'The quotation mark that opens here is not closed.');
    take(cursor, /[^\n]*/y);
    return null;
  }
  cursor.at = close + 1;
  if (!isDelimited(text, cursor.at)) {
    const mark = { text: text[close] ?? '', at: close };
    problems.add(
      'syntax',
      mark,
      'The text ends at this quotation mark. Inside a text write \\" for a quotation mark.',
    );
    skipClause(cursor);
    return null;
  }
  return { at, quoted: true, pieces: piecesOf(text.slice(at + 1, close), at + 1, 'quoted') };
}

function takeList(cursor: Cursor, problems: Problems): RawValue | null {
  const { at } = cursor;
  const items: Written[] = [];
  cursor.at += 1;
  for (;;) {
    take(cursor, /[\s,]*/y);
    if (take(cursor, /\]/y)) return { kind: 'list', at, items, text: cursor.text.slice(at, cursor.at) };
    if (isClauseEnd(cursor)) {
      problems.add('syntax', { text: '[', at }, 'The list that opens here is not closed.');
      return null;
    }
    const item = takeOne(cursor, /[^\s;,\]]+/y, problems);
    if (item === null) return null;
    items.push(item);
  }
}
