import type { Case } from './case.ts';

/** A message in the form the checker needs. */
export interface Seen {
  readonly text: string;
  /** All of its content as JSON. */
  readonly all: string;
  /** The bot's key for it, empty if it has none. */
  readonly key: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly canApprove: boolean;
}

/** The requests, the messages people saw, and the writes vendors received, once everything has settled. */
export interface Account {
  readonly asked: readonly (Case & { readonly acknowledged: boolean })[];
  /** From the channel of the requests, without private messages. */
  readonly messages: readonly Seen[];
  /** The bot's private messages, by person: answers to requests without a card. */
  readonly whispers: ReadonlyMap<string, number>;
  /** How often each mark arrived at its destination. */
  readonly effects: ReadonlyMap<string, number>;
  /** Ids of all runs that wrote, or should have. */
  readonly runs: readonly string[];
  /** All content of other workspaces, which must not contain any of this. */
  readonly elsewhere: string;
  /** Unfinished rows, by kind. */
  readonly leftOver: Readonly<Record<string, number>>;
}

export interface Verdict {
  readonly lost: string[];
  readonly repeated: string[];
  readonly untold: string[];
  /** Marks of one workspace that were seen in another. */
  readonly mixedUp: string[];
}

/** Compares the vendors' writes with what people were told. */
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

const wordsOf = (finals: readonly Seen[]): string =>
  finals.map(({ text }) => `“${text.slice(0, 200)}”`).join(', ');

function judge({ mark }: Case, { messages, effects, elsewhere }: Account, verdict: Verdict): void {
  const { lost, repeated, untold } = verdict;
  const made = effects.get(mark) ?? 0;
  const cards = cardsOf(mark, messages);
  const finals = messages.filter(
    ({ key, threadTs }) => key.startsWith('final:') && cards.some(({ ts }) => ts === threadTs),
  );
  const isDone = finals.some(({ text }) => text.startsWith('Done'));
  // A page that PagerDuty took while it could not be asked may have joined an incident that another page opened.
  const inDoubt = finals.some(({ text, all }) => /unknown|could not be looked up/i.test(text + all));
  if (elsewhere.includes(mark)) verdict.mixedUp.push(`${mark} stands in another workspace`);
  // People who are told that an outcome is unknown, or that a page went out again, know that there may be two.
  const again = finals.filter(({ text, all }) => /unknown|sent again under/i.test(text + all)).length;
  if (made > 1 + again) repeated.push(`${mark} was written ${made} times, told as ${wordsOf(finals)}`);
  if (made === 0 && isDone && !inDoubt) lost.push(`${mark} is told as done and was never written`);
  if (made > 0 && !isDone && !inDoubt) untold.push(`${mark} was written and nobody was told`);
  if (cards.some(({ canApprove }) => canApprove)) lost.push(`${mark} was approved and is still open`);
}

function noAnswer(account: Account, { lost }: Verdict): void {
  for (const [as, silent] of unanswered(account))
    lost.push(`${as} asked and heard nothing: ${silent.map(({ mark }) => mark).join(' ')}`);
}

/** Acknowledged requests without a card, of people with fewer private messages: only the number of those is known. */
export function unanswered({
  asked,
  messages,
  whispers,
}: Pick<Account, 'asked' | 'messages' | 'whispers'>): [string, Case[]][] {
  const without = asked.filter(
    ({ acknowledged, mark }) => acknowledged && cardsOf(mark, messages).length === 0,
  );
  return [...Map.groupBy(without, (each) => each.as)].filter(
    ([as, silent]) => silent.length > (whispers.get(as) ?? 0),
  );
}

export function cardsOf(mark: string, messages: readonly Seen[]): Seen[] {
  return messages.filter(
    ({ key, threadTs, all }) => threadTs === null && key.startsWith('card:') && all.includes(mark),
  );
}
