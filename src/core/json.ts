/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Maximum nesting. Reading, copying and checking anything deeper takes unbounded time and stack. */
const maxDepth = 200;

/** Parses `text` as JSON; undefined when it is invalid or nested too deeply. */
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

/** Index after the object or list that opens at `at`; -1 when it does not close. */
export function jsonEnd(text: string, at: number): number {
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    const char = text.charCodeAt(end);
    if (char === code.quote) end = endOfString(text, end);
    else if (char === code.list || char === code.object) depth += 1;
    else if (char === code.listEnd || char === code.objectEnd) depth -= 1;
    if (depth === 0) return end + 1;
  }
  return -1;
}

/** Index of the string's closing quote; the end of the text when there is none. */
function endOfString(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text.charCodeAt(at) !== code.quote)
    at += text.charCodeAt(at) === code.backslash ? 2 : 1;
  return at;
}

/** Plain data as JSON: a copy without undefined fields. Throws for values that JSON cannot represent. */
export function jsonOf(value: unknown): Json {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON cannot carry ${typeof value}`);
  return JSON.parse(text);
}
