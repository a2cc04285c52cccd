import { badRequest, type JiraRefusal } from '../errors.ts';
import { lex, position, type Token } from './lex.ts';

export type Operator = '=' | '!=' | '<' | '>' | '<=' | '>=' | '~' | '!~' | 'in' | 'not in' | 'is' | 'is not';

export type Operand =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly string[] }
  | { readonly kind: 'list'; readonly items: readonly Operand[] };

export interface Clause {
  readonly kind: 'clause';
  readonly field: string;
  readonly operator: Operator;
  readonly operand: Operand;
}

export type Condition =
  | Clause
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition };

export interface Query {
  /** If absent, the search has no restriction: Jira calls that unbounded. */
  readonly where?: Condition;
  readonly orderBy: readonly { readonly field: string; readonly descending: boolean }[];
}

const symbols: readonly Operator[] = ['=', '!=', '<', '>', '<=', '>=', '~', '!~'];
const keywords = [
  'and',
  'or',
  'not',
  'in',
  'is',
  'order',
  'by',
  'was',
  'changed',
  'empty',
  'null',
  'asc',
  'desc',
];
const validOperators =
  "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'.";
const maxDepth = 50;

/** Throws JiraRefusal with Jira's wording for a query it cannot parse. WAS and CHANGED are not supported here. */
export function parseJql(jql: string): Query {
  const reader = new Reader(jql);
  const where = reader.atEnd() || reader.isWord('order') ? undefined : disjunction(reader, 0);
  const orderBy = ordering(reader);
  if (!reader.atEnd()) {
    throw reader.fail(`Expecting either 'OR' or 'AND' but got '${reader.peek().text}'.`);
  }
  return where === undefined ? { orderBy } : { where, orderBy };
}

class Reader {
  readonly #jql: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(jql: string) {
    this.#jql = jql;
    this.#tokens = lex(jql);
  }

  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new RangeError('the token list is never empty');
    return token;
  }

  take(): Token {
    const token = this.peek();
    this.#next += 1;
    return token;
  }

  atEnd(): boolean {
    return this.peek().kind === 'end';
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && token.text.toLowerCase() === word;
  }

  takes(word: string, symbol?: string): boolean {
    const token = this.peek();
    const found = this.isWord(word) || (token.kind === 'operator' && token.text === symbol);
    if (found) this.#next += 1;
    return found;
  }

  fail(problem: string): JiraRefusal {
    return badRequest(`Error in the JQL Query: ${problem} ${position(this.#jql, this.peek().at)}`);
  }
}

function disjunction(reader: Reader, depth: number): Condition {
  const parts = [conjunction(reader, depth)];
  while (reader.takes('or', '||')) parts.push(conjunction(reader, depth));
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'or', parts };
}

function conjunction(reader: Reader, depth: number): Condition {
  const parts = [negation(reader, depth)];
  while (reader.takes('and', '&&')) parts.push(negation(reader, depth));
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'and', parts };
}

function negation(reader: Reader, depth: number): Condition {
  if (depth > maxDepth) throw reader.fail('The query is nested too deeply.');
  if (reader.takes('not', '!')) return { kind: 'not', part: negation(reader, depth + 1) };
  if (reader.peek().kind !== 'open') return clause(reader);
  reader.take();
  const inner = disjunction(reader, depth + 1);
  if (reader.peek().kind !== 'close') {
    throw reader.fail(`Expecting ')' before the end of the query.`);
  }
  reader.take();
  return inner;
}

function clause(reader: Reader): Clause {
  return { kind: 'clause', field: fieldName(reader), operator: operator(reader), operand: operand(reader) };
}

function fieldName(reader: Reader): string {
  const token = reader.peek();
  if (token.kind === 'end') throw reader.fail('Expecting a field name at the end of the query.');
  const reserved = token.kind === 'word' && keywords.includes(token.text.toLowerCase());
  if (reserved) {
    throw reader.fail(
      `'${token.text}' is a reserved JQL word. You must surround it in quotation marks to use it in a query.`,
    );
  }
  if (token.kind !== 'word' && token.kind !== 'string') {
    throw reader.fail(`Expecting a field name but got '${token.text}'.`);
  }
  return reader.take().text;
}

function operator(reader: Reader): Operator {
  if (reader.atEnd()) throw reader.fail(`Expecting operator before the end of the query. ${validOperators}`);
  const symbol = symbols.find((one) => reader.peek().kind === 'operator' && one === reader.peek().text);
  if (symbol !== undefined) {
    reader.take();
    return symbol;
  }
  if (reader.takes('in')) return 'in';
  if (reader.takes('is')) return reader.takes('not') ? 'is not' : 'is';
  if (reader.isWord('not') && reader.isWord('in', 1)) {
    reader.take();
    reader.take();
    return 'not in';
  }
  if (reader.isWord('was') || reader.isWord('changed')) {
    throw reader.fail('History searches (WAS, CHANGED) are not supported by the local Jira.');
  }
  throw reader.fail(`Expecting operator but got '${reader.peek().text}'. ${validOperators}`);
}

function operand(reader: Reader): Operand {
  const token = reader.peek();
  if (token.kind === 'end') {
    throw reader.fail('Expecting either a value, list or function before the end of the query.');
  }
  if (token.kind === 'open') return list(reader);
  if (token.kind === 'string') return { kind: 'value', text: reader.take().text };
  if (token.kind !== 'word') throw unexpected(reader);
  if (reader.takes('empty') || reader.takes('null')) return { kind: 'empty' };
  if (reader.peek(1).kind === 'open') return call(reader);
  if (keywords.includes(token.text.toLowerCase())) throw unexpected(reader);
  return { kind: 'value', text: reader.take().text };
}

function unexpected(reader: Reader): JiraRefusal {
  const { text } = reader.peek();
  return reader.fail(
    `Expecting either a value, list or function but got '${text}'. ` +
      `You must surround '${text}' in quotation marks to use it as a value.`,
  );
}

function list(reader: Reader): Operand {
  reader.take();
  const items = [operand(reader)];
  while (reader.peek().kind === 'comma') {
    reader.take();
    items.push(operand(reader));
  }
  if (reader.peek().kind !== 'close') throw reader.fail(`Expecting ')' before the end of the query.`);
  reader.take();
  return { kind: 'list', items };
}

function call(reader: Reader): Operand {
  const name = reader.take().text;
  reader.take();
  const args: string[] = [];
  while (reader.peek().kind === 'word' || reader.peek().kind === 'string') {
    args.push(reader.take().text);
    if (reader.peek().kind !== 'comma') break;
    reader.take();
  }
  if (reader.peek().kind !== 'close') throw reader.fail(`Expecting ')' to end the function '${name}'.`);
  reader.take();
  return { kind: 'call', name, args };
}

function ordering(reader: Reader): Query['orderBy'] {
  if (!reader.takes('order')) return [];
  if (!reader.takes('by')) throw reader.fail(`Expecting 'by' but got '${reader.peek().text}'.`);
  const fields: { field: string; descending: boolean }[] = [];
  do {
    if (fields.length > 0) reader.take();
    const field = fieldName(reader);
    const descending = reader.takes('desc');
    if (!descending) reader.takes('asc');
    fields.push({ field, descending });
  } while (reader.peek().kind === 'comma');
  return fields;
}
