/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Levels of lists and objects. Reading, copying and checking deeper ones takes time and stack that nobody granted. */
const maxDepth = 200;

/** What `text` spells as JSON; undefined when it is none, or nested deeper than anything that we read. */
export function parseJson(text: string): unknown {
  if (isDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const code = { quote: 34, list: 91, backslash: 92, listEnd: 93, object: 123, objectEnd: 125 };

function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === code.quote) at = endOfString(text, at);
    else if (char === code.list || char === code.object) depth += 1;
    else if (char === code.listEnd || char === code.objectEnd) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Where a string is closed; the end of the text when it is not. */
function endOfString(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text.charCodeAt(at) !== code.quote)
    at += text.charCodeAt(at) === code.backslash ? 2 : 1;
  return at;
}

/** Plain data as JSON: a copy without undefined fields. Throws for what JSON cannot carry. */
export function jsonOf(value: unknown): Json {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON cannot carry ${typeof value}`);
  return JSON.parse(text);
}
