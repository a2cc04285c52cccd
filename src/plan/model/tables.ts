import MiniSearch from 'minisearch';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { PlanningInput } from '../../core/planning.ts';
import type { Readers } from '../../core/ports.ts';
import type { ListedTables, SourceTable, TableBook } from '../../core/queries/tables.ts';
import { createSlices } from '../../core/slices.ts';
import { plain } from './draft.ts';
import { keywordSaid, searchTerm } from './mentions.ts';
import { personWords } from './person-words.ts';

interface TableReading {
  readonly listed: readonly (ListedTables & { readonly language: 'sql' | 'kql' | 'spl' })[];
  readonly readers: Pick<Readers, 'databases' | 'azure' | 'splunk'>;
  readonly now: () => Date;
  readonly log: Log;
}

const readingMs = 60_000;

/** The tables that the operator lists; empty until `read`, which keeps what it had of a source that is away. */
export function createTableBook({ listed, readers, now, log }: TableReading) {
  const sources = { sql: readers.databases, kql: readers.azure, spl: readers.splunk };
  let found: readonly (readonly SourceTable[])[] = [];
  const book: { all: readonly SourceTable[] } = { all: [] };
  return {
    book: book as TableBook,
    async read(): Promise<void> {
      const signal = AbortSignal.timeout(readingMs);
      found = await Promise.all(
        listed.map(async ({ language, ...one }, index) => {
          try {
            return await sources[language].tables(one, now(), signal);
          } catch (error) {
            const facts = { ...describeError(error), source: one.source };
            log.warn(facts, 'Could not read the tables of a source; a model does not know them');
            return found[index] ?? [];
          }
        }),
      );
      const all = found.flat();
      const index = emptyIndex();
      const pauseWhenDue = createSlices();
      for (const [id, table] of all.entries()) {
        index.add(entryOf(table, id));
        await pauseWhenDue();
      }
      indexes.set(all, index);
      book.all = all;
    },
  };
}

/** Characters of all tables in a prompt, and of one of them. */
const maxAll = 1_900;
const maxOne = 480;
/** Up to this many tables, all of them are in the prompt of a request about data. */
const few = 12;

const parts = (name: string): string =>
  name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[^\p{L}\p{N}]+/gu, ' ');

type Index = MiniSearch<{ id: number; name: string; fields: string; about: string }>;
/** By list of tables: an index identifies a table by its position. */
const indexes = new WeakMap<readonly SourceTable[], Index>();
const emptyIndex = (): Index =>
  new MiniSearch({ fields: ['name', 'fields', 'about'], processTerm: searchTerm });

function entryOf({ name, fields, about }: SourceTable, id: number) {
  const words = new Set(fields.flatMap((field) => parts(field.name).toLowerCase().split(' ')));
  return { id, name: parts(name), about, fields: [...words].join(' ') };
}

function indexOf(tables: readonly SourceTable[]): Index {
  const index = indexes.get(tables) ?? emptyIndex();
  if (!indexes.has(tables)) index.addAll(tables.map(entryOf));
  indexes.set(tables, index);
  return index;
}

/** The tables that a request about data may need, a line each, as data for the prompt; empty for any other request. */
export function tableLines(input: PlanningInput): string[] {
  const { manifests, tables: { all } = { all: [] } } = input.catalogue;
  const tool = [...manifests.values()].find(({ written }) => written !== undefined);
  if (tool === undefined || all.length === 0) return [];
  const { text, english } = personWords(input);
  const index = indexOf(all);
  const search = (fields: string[]) => index.search(text, { fields, boost: { name: 4 } });
  if (!keywordSaid(tool, `${text} ${english}`) && search(['name']).length === 0) return [];
  const hits = search(['name', 'fields', 'about']).flatMap(({ id }) => all[Number(id)] ?? []);
  const rest = all.length <= few ? all.filter((table) => !hits.includes(table)) : [];
  return withinRoom([...hits, ...rest].map(lineOf));
}

function withinRoom(lines: readonly string[]): string[] {
  let room = maxAll;
  const over = lines.findIndex((line) => {
    room -= line.length;
    return room < 0;
  });
  return over < 0 ? [...lines] : lines.slice(0, over);
}

/** "sql shop: orders (id bigint, state text), ~960 rows", with comments in the signs of SQL. */
function lineOf({ language, source, name, rows, about, fields }: SourceTable): string {
  const head = `${language} ${plain(source, 40)}: ${plain(name, 80)}`;
  const size = rows > 0 ? `, ~${Math.round(rows)} rows` : '';
  const end = `${size}${remark(about, 100)}`;
  let inside = '';
  for (const field of fields) {
    const type = field.type === '' ? '' : ` ${plain(field.type, 24)}`;
    const next = `${inside === '' ? '' : ', '}${plain(field.name, 60)}${type}${remark(field.about, 60)}`;
    if (head.length + inside.length + next.length + end.length > maxOne) {
      inside += ', …';
      break;
    }
    inside += next;
  }
  return `${head} (${inside})${end}`;
}

function remark(about: string, max: number): string {
  return about === '' ? '' : ` /* ${plain(about, max)} */`;
}
