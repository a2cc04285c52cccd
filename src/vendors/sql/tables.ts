import { cellText } from '../../core/queries/answer.ts';
import { type ListedTables, type SourceTable, tableLimits } from '../../core/queries/tables.ts';
import type { SqlDialect, SqlSession } from './port.ts';

const timeoutMs = 10_000;
/** Tables whose columns are read at once. */
const batch = 250;

/** Selects of `name`, `rows`, `about`, and of `name`, `field`, `type`, `about`, `place`; only what the role may read. */
const selects: Readonly<Record<SqlDialect, { readonly tables: string; readonly fields: string }>> = {
  postgres: (() => {
    const name = `(case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname) collate "C"`;
    const from = `from pg_class c join pg_namespace n on n.oid = c.relnamespace`;
    const where = `c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and n.nspname !~ '^pg_'
      and n.nspname <> 'information_schema' and has_schema_privilege(n.oid, 'usage')`;
    return {
      tables: `select ${name} as name, greatest(c.reltuples, 0)::float8 as held,
        left(obj_description(c.oid, 'pg_class'), 200) as about ${from}
        where ${where} and has_any_column_privilege(c.oid, 'select')`,
      fields: `select ${name} as name, a.attname as field, format_type(a.atttypid, a.atttypmod) as type,
        left(col_description(c.oid, a.attnum), 120) as about, a.attnum as place ${from}
        join pg_attribute a on a.attrelid = c.oid
        where ${where} and a.attnum > 0 and not a.attisdropped and has_column_privilege(c.oid, a.attnum, 'select')`,
    };
  })(),
  mysql: {
    tables: `select table_name as name, coalesce(table_rows, 0) as held, left(table_comment, 200) as about
      from information_schema.tables where table_schema = database()`,
    fields: `select table_name as name, column_name as field, column_type as type,
      left(column_comment, 120) as about, ordinal_position as place
      from information_schema.columns where table_schema = database()`,
  },
};

/** The listed tables of a database with their columns, by name. */
export async function tablesOf(
  session: SqlSession,
  { source, names }: ListedTables,
  signal: AbortSignal,
): Promise<SourceTable[]> {
  const select = selects[session.dialect];
  const ask = async (text: string, values: readonly string[], limit: number): Promise<string[][]> => {
    const { rows } = await session.read({ text, values, limit, timeoutMs, byHand: false }, signal);
    return rows.map((row) => row.map(cellText));
  };
  const values = names.map((name) => name.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%'));
  const place = (index: number): string => session.placeholder(index + 1);
  const listed = values.map((_value, index) => `t.name like ${place(index)}`).join(' or ');
  const found = await ask(
    `select t.name, t.held, t.about from (${select.tables}) t where ${listed} order by t.name limit ${tableLimits.tables}`,
    values,
    tableLimits.tables,
  );
  const [first, last] = [place(values.length), place(values.length + 1)];
  const between = `select t.name, t.field, t.type, t.about from (${select.fields}) t
    where (${listed}) and t.place <= ${tableLimits.fields} and t.name >= ${first} and t.name <= ${last}
    order by t.name, t.place`;
  const tables: SourceTable[] = [];
  for (let at = 0; at < found.length; at += batch) {
    const some = found.slice(at, at + batch);
    const ends = [some[0]?.[0] ?? '', some.at(-1)?.[0] ?? ''];
    const fields = Map.groupBy(
      await ask(between, [...values, ...ends], batch * tableLimits.fields),
      ([name]) => name,
    );
    for (const [name = '', rows = '', about = ''] of some) {
      const own = (fields.get(name) ?? []).map(([, field = '', type = '', words = '']) => {
        return { name: field, type, about: words };
      });
      tables.push({ language: 'sql', source, name, about, rows: Number(rows), fields: own });
    }
  }
  return tables;
}
