/** Words with which people begin a question for something: “which service”. */
export const questionWords: ReadonlySet<string> = new Set([
  ...['who', 'whom', 'whose', 'what', 'which', 'when', 'where', 'why', 'how'],
]);

/** Words with which they begin one to be answered by yes or no: “is it down”. */
export const whetherWords: ReadonlySet<string> = new Set([
  ...['is', 'are', 'was', 'were', 'am', 'do', 'does', 'did', 'has', 'have'],
]);

/** Whether one of the first words of a text asks for something, also as “what’s” or “whos”. */
export const asksFor = (text: string, first = 1): boolean =>
  (text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [])
    .slice(0, first)
    .some((word) => questionWords.has(word) || questionWords.has(word.replace(/['’]?(?:s|re)$/u, '')));

/** Whether a text begins like a question to be answered by yes or no, also as “isn’t”. */
export const asksWhether = (text: string): boolean =>
  whetherWords.has(
    /^[\p{L}'’]+/u.exec(text.trim().toLowerCase())?.[0].replace(/(?<=is|are)n['’]?t$/u, '') ?? '',
  );
