import { countBy, only, type Row, sortBy, type Test, type Token, tokensOf } from '../logs/table.ts';

/** Splunk's error for a search it cannot run. */
export class SplRefusal extends Error {}

/** Runs the subset of SPL that the sandbox supports: search terms, makeresults, stats count by, fieldsummary, sort, head, table, fields. */
export function runSpl(search: string, events: readonly Row[]): Row[] {
  const tokens = tokensOf(search);
  if (tokens === null) throw new SplRefusal('Unbalanced quotes.');
  const commands = split(tokens);
  const [first = [], ...others] = commands;
  const terms = first[0]?.text === 'search' ? first.slice(1) : first;
  const found = events.filter(termsOf(terms));
  return others.reduce<Row[]>((rows, command) => applied(rows, command), found.toReversed());
}

function split(tokens: readonly Token[]): Token[][] {
  const commands: Token[][] = [[]];
  for (const token of tokens) {
    if (token.quoted === undefined && token.text === '|') commands.push([]);
    else commands.at(-1)?.push(token);
  }
  return commands;
}

const wordOf = ({ quoted, text }: Token): string => (quoted ?? text).toLowerCase();

/** A star matches anything, even inside quotes. */
function fits(cell: string, wanted: string): boolean {
  if (!wanted.includes('*')) return cell.toLowerCase() === wanted;
  return wanted.split('*').every((part) => cell.toLowerCase().includes(part));
}

function termsOf(tokens: readonly Token[]): Test {
  const tests: Test[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || (token.quoted === undefined && token.text === 'AND')) continue;
    const [operator, value] = [tokens[at + 1], tokens[at + 2]];
    if (
      token.quoted === undefined &&
      (operator?.text === '=' || operator?.text === '!=') &&
      value !== undefined
    ) {
      tests.push((row) => fits(String(row[token.text] ?? ''), wordOf(value)) === (operator.text === '='));
      at += 2;
    } else {
      if (token.quoted === undefined && !/^[\w.-]+$/.test(token.text))
        throw new SplRefusal(
          `Error in 'search' command: Unable to parse the search: unexpected '${token.text}'.`,
        );
      const wanted = wordOf(token);
      tests.push((row) =>
        String(row._raw ?? '')
          .toLowerCase()
          .includes(wanted.replaceAll('*', '')),
      );
    }
  }
  return (row) => tests.every((test) => test(row));
}

function applied(rows: readonly Row[], [command, ...rest]: readonly Token[]): Row[] {
  const names = rest.filter(({ text }) => /^[A-Za-z_]/.test(text)).map(({ text }) => text);
  switch (command?.text) {
    case 'stats': {
      if (names[0] !== 'count') throw new SplRefusal("Error in 'stats' command: The argument is invalid.");
      const by = names.indexOf('by');
      return countBy(rows, by < 0 ? [] : names.slice(by + 1), 'count');
    }
    case 'sort':
      return sortBy(rows, names[0] ?? '', rest[0]?.text === '-');
    case 'makeresults':
      return Array.from({ length: Number(rest[2]?.text ?? 1) }, () => ({ _time: new Date().toISOString() }));
    case 'head':
      return rows.slice(0, Number(rest[0]?.text ?? 10));
    case 'fieldsummary': {
      const fields = rows.flatMap((row) => Object.keys(row).map((field) => ({ field })));
      return countBy(fields, ['field'], 'count');
    }
    case 'table':
    case 'fields':
      return only(rows, names);
    default:
      throw new SplRefusal(`Unknown search command '${command?.text ?? ''}'.`);
  }
}
