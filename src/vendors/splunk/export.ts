import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { answerTooLarge, cellText, type QueryAnswer } from '../../core/queries/answer.ts';
import { badAnswer } from '../http/no-answer.ts';

/** Maximum bytes read of an answer. The rest is not counted. */
const maxBytes = 100_000_000;
/** Maximum bytes of one line; an event has 10,000 characters unless the operator allows more. */
const maxLine = 1_000_000;
/** Maximum size of the results kept. */
const maxKept = 8_000_000;

const line = z.object({
  result: z.record(z.string(), z.unknown()).optional(),
  messages: z.array(z.object({ type: z.string(), text: z.string() })).optional(),
  preview: z.boolean().optional(),
});

/** Fields about where an event is stored, not about what happened. */
const inner =
  /^_(?!time$|raw$)|^(linecount|splunk_server|punct|timestartpos|timeendpos|eventtype|tag(::.*)?)$/;

/** Reads an export line by line: keeps the first `limit` results and only counts the others. */
export async function readExport(body: AsyncIterable<Uint8Array>, limit: number): Promise<QueryAnswer> {
  const kept: Record<string, unknown>[] = [];
  let [total, size, exact] = [0, 0, true];
  for await (const text of linesOf(body, () => (exact = false))) {
    if (kept.length >= limit && text.includes('"result"') && !text.includes('"messages"')) {
      // Beyond the limit a line is only counted; parsing it as JSON would be most of the work.
      if (!/"preview"\s*:\s*true/.test(text.slice(0, 40))) total += 1;
      continue;
    }
    size += text.length;
    if (size > maxKept) throw answerTooLarge('Splunk', maxKept, 'fewer or shorter fields');
    const { result, messages = [], preview = false } = entryOf(text);
    const fatal = messages.find(({ type }) => type === 'FATAL' || type === 'ERROR');
    if (fatal) throw refused(fatal.text);
    if (result === undefined || preview || Object.keys(result).length === 0) continue;
    total += 1;
    if (kept.length < limit) kept.push(result);
  }
  return { ...tableOf(kept), total, exact };
}

/** A search that Splunk aborted in the middle of its answer. */
function refused(text: string): VendorError {
  const message = `Splunk did not accept the search: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)}`;
  return new VendorError('refused', message, {
    retryable: false,
    mayHaveHappened: false,
    facts: { vendor: 'Splunk' },
  });
}

function entryOf(text: string): z.infer<typeof line> {
  const parsed = line.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw badAnswer('Splunk', 'a line of it is not the JSON that is documented', {
    write: false,
    cause: parsed.error,
  });
}

async function* linesOf(body: AsyncIterable<Uint8Array>, onCut: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Pieces of a line are joined once: otherwise a slow sender would have all of it copied for each piece.
  let pieces: string[] = [];
  let [length, bytes] = [0, 0];
  for await (const chunk of body) {
    bytes += chunk.length;
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    pieces.push(first);
    length += first.length;
    if (length > maxLine || others.some((other) => other.length > maxLine))
      throw badAnswer('Splunk', 'a line of it is too long', { write: false });
    for (const other of others) {
      if (length > 0) {
        const line = pieces.join('');
        if (line.trim() !== '') yield line;
      }
      [pieces, length] = [[other], other.length];
    }
    if (bytes > maxBytes) {
      onCut();
      return;
    }
  }
  const last = pieces.join('');
  if (last.trim() !== '') yield last;
}

/** Columns in the order in which results name them; the event itself comes last. */
function tableOf(results: readonly Record<string, unknown>[]): Pick<QueryAnswer, 'columns' | 'rows'> {
  const names = [...new Set(results.flatMap((result) => Object.keys(result)))].filter(
    (name) => !inner.test(name),
  );
  const hasRaw = names.includes('_raw');
  const columns = hasRaw ? ['_time', '_raw'].filter((name) => names.includes(name)) : names;
  return { columns, rows: results.map((result) => columns.map((name) => cellText(result[name]))) };
}
