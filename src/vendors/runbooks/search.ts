import MiniSearch from 'minisearch';
import type { LinkHosts } from '../../core/address.ts';
import { cut } from '../../core/clean-text.ts';
import { createSlices } from '../../core/slices.ts';
import { configuredUrl } from '../http/egress.ts';
import { aboutness, problemWordsIn, sectionFor, type Topics, topicsOf } from './about.ts';
import { type FolderLimits, type FoundFile, findMarkdown, readWithin } from './folder.ts';
import { type Runbook, readMarkdown, type Section } from './markdown.ts';
import type { RunbookHit, RunbookQuery, RunbookSource } from './port.ts';

export interface RunbookOptions {
  readonly folder: string;
  /** Base address where the same files can be opened, such as https://github.com/acme/runbooks/blob/main. */
  readonly address: string | null;
  readonly now: () => Date;
}

export const folderLimits: FolderLimits = {
  files: 5_000,
  fileBytes: 250_000,
  totalBytes: 30_000_000,
  depth: 12,
};
/** The folder is checked again after this time. */
const lookMs = 2_000;
/** Files read at once. */
const readTogether = 32;
const maxExcerpt = 1_500;
/** Maximum characters indexed of a section, and of the names stored with each section. */
const maxIndexed = 20_000;
const maxMarks = 2_000;

interface IndexedRunbook extends Runbook {
  readonly file: FoundFile;
  readonly ids: readonly number[];
  /** All of its text, in lower case, for exact strings. */
  readonly all: string;
  readonly topics: Topics;
}

interface Entry {
  readonly path: string;
  readonly section: Section;
}

interface Index {
  readonly runbooks: Map<string, IndexedRunbook>;
  readonly entries: Map<number, Entry>;
  readonly index: MiniSearch;
}

/** A folder of Markdown. Changed files are read again before the next search. */
export function openRunbooks(options: RunbookOptions): RunbookSource {
  const known: Index = { runbooks: new Map(), entries: new Map(), index: newIndex() };
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  const upToDate = async (): Promise<void> => {
    if (options.now().getTime() - lookedAt < lookMs) return;
    looking ??= refresh(options, known, AbortSignal.timeout(30_000)).finally(() => {
      looking = null;
    });
    await looking;
    lookedAt = options.now().getTime();
  };
  return {
    async about(text, services) {
      await upToDate();
      const problem = problemWordsIn(text, services);
      let [best, most]: [IndexedRunbook | undefined, number] = [undefined, 0];
      for (const runbook of known.runbooks.values()) {
        const sure = aboutness(runbook.topics, problem);
        if (sure > most) [best, most] = [runbook, sure];
      }
      const section = best && sectionFor(best, problem);
      return best && section ? hitOf(options, known, { path: best.file.path, section }) : null;
    },
    async search(query, limit) {
      await upToDate();
      const found = bestSections(known, query);
      const hits = found.slice(0, limit).map((entry) => hitOf(options, known, entry));
      return { total: found.length, hits };
    },
  };
}

function newIndex(): MiniSearch {
  return new MiniSearch({
    fields: ['title', 'heading', 'marks', 'body'],
    searchOptions: {
      boost: { title: 4, heading: 3, marks: 3 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    },
  });
}

async function refresh(options: RunbookOptions, known: Index, signal: AbortSignal): Promise<void> {
  const { files } = await findMarkdown(options.folder, folderLimits, signal);
  const now = new Map(files.map((file) => [file.path, file]));
  const turn = createSlices();
  for (const [path, runbook] of known.runbooks) {
    if (now.get(path)?.version !== runbook.file.version) remove(known, path, runbook);
    await turn();
  }
  const changed = files.filter(({ path }) => !known.runbooks.has(path));
  for (let from = 0; from < changed.length; from += readTogether) {
    const some = changed.slice(from, from + readTogether);
    const read = (file: FoundFile) => readWithin(options.folder, file.path, folderLimits.fileBytes);
    const sources = await Promise.all(some.map(read));
    for (const [index, file] of some.entries()) {
      const source = sources[index] ?? null;
      if (source !== null) await add(known, file, readMarkdown(source, nameOf(file.path)), turn);
    }
  }
}

let lastId = 0;

async function add(
  { runbooks, entries, index }: Index,
  file: FoundFile,
  runbook: Runbook,
  turn: () => Promise<void>,
): Promise<void> {
  const where = file.path.replaceAll(/[/_.-]/g, ' ');
  const marks = [...runbook.marks, where].join(' ').slice(0, maxMarks);
  const ids: number[] = [];
  for (const section of runbook.sections) {
    lastId += 1;
    entries.set(lastId, { path: file.path, section });
    const { heading, text } = section;
    index.add({ id: lastId, title: runbook.title, heading, marks, body: text.slice(0, maxIndexed) });
    ids.push(lastId);
    await turn();
  }
  const parts = runbook.sections.map(({ heading, text }) => `${heading}\n${text}`);
  const all = [file.path, runbook.title, ...runbook.marks, ...parts].join('\n').toLowerCase();
  runbooks.set(file.path, { ...runbook, file, ids, all, topics: topicsOf(runbook) });
}

function remove({ runbooks, entries, index }: Index, path: string, runbook: IndexedRunbook): void {
  runbooks.delete(path);
  for (const id of runbook.ids) entries.delete(id);
  index.discardAll(runbook.ids);
}

function nameOf(path: string): string {
  return path
    .replace(/^.*\//, '')
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[-_]/g, ' ');
}

/** The best section of each matching runbook, best first. Of three or more words two thirds must match, of fewer all. */
function bestSections({ runbooks, entries, index }: Index, query: RunbookQuery): Entry[] {
  const needles = [query.code, query.service].flatMap((one) => (one === null ? [] : [one.toLowerCase()]));
  const fits = (path: string): boolean => {
    const all = runbooks.get(path)?.all ?? '';
    return needles.every((needle) => holds(all, needle));
  };
  const words = contentWords(query.words);
  const wanted = words.length > 0 ? words : needles;
  const enough = Math.ceil((wanted.length * 2) / 3);
  const best = new Map<string, Entry>();
  for (const hit of index.search(wanted.join(' '))) {
    const entry = entries.get(Number(hit.id));
    if (entry === undefined || best.has(entry.path) || !fits(entry.path)) continue;
    const matched = words.length === 0 ? enough : new Set(hit.queryTerms).size;
    if (matched >= enough) best.set(entry.path, entry);
  }
  return [...best.values()];
}

/** As a separate word: "stops" does not contain `ops`. */
function holds(all: string, needle: string): boolean {
  for (let at = all.indexOf(needle); at >= 0; at = all.indexOf(needle, at + 1)) {
    const [before, after] = [all[at - 1] ?? ' ', all[at + needle.length] ?? ' '];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

/** The date of change is the file's own. Asking git would run a program with settings from a folder that others write. */
function hitOf({ address }: RunbookOptions, { runbooks }: Index, { path, section }: Entry): RunbookHit {
  const runbook = runbooks.get(path);
  const anchor = section.anchor === '' ? '' : `#${encodeURIComponent(section.anchor)}`;
  const below = path.split('/').map(encodeURIComponent).join('/');
  return {
    title: runbook?.title ?? path,
    section: section.heading === runbook?.title ? '' : section.heading,
    place: path,
    address: address === null ? '' : `${address.replace(/\/$/, '')}/${below}${anchor}`,
    changed: runbook === undefined ? null : new Date(runbook.file.changedAt).toISOString(),
    excerpt: textFrom(runbook?.sections ?? [], section),
  };
}

/** A numbered list: what to do. */
const steps = /^ {0,3}\d{1,9}[.)][ \t]/m;

/** The section and those after it up to the first with steps, which usually follow the symptom; else as far as it fits. */
function textFrom(sections: readonly Section[], section: Section): string {
  const from = sections.slice(sections.indexOf(section));
  const last = from.findIndex(({ text }) => steps.test(text));
  const [first, ...rest] = last < 0 ? from : from.slice(0, last + 1);
  const following = rest.map(({ heading, text }) => `${heading}\n${text}`);
  return cut([first?.text ?? '', ...following].join('\n\n').trim(), maxExcerpt);
}

/** The folder of runbooks for the tools, with the host of its links; empty when it is not set up. */
export function connectRunbooks(options: RunbookOptions | null): {
  readonly sources: readonly RunbookSource[];
  readonly hosts: LinkHosts;
} {
  if (options === null) return { sources: [], hosts: [] };
  const hosts = options.address === null ? [] : [configuredUrl(options.address).host];
  return { sources: [openRunbooks(options)], hosts };
}

const small = new Set(
  'a an and any are at be by can do does for from have how i if in is it my of on or our runbook runbooks that the there this to us we what when where which with'.split(
    ' ',
  ),
);

/** The words of a problem that carry its subject. */
function contentWords(said: string): string[] {
  const words = said.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => !small.has(word)).slice(0, 20);
}
