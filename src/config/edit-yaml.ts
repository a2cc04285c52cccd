import {
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml';

/**
 * `countersign.yml` with one more word in a list, which is created if missing. Everything else stays as written,
 * including comments: printing the document again would change unrelated lines. Null if there is no such place.
 */
export function withWord(source: string, path: readonly string[], word: string): string | null {
  const document = parseDocument(source);
  const place = path.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const list = document.getIn(place);
  const holder = document.getIn(place.slice(0, -1));
  const written = stringify(word).trim();
  if (isSeq(list)) return intoList(source, list, written);
  if (list !== undefined || !isMap(holder)) return null;
  return intoMap(source, holder, `${String(place.at(-1))}: [${written}]`);
}

function intoList(
  source: string,
  list: { items: unknown[]; flow?: boolean; range?: Range },
  word: string,
): string | null {
  const last = list.items.at(-1);
  const end = list.range?.[1];
  if (list.flow === true && end !== undefined) {
    return last === undefined
      ? spliced(source, end - 1, word)
      : spliced(source, endOf(last) ?? end - 1, `, ${word}`);
  }
  const start = list.range?.[0];
  const after = endOf(last);
  if (start === undefined || after === undefined) return null;
  // After a comment that the last item may have.
  const lineEnd = source.indexOf('\n', after);
  return spliced(source, lineEnd < 0 ? source.length : lineEnd, `\n${indentAt(source, start)}- ${word}`);
}

function intoMap(source: string, map: YAMLMap, pair: string): string | null {
  const first = map.items[0];
  const key = isPair(first) && isNode(first.key) ? first.key.range?.[0] : undefined;
  if (key === undefined) return null;
  if (map.flow === true) return spliced(source, key, `${pair}, `);
  return spliced(source, key, `${pair}\n${indentAt(source, key)}`);
}

type Range = readonly [start: number, valueEnd: number, nodeEnd: number] | null;

function endOf(item: unknown): number | undefined {
  return isScalar(item) || isCollection(item) ? item.range?.[1] : undefined;
}

/** The indentation of a position, as many spaces as its column. */
function indentAt(source: string, at: number): string {
  return ' '.repeat(at - (source.lastIndexOf('\n', at - 1) + 1));
}

function spliced(source: string, at: number, text: string): string {
  return `${source.slice(0, at)}${text}${source.slice(at)}`;
}

/** The lines from the first to the last difference between two texts, old ones with `-` and new ones with `+`. */
export function lineDiff(before: string, after: string): string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let same = 0;
  while (same < old.length && same < fresh.length && old[same] === fresh[same]) same += 1;
  let tail = 0;
  const rest = Math.min(old.length, fresh.length) - same;
  while (tail < rest && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(same, old.length - tail).map((line) => `- ${line}`),
    ...fresh.slice(same, fresh.length - tail).map((line) => `+ ${line}`),
  ];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
