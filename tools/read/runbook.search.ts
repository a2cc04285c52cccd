import { runbookSearch as manifest } from '../../manifests/runbook.search.ts';
import { cut, oneLine, visibleText } from '../../src/core/clean-text.ts';
import { CountersignError, describeError } from '../../src/core/errors.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineRead } from '../../src/core/tool.ts';

type RunbookHit = Awaited<ReturnType<Readers['runbooks'][number]['search']>>['hits'][number];

/** The plan does not say which runbook is meant. */
export class RunbookError extends CountersignError {}

/** Maximum runbooks listed from each source. */
const listed = 5;
const maxTitle = 200;
const maxExcerpt = 1_500;
const maxLines = 8_000;
const maxLink = 3_000;
const maxRows = 20;

export const runbookSearch = defineRead(manifest, async (args, { readers, now, signal }) => {
  const { query = '', service = null, code = null } = args;
  if (`${query}${service ?? ''}${code ?? ''}`.trim() === '') {
    throw new RunbookError('query_missing', 'The plan names no words, service or code to find runbooks by.');
  }
  const asked = { words: nameIn(query), service, code };
  const searched = await Promise.allSettled(
    readers.runbooks.map((place) => place.search(asked, listed, signal)),
  );
  const answers = searched.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const errors = searched.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const total = answers.reduce((sum, answer) => sum + answer.total, 0);
  // One source's results help when another is down; "nothing found" is only true when all were searched.
  if (total === 0 && errors.length > 0) throw errors[0];
  const hits = answers.flatMap((answer) => answer.hits);
  const [best] = hits;
  const more = total > hits.length ? [`${hits.length} of ${total} shown`] : [];
  const lines = [...hits.map((hit, index) => `${index + 1}. ${hitLine(hit, now())}`), ...more];
  return {
    total,
    missed: cut(errors.map((error) => describeError(error).message.replace(/\.$/, '')).join('; '), 500),
    title: best === undefined ? '' : cut(titleOf(best), 300),
    link: linkOf(best),
    text: excerptOf(best),
    runbooks: hits.slice(0, maxRows).map((hit) => ({
      title: titleOf(hit),
      place: cut(oneLine(hit.place), maxTitle),
      changed: hit.changed ?? '',
      link: linkOf(hit),
    })),
    lines: cut([lines.join('\n'), excerptOf(best)].filter(Boolean).join('\n\n'), maxLines),
  };
});

/**
 * The name in the title of an alert, such as `[FIRING:1] KubePodCrashLooping checkout (monitoring critical)`: the labels
 * behind it are in no runbook. Anything else is searched as it was said.
 */
function nameIn(query: string): string {
  const title = /^\[(?:firing|resolved)(?::\d+)?\] *(\S.*)$/is.exec(query.trim())?.[1];
  if (title === undefined) return query;
  const [word = ''] = title.split(/\s/, 1);
  const isName = /^[A-Z][a-z\d]+[A-Z]\w*$/.test(word);
  return isName ? word : (title.split(/\s(?:for\s|\()/, 1)[0] ?? title);
}

function linkOf(hit: RunbookHit | undefined): string {
  return hit === undefined || hit.address.length > maxLink ? '' : hit.address;
}

function titleOf({ title, section }: RunbookHit): string {
  return cut(oneLine(section === '' ? title : `${title} › ${section}`), maxTitle);
}

function hitLine(hit: RunbookHit, now: Date): string {
  const changed = hit.changed === null ? '' : `, changed ${agoWords(hit.changed, now)}`;
  return `${titleOf(hit)}  (${oneLine(hit.place)}${changed})`;
}

function excerptOf(hit: RunbookHit | undefined): string {
  return hit === undefined ? '' : cut(visibleText(hit.excerpt).trim(), maxExcerpt);
}

const steps: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, 'year'],
  [2_629_800, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** The age of an ISO 8601 time: `3 days ago`; `just now` below a minute. */
function agoWords(iso: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(iso)) / 1_000;
  const step = steps.find(([size]) => seconds >= size);
  return step === undefined ? 'just now' : words.format(-Math.floor(seconds / step[0]), step[1]);
}
