import {
  type Cell,
  countBy,
  only,
  type Row,
  sortBy,
  type Test,
  type Token,
  tokensOf,
} from '../logs/table.ts';

/** Azure's error for a query it cannot run. */
export class KqlRefusal extends Error {
  readonly code: string;
  readonly at: number;
  constructor(code: string, message: string, at: number) {
    super(message);
    this.code = code;
    this.at = at;
  }
}

/**
 * Runs the subset of KQL that the sandbox supports: declared parameters, print, where, summarize count(), order,
 * project, take, count, getschema.
 */
export function runKql(query: string, tables: ReadonlyMap<string, readonly Row[]>): Row[] {
  const tokens = tokensOf(query);
  if (tokens === null) throw new KqlRefusal('SYN0001', 'A string literal is not closed', query.length);
  const reader = new Reader(tokens, query.length);
  const values = parameters(reader);
  const name = reader.next();
  const table = name.text === 'print' ? [{ print_0: cellOf(reader, values) }] : tables.get(name.text);
  if (!table)
    throw new KqlRefusal(
      'SEM0100',
      `'where' operator: Failed to resolve table or column expression named '${name.text}'`,
      name.at,
    );
  let rows: Row[] = [...table];
  while (!reader.ended()) {
    reader.expect('|');
    rows = applied(reader, rows, values);
  }
  return rows;
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #end: number;
  #at = 0;
  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }
  peek(): Token {
    return this.#tokens[this.#at] ?? { text: '', at: this.#end };
  }
  next(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }
  ended(): boolean {
    return this.#at >= this.#tokens.length;
  }
  takes(text: string): boolean {
    if (this.peek().quoted !== undefined || this.peek().text !== text) return false;
    this.#at += 1;
    return true;
  }
  expect(...texts: readonly string[]): void {
    for (const text of texts) if (!this.takes(text)) throw broken(this.peek());
  }
}

function broken({ text, at }: Token): KqlRefusal {
  return new KqlRefusal('SYN0002', `Query could not be parsed at '${text}'`, at);
}

function parameters(reader: Reader): ReadonlyMap<string, Cell> {
  const values = new Map<string, Cell>();
  if (!reader.takes('declare')) return values;
  reader.expect('query_parameters', '(');
  do {
    const name = reader.next().text;
    reader.expect(':');
    reader.next();
    reader.expect('=');
    values.set(name, cellOf(reader, new Map()));
  } while (reader.takes(','));
  reader.expect(')', ';');
  return values;
}

function cellOf(reader: Reader, values: ReadonlyMap<string, Cell>): Cell {
  const token = reader.next();
  if (token.quoted !== undefined) return token.quoted;
  if (token.text === 'datetime') {
    reader.expect('(');
    const date = reader.next().text;
    reader.expect(')');
    return date;
  }
  if (/^\d+(\.\d+)?$/.test(token.text)) return Number(token.text);
  const value = values.get(token.text);
  if (value === undefined) throw broken(token);
  return value;
}

function applied(reader: Reader, rows: readonly Row[], values: ReadonlyMap<string, Cell>): Row[] {
  const operator = reader.next();
  switch (operator.text) {
    case 'where':
      return rows.filter(testOf(reader, values));
    case 'count':
      return [{ Count: rows.length }];
    case 'take':
    case 'limit':
      return rows.slice(0, Number(cellOf(reader, values)));
    case 'getschema':
      return Object.entries(rows[0] ?? {}).map(([name, cell]) => {
        return { ColumnName: name, ColumnType: typeof cell === 'number' ? 'long' : 'string' };
      });
    case 'project':
      return only(rows, columns(reader));
    case 'order':
    case 'sort': {
      reader.expect('by');
      const column = reader.next().text;
      return sortBy(rows, column, isDescending(reader));
    }
    case 'summarize': {
      const name = reader.next().text;
      reader.expect('=', 'count', '(', ')');
      return countBy(rows, reader.takes('by') ? columns(reader) : [], name);
    }
    default:
      throw broken(operator);
  }
}

/** The default order is descending. */
function isDescending(reader: Reader): boolean {
  if (reader.takes('asc')) return false;
  reader.takes('desc');
  return true;
}

function columns(reader: Reader): string[] {
  const names = [reader.next().text];
  while (reader.takes(',')) names.push(reader.next().text);
  return names;
}

function testOf(reader: Reader, values: ReadonlyMap<string, Cell>): Test {
  const tests: Test[] = [];
  do {
    const column = reader.next();
    if (!/^[A-Za-z_]/.test(column.text)) throw broken(column);
    const operator = reader.next();
    tests.push(comparison(column.text, operator, cellOf(reader, values)));
  } while (reader.takes('and'));
  return (row) => tests.every((test) => test(row));
}

function comparison(column: string, operator: Token, value: Cell): Test {
  const cell = (row: Row): string => String(row[column] ?? '');
  const wanted = String(value);
  switch (operator.text) {
    case '==':
      return (row) => cell(row) === wanted;
    case '!=':
      return (row) => cell(row) !== wanted;
    case '>=':
      return (row) => cell(row) >= wanted;
    case '<':
      return (row) => cell(row) < wanted;
    case 'has':
    case 'contains':
      return (row) => cell(row).toLowerCase().includes(wanted.toLowerCase());
    default:
      throw broken(operator);
  }
}
