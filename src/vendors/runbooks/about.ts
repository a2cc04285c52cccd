import type { Runbook, Section } from './markdown.ts';

/** Words that are in the title of every second problem. */
const vague = new Set(
  'a an and are as at by do down error errors failed failing failure find for from how if in is issue it its minutes my no not of off on or our out problem process restart runbook server service services steps the this to too up was when where with'.split(
    ' ',
  ),
);

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** `pools` is the pool; short words are only themselves. */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:es|s|ed|ing)$/, '') : word);

const topicsIn = (text: string): Set<string> =>
  new Set(wordsIn(text).flatMap((word) => (word.length < 3 || vague.has(word) ? [] : [stem(word)])));

/** A code or the name of an alert: `PAY-E-2201`, `KubePodCrashLooping`. It means one thing wherever it stands. */
const isExact = (mark: string): boolean =>
  /^[\w.-]{5,}$/.test(mark) &&
  (/^[^A-Za-z]*[A-Za-z].*\d{2}/.test(mark) || /^(?:[A-Z][a-z\d]+){2,}$/.test(mark));

/** The subjects of a runbook, read once. */
export interface Topics {
  /** Codes and names of alerts, in lower case. */
  readonly exact: ReadonlySet<string>;
  /** Its marks and the words of its title, which name its services. */
  readonly names: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

export function topicsOf({ title, marks, sections }: Runbook): Topics {
  const named = [...marks, ...sections.flatMap(({ heading }) => heading.split(/[\s()[\],:]+/))];
  return {
    exact: new Set(named.filter(isExact).map((name) => name.toLowerCase())),
    names: new Set([...marks, ...wordsIn(title)]),
    title: topicsIn(title),
    // The prefix of a code is often the key of a project.
    all: topicsIn([title, ...marks.filter((mark) => !isExact(mark))].join(' ')),
  };
}

/** A text about some services, which is compared with every runbook. */
export interface ProblemWords {
  readonly services: readonly string[];
  readonly said: ReadonlySet<string>;
  readonly topics: ReadonlySet<string>;
}

export function problemWordsIn(text: string, services: readonly string[]): ProblemWords {
  const names = new Set(services.flatMap((service) => [...topicsIn(service)]));
  const said = new Set(text.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []);
  return { services, said, topics: topicsIn(text).difference(names) };
}

/**
 * How surely a text is about the problem of a runbook; 0 if it is not. A code or alert that the runbook names is
 * enough. Words only count where both are about the same service, or where the text has the whole title.
 */
export function aboutness(
  { exact, names, title, all }: Topics,
  { services, said, topics }: ProblemWords,
): number {
  if (!exact.isDisjointFrom(said)) return 100;
  if (services.some((service) => names.has(service))) return all.intersection(topics).size;
  return title.size > 1 && title.isSubsetOf(topics) ? title.size : 0;
}

/** The section that has most of the text's words in its heading; else the first one with text. */
export function sectionFor({ sections }: Runbook, { topics }: ProblemWords): Section | undefined {
  let [best, most]: [Section | undefined, number] = [undefined, 0];
  for (const section of sections) {
    const shared = topicsIn(section.heading).intersection(topics).size;
    if (shared > most) [best, most] = [section, shared];
  }
  return best ?? sections.find(({ text }) => text.trim() !== '');
}
