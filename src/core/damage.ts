/** What of the database is read as one element of a list. */
export const rowKinds = ['plan', 'watch', 'incident', 'arrival'] as const;
export type RowKind = (typeof rowKinds)[number];

/** A row that does not read as it was written: somebody changed it, or another version wrote it. */
export interface DamagedRow {
  readonly kind: RowKind;
  readonly id: string;
}

/** Tells an operator of a damaged row, once. Never throws. */
export type TellDamage = (row: DamagedRow, error: unknown) => void;

/** How one kind of row is read; `read` throws for a damaged one. */
export interface RowReader<R, T> {
  readonly kind: RowKind;
  idOf(row: R): string;
  read(row: R): T;
}

/** Null for a damaged row. Whatever shows or works on several rows reads them with this, so that one cannot stop the rest. */
export function readRow<R, T>(row: R, { kind, idOf, read }: RowReader<R, T>, tell: TellDamage): T | null {
  try {
    return read(row);
  } catch (error) {
    tell({ kind, id: idOf(row) }, error);
    return null;
  }
}

/** The rows that can be read, and those that cannot, each in their order. */
export function sortRows<R, T>(
  rows: readonly R[],
  reader: RowReader<R, T>,
  tell: TellDamage,
): { readonly sound: T[]; readonly damaged: R[] } {
  const [sound, damaged]: [T[], R[]] = [[], []];
  for (const row of rows) {
    const found = readRow(row, reader, tell);
    if (found === null) damaged.push(row);
    else sound.push(found);
  }
  return { sound, damaged };
}

/** The rows that can be read, in their order. */
export function readRows<R, T>(rows: readonly R[], reader: RowReader<R, T>, tell: TellDamage): T[] {
  return sortRows(rows, reader, tell).sound;
}
