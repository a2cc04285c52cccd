/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** What `text` spells as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Plain data as JSON: a copy without undefined fields. Throws for what JSON cannot carry. */
export function jsonOf(value: unknown): Json {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON cannot carry ${typeof value}`);
  return JSON.parse(text);
}
