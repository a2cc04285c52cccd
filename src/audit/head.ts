import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StoreError } from '../store/errors.ts';
import type { Db } from '../store/tables.ts';
import * as audit from './chain.ts';

/** The end of the log at one moment. Kept elsewhere, it reveals when earlier lines were cut off or rewritten. */
export interface AuditHead {
  readonly team: string;
  /** Number of lines. */
  readonly count: number;
  /** Hash of the last line. */
  readonly head: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** One line that both people and programs can read: in a channel, a file or a ticket. */
export function formatHead({ team, count, head, at }: AuditHead): string {
  return `countersign-audit team=${team} count=${count} head=${head} at=${at}`;
}

const pattern =
  /countersign-audit team=(\S{1,100}) count=(\d{1,15}) head=([0-9a-f]{64}) at=([0-9TZ:.-]{20,30})/g;

/** Finds every such line in a text. */
export function parseHeads(text: string): AuditHead[] {
  return [...text.matchAll(pattern)].map(([, team = '', count, head = '', at = '']) => {
    return { team, count: Number(count), head, at };
  });
}

/** The current end of a team's log, or null before its first line. */
export async function currentHead(db: Db, team: string, now: Date): Promise<AuditHead | null> {
  const last = await audit.headOf(db, team);
  if (last.seq === 0) return null;
  return { team, count: last.seq, head: last.hash, at: now.toISOString() };
}

/** True when the log still contains, unchanged, the line that was last at that time. */
async function contains(db: Db, { team, count, head }: AuditHead): Promise<boolean> {
  return (await audit.hashAt(db, team, count)) === head;
}

/** The log ends recorded in this installation's folder, one per team. */
export async function readNoted(folder: string): Promise<AuditHead[]> {
  try {
    return parseHeads(await readFile(fileIn(folder), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Records the end of a team's log outside the database. Throws StoreError `audit_rewritten`, and keeps the old record,
 * when the log no longer contains the line recorded before.
 */
export async function noteHead(db: Db, folder: string, team: string, now: Date): Promise<void> {
  const noted = await readNoted(folder);
  const before = noted.find((each) => each.team === team);
  const current = await currentHead(db, team, now);
  // Usually nothing is new, and the last line is the recorded one.
  if (before !== undefined && current?.count === before.count && current.head === before.head) return;
  if (before !== undefined && !(await contains(db, before))) throw rewritten(before);
  if (current === null) return;
  const lines = [...noted.filter((each) => each.team !== team), current].map(formatHead);
  const draft = `${fileIn(folder)}.${process.pid}`;
  await writeFile(draft, `${lines.join('\n')}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, fileIn(folder));
}

function fileIn(folder: string): string {
  return path.join(folder, 'audit-heads');
}

function rewritten({ team, count, head, at }: AuditHead): StoreError {
  return new StoreError(
    'audit_rewritten',
    `The audit log was cut or rewritten: at ${at} line ${count} had the hash ${head}.`,
    { team, count, head, at },
  );
}
