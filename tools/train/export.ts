import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { allManifests } from '../../manifests/all.ts';
import {
  buckets,
  capitalsOf,
  kindOf,
  lettersOf,
  nameSets,
  namesOf,
  sections,
  wordOf,
} from '../../src/plan/everyday/features.ts';
import type { Action } from '../../src/plan/everyday/grammar.ts';
import type { Heard } from '../../src/plan/everyday/heard.ts';
import { type NameIndex, nameIndex } from '../../src/plan/everyday/names.ts';
import { kinds } from '../../src/plan/everyday/tokens.ts';
import { answered } from './answers.ts';
import { augmented } from './augment.ts';
import { readCases, type TrainCase } from './cases.ts';
import { changed } from './changes.ts';
import { encode } from './encode.ts';
import { Unaligned } from './encode-values.ts';
import { heardIn } from './heard-case.ts';
import { namesIn } from './names.ts';
import { aimedAtPeople } from './people.ts';
import { seeded } from './random.ts';
import { synthesized, synthesizedSeveral, synthesizedStates } from './synthesize.ts';
import { talked } from './talk.ts';
import { retimed, watched } from './watches.ts';
import { workspaceOf } from './workspace.ts';

/**
 * The training cases as numbers, for `train.py`: `node tools/train/export.ts OUT [variants] [words of vectors.json]`.
 * Each variant rewords some of the cases, in another workspace.
 */
const [out = 'cases.json', variants = '6', vectors] = process.argv.slice(2);
const tools = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
const nowhere = nameIndex({ services: [], projects: [], channels: [], people: [] });
/** Minimum occurrences of a word or value. */
const least = { word: 2.5, literal: 3 };
const longest = { tokens: 120, actions: 100 };

const folder = new URL('../../planner/cases/train/', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .sort();
/** SHA-256 over the files in name order. */
const digest = files
  .reduce((hash, name) => hash.update(readFileSync(new URL(name, folder))), createHash('sha256'))
  .digest('hex');
const cases = files.flatMap((name) => readCases(new URL(name, folder).pathname));
const random = seeded(7);
const names = namesIn(cases);

interface Encoded {
  readonly heard: Heard;
  readonly actions: readonly Action[];
}

function encoded(entry: TrainCase, index: NameIndex, literals: ReadonlySet<string> | null): Encoded | null {
  try {
    const heard = heardIn(entry, index);
    return { heard, actions: encode(entry, heard, tools, literals) };
  } catch (error) {
    if (error instanceof Unaligned) return null;
    throw error;
  }
}

function variantOf(): TrainCase[] {
  const isSaidAlone = ({ was, answers, watch, class: kind, steps }: TrainCase): boolean =>
    !was && !answers && !watch && !(kind === 'clarify' && steps.length > 0);
  const alone = cases.filter(isSaidAlone);
  const others = cases.filter((entry) => !isSaidAlone(entry));
  const share = (of: number): number => Math.round(cases.length * of);
  const made = synthesized(names, random, share(0.12));
  return [
    ...augmented(alone, random, 0.6),
    ...others,
    ...augmented(made, random, 0.15),
    ...synthesizedSeveral(names, random, share(0.11)),
    ...synthesizedStates(names, random, share(0.012)),
    ...aimedAtPeople(names, random, share(0.012)),
    ...changed(cases, names, random, share(0.17)),
    ...watched([...alone, ...made], random, share(0.05)),
    ...talked(cases, names, random, share(0.07)),
    ...answered(alone, names, random, share(0.03)),
    ...retimed([...alone, ...made], random, share(0.035)),
  ];
}

const sets = Array.from({ length: Number(variants) }, variantOf);

function counted(): { words: string[]; actions: string[]; literals: Set<string> } {
  const words = new Map<string, number>();
  const actions = new Map<string, number>();
  const count = (map: Map<string, number>, key: string, by: number): void =>
    void map.set(key, (map.get(key) ?? 0) + by);
  const all = [
    ...sets.flat().map((entry) => [entry, 1 / sets.length] as const),
    ...cases.map((entry) => [entry, 1] as const),
  ];
  for (const [entry, weight] of all)
    for (const token of heardIn(entry, nowhere).tokens) {
      const word = wordOf(token);
      if (word !== null) count(words, word, weight);
    }
  for (const entry of [...cases, ...(sets[0] ?? [])])
    for (const action of encoded(entry, nowhere, null)?.actions ?? [])
      if (typeof action === 'string') count(actions, action, 1);
  const isLiteral = (action: string): boolean => /^[a-z_]+=/u.test(action);
  /** Names, texts and queries must be pointed at; if the request words them differently, they are asked for. */
  const isOpen = (action: string): boolean =>
    /^(?:query|code|about|incident|key|summary|text|label|component|service|project|channel|user|at|since|until|during|schedule)=(?!\?$|next$|tonight$)/u.test(
      action,
    );
  const kept = [...actions]
    .filter(([action, times]) => !isLiteral(action) || (times >= least.literal && !isOpen(action)))
    .map(([action]) => action);
  return {
    words: [
      '<pad>',
      '<unknown>',
      '<form>',
      ...[...words]
        .filter(([, times]) => times >= least.word)
        .map(([word]) => word)
        .sort(),
    ],
    actions: ['<pad>', '<pointer>', ...kept.sort()],
    literals: new Set(kept.filter(isLiteral)),
  };
}

/** A word is plain if cases contain it that often without pointing at it, and in that share of its uses. */
const plainly = { times: 3, share: 0.25 };

/**
 * Words that appear in requests for a plan without being part of a value. Languages other than English have few cases:
 * a use counts for more there, and generated requests count as well.
 */
function plainWords(): string[] {
  const uses = new Map<string, { plain: number; all: number }>();
  const generated = new Set((sets[0] ?? []).filter(({ id }) => /^(?:several|state)-/u.test(id)));
  const { service, project, channel, user } = names;
  const isName = new Set(
    [service, project, channel, user]
      .flat()
      .join(' ')
      .toLowerCase()
      .split(/[\s#@]+/u),
  );
  for (const entry of [...cases, ...generated]) {
    const weight = entry.lang === 'en' ? 1 : 1.5;
    const found = entry.class === 'plan' ? encoded(entry, nowhere, null) : null;
    if (found === null) continue;
    const values = new Set<number>();
    found.actions.forEach((action, at) => {
      const next = found.actions[at + 1];
      if (typeof action === 'number')
        for (let to = action; to <= (typeof next === 'number' && next > action ? next : action); to += 1)
          values.add(to);
    });
    for (const [at, token] of found.heard.tokens.entries()) {
      const isCounted = token.kind === 'word' && token.section !== 2;
      if (!isCounted || (generated.has(entry) && isName.has(token.low))) continue;
      const use = uses.get(token.low) ?? { plain: 0, all: 0 };
      uses.set(token.low, { plain: use.plain + (values.has(at) ? 0 : weight), all: use.all + weight });
    }
  }
  return [...uses]
    .filter(([, { plain, all }]) => plain >= plainly.times && plain >= all * plainly.share)
    .map(([word]) => word)
    .sort();
}

const vocabulary = counted();
const wordAt = new Map(vocabulary.words.map((word, at) => [word, at]));
const actionAt = new Map(vocabulary.actions.map((action, at) => [action, at]));
const vectorWords = vectors === undefined ? [] : (JSON.parse(readFileSync(vectors, 'utf8')) as string[]);
const vectorAt = new Map(vectorWords.map((word, at) => [word, at + 1]));

/** Words, kinds, capitals, letter sequences, actions, names, sections, vectors. Pointers are -1 and below. */
function row(entry: TrainCase, index: NameIndex): unknown[] {
  const found = encoded(entry, index, vocabulary.literals);
  if (found === null || found.heard.tokens.length > longest.tokens || found.actions.length > longest.actions)
    return [];
  const { tokens } = found.heard;
  const words = tokens.map((token) => {
    const word = wordOf(token);
    return word === null ? 2 : (wordAt.get(word) ?? 1);
  });
  const actions = found.actions.map((action) =>
    typeof action === 'number' ? -1 - action : (actionAt.get(action) ?? 0),
  );
  return [
    [
      words,
      tokens.map(kindOf),
      tokens.map(capitalsOf),
      tokens.map(lettersOf),
      actions,
      tokens.map(namesOf),
      tokens.map(({ section }) => section),
      tokens.map(({ kind, low }) => (kind === 'word' ? (vectorAt.get(low) ?? 0) : 0)),
    ],
  ];
}

const known = (entry: TrainCase): NameIndex => (random() < 0.6 ? workspaceOf(entry, names, random) : nowhere);
const rows = sets.map((set) => set.flatMap((entry) => row(entry, known(entry))));
const sizes = { kinds: kinds.length, letters: buckets, names: nameSets, sections };
writeFileSync(
  out,
  JSON.stringify({
    cases: digest,
    ...vocabulary,
    literals: undefined,
    plain: plainWords(),
    vectors: vectorWords,
    sizes,
    sets: rows,
  }),
);
process.stdout.write(
  `${cases.length} cases, ${rows.map((set) => set.length).join(' ')} examples, ${vocabulary.words.length} words, ${vocabulary.actions.length} actions\n`,
);
