import { badRequest, type JiraRefusal } from '../errors.ts';

export interface Token {
  readonly kind: 'word' | 'string' | 'operator' | 'open' | 'close' | 'comma' | 'end';
  /** For strings, the unescaped text between the quotes. */
  readonly text: string;
  /** Offset in the query, in characters. */
  readonly at: number;
}

const operators = ['!=', '!~', '<=', '>=', '&&', '||', '=', '<', '>', '~', '!'];
/** Atlassian's list of reserved characters, without the ones that end a word anyway and without '.', which Jira accepts. */
const reservedCharacters = '+;?|*/%^$#@[]{}&\\`';
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Splits a query into tokens; the last one is always `end`. */
export function lex(jql: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < jql.length) {
    const character = jql.charAt(at);
    if (/\s/.test(character)) {
      at += 1;
      continue;
    }
    const { token, length } = nextToken(jql, at, character);
    tokens.push(token);
    at += length;
  }
  return [...tokens, { kind: 'end', text: '', at: jql.length }];
}

function nextToken(jql: string, at: number, character: string): { token: Token; length: number } {
  const operator = operators.find((one) => jql.startsWith(one, at));
  if (operator !== undefined) {
    return { token: { kind: 'operator', text: operator, at }, length: operator.length };
  }
  if (character === '(') return { token: { kind: 'open', text: character, at }, length: 1 };
  if (character === ')') return { token: { kind: 'close', text: character, at }, length: 1 };
  if (character === ',') return { token: { kind: 'comma', text: character, at }, length: 1 };
  if (character === '"' || character === "'") return quoted(jql, at, character);
  const length = wordLength(jql, at);
  return { token: { kind: 'word', text: jql.slice(at, at + length), at }, length };
}

function wordLength(jql: string, start: number): number {
  let at = start;
  while (at < jql.length) {
    const character = jql.charAt(at);
    if (reservedCharacters.includes(character)) throw reserved(character, jql, at);
    if (/[\s(),"'=<>~!]/.test(character)) break;
    at += 1;
  }
  return at - start;
}

function quoted(jql: string, start: number, quote: string): { token: Token; length: number } {
  let text = '';
  let at = start + 1;
  while (at < jql.length) {
    const character = jql.charAt(at);
    if (character === quote) return { token: { kind: 'string', text, at: start }, length: at + 1 - start };
    if (character !== '\\') {
      text += character;
      at += 1;
      continue;
    }
    const escaped = jql.charAt(at + 1);
    const unicode = /^u([0-9a-fA-F]{4})/.exec(jql.slice(at + 1));
    if (unicode?.[1] !== undefined) {
      text += String.fromCharCode(Number.parseInt(unicode[1], 16));
      at += 6;
    } else if (/[nrt\\"' ]/.test(escaped)) {
      text += escapes[escaped] ?? escaped;
      at += 2;
    } else {
      throw badRequest(
        `Error in the JQL Query: '\\${escaped}' is an illegal JQL escape sequence. ` +
          `The valid escape sequences are \\', \\", \\t, \\n, \\r, \\\\, '\\ ' and \\uXXXX. ${position(jql, at)}`,
      );
    }
  }
  throw badRequest(
    `Error in the JQL Query: The quoted string '${text}' has not been completed. ${position(jql, start)}`,
  );
}

function reserved(character: string, jql: string, at: number): JiraRefusal {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  return badRequest(
    `Error in the JQL Query: The character '${character}' is a reserved JQL character. ` +
      `You must enclose it in a string or use the escape '\\u${code}' instead. ${position(jql, at)}`,
  );
}

/** Jira counts lines and characters from 1. */
export function position(jql: string, at: number): string {
  const lines = jql.slice(0, at).split('\n');
  return `(line ${lines.length}, character ${(lines.at(-1)?.length ?? 0) + 1})`;
}
