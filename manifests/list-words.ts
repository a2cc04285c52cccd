const ranks: Readonly<Record<string, string>> = {
  updated: 'most recently updated',
  priority: 'highest-priority',
};

/** The first words of a list: "oldest", "most recently updated". */
export function rankWords(order = 'first'): string {
  return ranks[order] ?? order;
}

/** A list with its order and limit: "the oldest open ticket in OPS", "the 5 newest tickets in OPS". */
export function listWords(
  { order, limit }: { readonly order?: string; readonly limit?: string },
  words: (total: number) => string,
): string {
  const rank = rankWords(order);
  if (limit === '1') return `the ${rank} ${words(1)}`;
  if (limit === undefined) return order === undefined ? words(2) : `${words(2)}, ${rank} first`;
  return order === undefined ? `the first ${limit} ${words(2)}` : `the ${limit} ${rank} ${words(2)}`;
}
