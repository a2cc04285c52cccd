/** Maximum characters of a result's `lines`. */
const maxLines = 8_000;

/**
 * The lines of a list as one text of at most 8,000 characters. Whole lines only; if some of `total` are missing, the
 * last line says so: "20 of 240 shown".
 */
export function fittedLines(lines: readonly string[], total: number, most = maxLines): string {
  const all = lines.join('\n');
  if (all.length <= most && lines.length >= total) return all;
  const room = most - `\n${total} of ${total} shown`.length;
  const kept: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += line.length + 1;
    if (used > room) break;
    kept.push(line);
  }
  return [...kept, `${kept.length} of ${total} shown`].join('\n');
}
