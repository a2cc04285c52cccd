import { canonicalJson, isCanonicalJson, sha256 } from '../core/canonical.ts';
import { type Json, parseJson } from '../core/json.ts';
import { type AuditKeys, noAuditKeys } from './key.ts';
import { wrongChange } from './key-change.ts';

/** The hash before the first line. */
export const GENESIS = '0'.repeat(64);

/** The content of one log line, covered by its hash. */
export interface AuditFact {
  readonly team: string;
  /** Counts from 1 per team, without gaps. */
  readonly seq: number;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly subject: string;
  readonly data: Json;
  /** Id of the key used for its hash; absent in lines from before keys existed. */
  readonly key?: string;
}

export interface Chain {
  readonly count: number;
  /** Hash of the last line. */
  readonly head: string;
  /** Lines from before keys existed: anyone with database access could have rewritten them. */
  readonly unkeyed: number;
  /** Lines signed with keys we do not have, by key: their links hold, and nothing more can be verified. */
  readonly unproven: Readonly<Record<string, number>>;
}

export type ChainVerdict =
  | ({ readonly ok: true } & Chain)
  | { readonly ok: false; readonly seq: number; readonly why: string };

/**
 * HMAC-SHA-256 with the line's key, or SHA-256 if it has none, over the previous hash, a line feed, and the canonical
 * JSON of the line. Null when we do not have its key.
 */
export function hashLine(prev: string, fact: AuditFact, keys: AuditKeys = noAuditKeys): string | null {
  const { team, seq, at, kind, actor, subject, data, key } = fact;
  const line = { team, seq, at, kind, actor, subject, data, ...(key === undefined ? {} : { key }) };
  const text = `${prev}\n${canonicalJson(line)}`;
  return key === undefined ? sha256(text) : (keys.find(key)?.mac(text) ?? null);
}

/** One line of an exported log: canonical JSON of the fact with `prev` and `hash`, without a line feed. */
export function formatLine(fact: AuditFact, prev: string, hash: string): string {
  return canonicalJson({ ...fact, prev, hash });
}

/**
 * Checks one team's log line by line, from its first line; `next` returns null while everything fits. A log cut off at
 * its end is still a valid chain: compare `head` or `count` with a copy kept elsewhere.
 */
export function createChainCheck(keys: AuditKeys = noAuditKeys): {
  next(fact: AuditFact, prev: string, hash: string): string | null;
  chain(): Chain;
} {
  let head = GENESIS;
  let count = 0;
  let unkeyed = 0;
  const unproven: Record<string, number> = {};
  let team: string | null = null;
  let lastKey: string | undefined;
  return {
    next(fact, prev, hash) {
      team ??= fact.team;
      if (fact.team !== team) return `the line belongs to team ${fact.team}, the log to ${team}`;
      if (fact.seq !== count + 1) return `line ${count + 1} is missing`;
      if (prev !== head) return 'the hash of the line before does not fit';
      if (fact.key === undefined && unkeyed < count)
        return 'the line has no key, although the one before has';
      const expected = hashLine(prev, fact, keys);
      if (expected !== null && hash !== expected) return 'the line was changed after it was written';
      if (fact.key !== undefined && lastKey !== undefined && fact.key !== lastKey) {
        const change = { team, seq: fact.seq, prev, from: lastKey, to: fact.key };
        const wrong = wrongChange(change, fact, keys);
        if (wrong !== null) return wrong;
      }
      if (fact.key === undefined) unkeyed += 1;
      else if (expected === null) unproven[fact.key] = (unproven[fact.key] ?? 0) + 1;
      head = hash;
      lastKey = fact.key;
      count += 1;
      return null;
    },
    chain: () => ({ count, head, unkeyed, unproven }),
  };
}

/** Verifies an exported log (JSON lines) without a database. Every byte counts: a line must be canonical JSON. */
export function verifyExport(text: string, keys: AuditKeys = noAuditKeys): ChainVerdict {
  const check = createChainCheck(keys);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    const seq = index + 1;
    const entry = parseLine(line);
    if (typeof entry === 'string') return { ok: false, seq, why: entry };
    const why = check.next(entry.fact, entry.prev, entry.hash);
    if (why !== null) return { ok: false, seq, why };
  }
  return { ok: true, ...check.chain() };
}

/** The hash of one line of an exported log; null when that team's log has no such line. */
export function exportedHash(
  text: string,
  of: { readonly team: string; readonly count: number },
): string | null {
  const entry = parseLine(text.split('\n')[of.count - 1] ?? '');
  return typeof entry !== 'string' && entry.fact.team === of.team ? entry.hash : null;
}

function parseLine(line: string): { fact: AuditFact; prev: string; hash: string } | string {
  const value = parseJson(line);
  if (value === undefined) return 'the line is not JSON';
  if (!isEntry(value)) return 'the line lacks a field of an audit line, or has one of a wrong type';
  const { prev, hash, ...fact } = value;
  // Two spellings of one value (a duplicate name, say) must not read differently to a person and to us.
  if (!isCanonicalJson(line)) return 'the line is not in canonical form';
  return { fact, prev, hash };
}

function isEntry(value: unknown): value is AuditFact & { prev: string; hash: string } {
  if (typeof value !== 'object' || value === null || !('data' in value)) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const texts = ['team', 'at', 'kind', 'actor', 'subject', 'prev', 'hash'];
  if (fields.has('key')) texts.push('key');
  return (
    fields.size === texts.length + 2 &&
    Number.isInteger(fields.get('seq')) &&
    texts.every((name) => typeof fields.get(name) === 'string')
  );
}
