import type { Case } from './case.ts';

/** A message as the checker needs it. */
export interface Seen {
  readonly text: string;
  /** Everything in it as JSON. */
  readonly all: string;
  /** The bot's key for it, empty without one. */
  readonly key: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly canApprove: boolean;
}

/** What was asked, what people saw and what vendors received, once everything has settled. */
export interface Account {
  readonly asked: readonly (Case & { readonly acknowledged: boolean })[];
  /** Of the channel in which all of it was asked; no private words. */
  readonly messages: readonly Seen[];
  /** The bot's private words, by person: answers to what got no card. */
  readonly whispers: ReadonlyMap<string, number>;
  /** How often each mark arrived where its case was to write. */
  readonly effects: ReadonlyMap<string, number>;
  /** Ids of all runs that wrote, or were to. */
  readonly runs: readonly string[];
  /** Everything that stands in other workspaces, where nothing of this may be. */
  readonly elsewhere: string;
  /** Rows that nobody has finished, by what they are. */
  readonly leftOver: Readonly<Record<string, number>>;
}

export interface Verdict {
  readonly lost: string[];
  readonly repeated: string[];
  readonly untold: string[];
  /** Of one workspace, and seen in another. */
  readonly mixedUp: string[];
}

/** Compares what vendors received with what people were told. */
export function verdictOf(account: Account): Verdict {
  const verdict: Verdict = { lost: [], repeated: [], untold: [], mixedUp: [] };
  for (const each of account.asked) judge(each, account, verdict);
  noAnswer(account, verdict);
  const keys = Map.groupBy(
    account.messages.filter(({ key }) => key !== ''),
    ({ key }) => key,
  );
  for (const [key, same] of keys) {
    if (same.length > 1) verdict.repeated.push(`${key} stands in Slack ${same.length} times`);
  }
  for (const id of account.runs) {
    if (!keys.has(`final:${id}`)) verdict.untold.push(`run ${id} has no last word`);
  }
  for (const [what, count] of Object.entries(account.leftOver)) {
    if (count > 0) verdict.lost.push(`${count} ${what} that nobody finished`);
  }
  return verdict;
}

function judge({ mark }: Case, { messages, effects, elsewhere }: Account, verdict: Verdict): void {
  const { lost, repeated, untold } = verdict;
  const made = effects.get(mark) ?? 0;
  const cards = cardsOf(mark, messages);
  const finals = messages.filter(
    ({ key, threadTs }) => key.startsWith('final:') && cards.some(({ ts }) => ts === threadTs),
  );
  const isDone = finals.some(({ text }) => text.startsWith('Done'));
  const inDoubt = finals.some(({ text }) => /unknown/i.test(text));
  if (elsewhere.includes(mark)) verdict.mixedUp.push(`${mark} stands in another workspace`);
  if (made > 1) repeated.push(`${mark} was written ${made} times`);
  if (made === 0 && isDone) lost.push(`${mark} is told as done and was never written`);
  if (made > 0 && !isDone && !inDoubt) untold.push(`${mark} was written and nobody was told`);
  if (cards.some(({ canApprove }) => canApprove)) lost.push(`${mark} was approved and is still open`);
}

/** Whoever asked got a card or a private word; how many private words each person got is all that can be told. */
function noAnswer({ asked, messages, whispers }: Account, { lost }: Verdict): void {
  const without = asked.filter(
    ({ acknowledged, mark }) => acknowledged && cardsOf(mark, messages).length === 0,
  );
  for (const [as, silent] of Map.groupBy(without, (each) => each.as)) {
    const words = whispers.get(as) ?? 0;
    if (silent.length > words)
      lost.push(`${as} asked and heard nothing: ${silent.map(({ mark }) => mark).join(' ')}`);
  }
}

export function cardsOf(mark: string, messages: readonly Seen[]): Seen[] {
  return messages.filter(
    ({ key, threadTs, all }) => threadTs === null && key.startsWith('card:') && all.includes(mark),
  );
}
