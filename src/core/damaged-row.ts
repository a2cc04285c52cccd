/** Kinds of database rows that are read as one element of a list. */
export const rowKinds = ['plan', 'watch', 'incident', 'arrival'] as const;
export type RowKind = (typeof rowKinds)[number];

/** A row that cannot be read back: somebody edited it, or another version wrote it. */
export interface DamagedRow {
  readonly kind: RowKind;
  readonly id: string;
}

/** Reports a damaged row to an operator, once. Never throws. */
export type TellDamage = (row: DamagedRow, error: unknown) => void;

/** How to read one kind of row; `read` throws for a damaged one. */
export interface RowReader<R, T> {
  readonly kind: RowKind;
  idOf(row: R): string;
  read(row: R): T;
}

/** Null for a damaged row. Code that handles several rows reads them with this, so that one bad row cannot stop the rest. */
export function readRow<R, T>(row: R, { kind, idOf, read }: RowReader<R, T>, tell: TellDamage): T | null {
  try {
    return read(row);
  } catch (error) {
    tell({ kind, id: idOf(row) }, error);
    return null;
  }
}

/** Separates readable rows from damaged ones, keeping the order. */
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

/** The readable rows, in order. */
export function readRows<R, T>(rows: readonly R[], reader: RowReader<R, T>, tell: TellDamage): T[] {
  return sortRows(rows, reader, tell).sound;
}
