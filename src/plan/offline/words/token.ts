/** What a piece of a goal is. `word` is anything that is not a thing with a name or a value. */
export type TokenKind =
  | 'word'
  | 'mark'
  | 'quote'
  | 'query'
  | 'channel'
  | 'user'
  | 'date'
  | 'key'
  | 'priority'
  | 'code'
  | 'id'
  | 'duration'
  | 'clock'
  | 'number'
  | 'project'
  | 'service';

export interface Token {
  readonly kind: TokenKind;
  /** The canonical word, or the value of a thing: `P1`, `PT45M`, `#ops`, `25`. */
  readonly word: string;
  /** As written. */
  readonly raw: string;
  /** Place in the goal. */
  readonly start: number;
  readonly end: number;
}

const marks: Partial<Record<TokenKind, string>> = {
  quote: '§quote',
  query: '§query',
  channel: '§chan',
  user: '§user',
  date: '§date',
  key: '§key',
  priority: '§prio',
  code: '§code',
  id: '§id',
  duration: '§dur',
  clock: '§clock',
  number: '§num',
  project: '§proj',
  service: '§svc',
};

/** Tokens as one line for patterns: words as they are, things as `§kind` and their place in the list. */
export function lineOf(tokens: readonly Token[]): string {
  return tokens.map((token, index) => render(token, index)).join(' ');
}

function render(token: Token, index: number): string {
  const mark = marks[token.kind];
  return mark === undefined ? token.word : `${mark}${index}`;
}

/** The token that a `§kind7` of `lineOf(tokens)` stands for. */
export function tokenAt(tokens: readonly Token[], mark: string | undefined): Token | undefined {
  const index = mark?.match(/\d+$/)?.[0];
  return index === undefined ? undefined : tokens[Number(index)];
}

export function ofKind(tokens: readonly Token[], ...kinds: readonly TokenKind[]): Token[] {
  return tokens.filter((token) => kinds.includes(token.kind));
}

/** The goal's own text from the first to the last of the tokens. */
export function sliceOf(goal: string, tokens: readonly Token[]): string {
  const first = tokens[0];
  const last = tokens.at(-1);
  if (!first || !last) return '';
  return goal.slice(first.start, last.end).trim();
}
