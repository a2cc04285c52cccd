import { checkedAgainst, ledgerOf } from './fact-ledger.ts';

/** A model's draft of a review: claims that name the records they rest on, and the check that they do. */

export const draftParts = ['summary', 'happened', 'factors', 'well', 'open'] as const;
export type DraftPart = (typeof draftParts)[number];

export interface Claim {
  readonly part: DraftPart;
  readonly text: string;
  /** Numbers of records, the first of which is 1. */
  readonly records: readonly number[];
}

/**
 * - `recorded`: what the bot, PagerDuty or Jira recorded says so.
 * - `said`: only the words of an alert, a message or a text say so.
 * - `none`: no record that it names says so.
 */
export type Support = 'recorded' | 'said' | 'none';

export interface CheckedClaim extends Omit<Claim, 'records'> {
  readonly support: Support;
}

/** The claim's support, and its text with a mark after every detail that no record has. */
export function checkClaim({ part, text, records: named }: Claim, records: readonly string[]): CheckedClaim {
  const all = records.join('\n');
  const marked = checkedAgainst(ledgerOf(all, { timesAreWhole: true }), all, text).text;
  const cited = named.flatMap((number) => records[number - 1] ?? []);
  // The first record names the incident, which every claim is about.
  const source = [...records.slice(0, 1), ...cited];
  const isSaid = cited.length > 0 && stands(text, source.join('\n'));
  const isRecorded = isSaid && stands(text, source.map(withoutQuoted).join('\n'));
  return { part, text: marked, support: isRecorded ? 'recorded' : isSaid ? 'said' : 'none' };
}

/** From the first to the last quotation mark, or to the end of a cut one: quoted words may have marks of their own. */
function withoutQuoted(record: string): string {
  const from = record.indexOf('“');
  if (from < 0) return record;
  const to = record.endsWith('…') ? -1 : record.lastIndexOf('”');
  return `${record.slice(0, from)}${to < from ? '' : record.slice(to + 1)}`;
}

/** The model is asked to begin with one of these or with a word of its records: a name could stand there. */
const opening = /^(?:The|A|An|It|Its)\b/;
const names = /\p{Lu}[\p{L}\p{N}]+|@[\p{L}\p{N}._-]+/gu;
const words = /\p{L}{4,}/gu;
/** Words that begin alike are taken for the same: "resolved" and "resolves". */
const stem = 5;

/** Every number, key, time and name of it stands in the source, and so do half of its words. */
function stands(text: string, source: string): boolean {
  if (checkedAgainst(ledgerOf(source, { timesAreWhole: true }), source, text).marked > 0) return false;
  const stems = (of: string) => (of.toLowerCase().match(words) ?? []).map((word) => word.slice(0, stem));
  const known = new Set(stems(source));
  const low = source.toLowerCase();
  if ((text.replace(opening, '').match(names) ?? []).some((name) => !low.includes(name.toLowerCase())))
    return false;
  const said = stems(text);
  return said.filter((word) => known.has(word)).length * 2 >= said.length;
}
