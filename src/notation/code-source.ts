import { compileFunction } from 'node:vm';
import { codeLimits } from '../core/code.ts';
import { own } from '../core/own-property.ts';

/** A problem of a source, and the line that has it (from 1). */
export interface CodeProblem {
  readonly line: number;
  readonly message: string;
}

/** Names that a source may not use, with the reason. The sandbox has none of them either; this says it before a card. */
const refused: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['import', 'export', 'require'].map((name) => [name, 'code cannot load other code'])),
  ...Object.fromEntries(['eval', 'Function'].map((name) => [name, 'code cannot make code'])),
  ...Object.fromEntries(
    ['globalThis', 'constructor', '__proto__', 'prototype', 'Proxy', 'Reflect'].map((name) => [
      name,
      'code works on its inputs alone',
    ]),
  ),
  ...Object.fromEntries(
    ['async', 'await', 'Promise', 'setTimeout'].map((name) => [name, 'code returns at once']),
  ),
  Date: 'code has no clock; take the age or the time from a result',
  random: 'code has no randomness',
};

/**
 * Everything that keeps a source from being a pure function of its inputs, as far as its text shows it, and its syntax.
 * Nothing of it runs here: only the sandbox runs it.
 */
export function codeProblems(source: string, names: readonly string[]): CodeProblem[] {
  const bytes = Buffer.byteLength(source);
  if (bytes > codeLimits.bytes)
    return [{ line: 1, message: `The source has ${bytes} bytes; it may have ${codeLimits.bytes}.` }];
  const found = tokenProblems(source);
  return found.length > 0 ? found.slice(0, 10) : syntaxProblems(source, names);
}

/** Regular expressions are no part of it: they are refused. */
const pattern =
  /(?<blank>\s+|\/\/[^\n]*|\/\*.*?(?:\*\/|$))|(?<name>[\p{ID_Start}$_#][\p{ID_Continue}$]*)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\d[\w.]*|<!--|-->|./suy;

interface Token {
  readonly text: string;
  readonly kind: 'name' | 'text' | 'other';
  readonly line: number;
}

/** The tokens of a source without blanks and comments; of a template only the expressions in it. */
function* tokensOf(source: string): Generator<Token> {
  /** Braces that were open where each open template was left. */
  const templates: number[] = [];
  let [braces, line, at] = [0, 1, 0];
  while (at < source.length) {
    pattern.lastIndex = at;
    const { groups = {}, 0: text = '' } = pattern.exec(source) ?? {};
    const isResumed = text === '}' && templates.at(-1) === braces;
    if (groups.blank === undefined && !isResumed)
      yield { text, line, kind: groups.name ? 'name' : groups.text ? 'text' : 'other' };
    let end = at + text.length;
    if (isResumed) templates.pop();
    else if (text === '{') braces += 1;
    else if (text === '}') braces -= 1;
    if (isResumed || text === '`') {
      end = templateEnd(source, end);
      if (source.slice(end - 2, end) === '${') templates.push(braces);
    }
    line += source.slice(at, end).split('\n').length - 1;
    at = end;
  }
}

/** Where a template ends that goes on at `at`, or where its next expression opens. */
function templateEnd(source: string, at: number): number {
  const rest = /(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)?/sy;
  rest.lastIndex = at;
  return at + (rest.exec(source)?.[0].length ?? 0);
}

/** After these a `/` begins a regular expression; after anything else it divides. */
const beforeOperand =
  /^(?:[([{,;:=<>+\-*%&|^!~?]|return|typeof|case|in|of|void|delete|throw|new|else|do|yield)$/;

function tokenProblems(source: string): CodeProblem[] {
  let before = ';';
  return tokensOf(source)
    .flatMap((token) => {
      const message = whyRefused(token, before);
      before = token.text;
      return message === null ? [] : [{ line: token.line, message }];
    })
    .toArray();
}

function whyRefused({ text, kind }: Token, before: string): string | null {
  // A property in brackets is a name as well; other texts are data.
  const isName = kind === 'name' || /^.(?:constructor|__proto__|prototype).$/.test(text);
  const name = kind === 'name' ? text : text.slice(1, -1);
  const reason = isName ? own(refused, name) : undefined;
  if (reason !== undefined) return `${name} is refused: ${reason}.`;
  if (kind !== 'other') return null;
  if (text === '\\') return 'A backslash outside of a text is refused: names are written as they are.';
  if (text === '<!--' || text === '-->') return `${text} is refused: it hides what follows.`;
  if (text === '/' && beforeOperand.test(before))
    return 'Regular expressions are refused: use includes, startsWith, split and the like.';
  return null;
}

/** The parser of the runtime reads it as the body of a function, strictly. */
function syntaxProblems(source: string, names: readonly string[]): CodeProblem[] {
  try {
    compileFunction(`'use strict';${source}`, [...names], { filename: 'code.js' });
    return [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = Number(/^code\.js:(\d+)/.exec(error.stack ?? '')?.[1] ?? 1);
    return [{ line, message: `${error.message}.` }];
  }
}
