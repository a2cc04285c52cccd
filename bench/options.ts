import { parseArgs } from 'node:util';

export const partNames = [
  'start',
  'idle',
  'card',
  'click',
  'graph',
  'ack',
  'memory',
  'commits',
  'planner',
  'growth',
  'split',
  'replicas',
  'tools',
  'hostile',
  'far',
  'watches',
  'agents',
  'alerts',
  'code',
] as const;
/** Only run on request: they take long, or measure something separate. */
const onlyAsked: ReadonlySet<string> = new Set([
  'growth',
  'split',
  'replicas',
  'tools',
  'hostile',
  'far',
  'watches',
  'agents',
  'alerts',
  'code',
]);
export type PartName = (typeof partNames)[number];

export interface Options {
  readonly parts: readonly PartName[];
  /** Number of repetitions; the medians of all rounds count. */
  readonly rounds: number;
  /** A file for all measurements, or null. */
  readonly json: string | null;
  /** A folder with a harness that compares runners, and its arguments; or null. */
  readonly peers: { readonly folder: string; readonly args: readonly string[] } | null;
  readonly counts: Counts;
}

export interface Counts {
  readonly starts: number;
  readonly idleSeconds: number;
  readonly cards: number;
  readonly clicks: number;
  readonly graphs: number;
  readonly perSecond: number;
  readonly seconds: number;
  readonly plans: number;
  readonly settleMs: number;
  readonly past: number;
  readonly kills: number;
  readonly requests: number;
  readonly runbooks: number;
  readonly megabytes: number;
  readonly pages: number;
  readonly watched: number;
}

/** A minute and a half for a round on two cores. */
const usual: Counts = {
  starts: 3,
  idleSeconds: 20,
  cards: 200,
  clicks: 200,
  graphs: 7,
  perSecond: 50,
  seconds: 10,
  plans: 2_000,
  settleMs: 3_000,
  past: 200_000,
  kills: 10,
  requests: 500,
  runbooks: 2_000,
  megabytes: 10,
  pages: 20,
  watched: 2_000,
};
/** For checking that everything works; too few to measure. */
const quick: Counts = {
  ...{
    starts: 1,
    idleSeconds: 1,
    cards: 5,
    clicks: 3,
    graphs: 2,
    perSecond: 20,
    seconds: 1,
    plans: 20,
    settleMs: 0,
  },
  ...{ past: 2_000, kills: 2, requests: 10, runbooks: 100, megabytes: 1, pages: 2, watched: 60 },
};

export const usage = `npm run bench -- [options]
  --only a,b      parts: ${partNames.join(', ')}
  --rounds n      repeat everything and take the medians (1)
  --quick         small numbers: shows that it works, measures nothing
  --plans n       plans that wait in the memory part (${usual.plans})
  --past n        runs in the past of the growth part (${usual.past}); it is only done with --only
  --seconds n     length of the load in the ack and replicas parts (${usual.seconds})
  --json file     everything measured, as JSON
  --peers dir     compare the runner with others: a folder with a harness that takes
                  --peer 'name=cmd:command' and speaks JSON lines with it
  -- args         what follows goes to that harness (--quick)`;

/** Throws a TypeError with a sentence for an unknown or invalid option. */
export function readOptions(argv: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    args: [...argv],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '1' },
      quick: { type: 'boolean', default: false },
      plans: { type: 'string' },
      past: { type: 'string' },
      seconds: { type: 'string' },
      json: { type: 'string' },
      peers: { type: 'string' },
    },
  });
  if (positionals.length > 0 && values.peers === undefined) throw new TypeError(`what is ${positionals[0]}?`);
  const counts = values.quick ? quick : usual;
  const parts =
    values.only === undefined
      ? partNames.filter((name) => !onlyAsked.has(name))
      : values.only.split(',').map(partName);
  return {
    parts: values.peers !== undefined && values.only === undefined ? [] : parts,
    rounds: positive(values.rounds, 'rounds'),
    json: values.json ?? null,
    peers:
      values.peers === undefined
        ? null
        : { folder: values.peers, args: positionals.length > 0 ? positionals : ['--quick'] },
    counts: {
      ...counts,
      plans: values.plans === undefined ? counts.plans : positive(values.plans, 'plans'),
      past: values.past === undefined ? counts.past : positive(values.past, 'past'),
      seconds: values.seconds === undefined ? counts.seconds : positive(values.seconds, 'seconds'),
    },
  };
}

function partName(text: string): PartName {
  const found = partNames.find((name) => name === text);
  if (found === undefined) throw new TypeError(`there is no part ${text}; there are ${partNames.join(', ')}`);
  return found;
}

function positive(text: string, name: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new TypeError(`--${name} must be a whole number from 1`);
  return value;
}
