import { suggest } from '../core/suggest.ts';
import type { Listed } from './all.ts';

const widest = 40;
const isPlain = /^[a-z]+$/;

/** The ways to type commands, with the description beside each, or below if it is long. */
export function helpFor(listed: readonly Listed[]): string[] {
  const ways = listed.flatMap((one) => Object.entries(one.ways));
  const lines = ways.map(([typed, about]) =>
    typed.length > widest
      ? `  ${typed}\n  ${' '.repeat(widest)}  ${about}`
      : `  ${typed.padEnd(widest)}  ${about}`,
  );
  return ['npm run -s cli -- <command>', '', ...lines];
}

/** The problem, followed by the usage of the command. */
export function misused(problem: string, { ways }: Listed): string[] {
  const how = Object.keys(ways).map((typed) => `usage: npm run -s cli -- ${typed}`);
  return problem === '' ? how : [problem, ...how];
}

/** `There is no command “doctr”.`, with the likely intended name. */
export function unknown(problem: string, typed: string, names: readonly string[]): string {
  const meant = suggest(typed, names);
  return `${problem} “${typed}”.${meant === null ? '' : ` Do you mean “${meant}”?`}`;
}

/** Words before `--`; anything after it is text, whatever it looks like. */
function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

/** True when the words ask for a command's usage. */
export function asksForHelp(args: readonly string[]): boolean {
  return beforeDashes(args).some((word) => word === '--help' || word === '-h');
}

/** The first word that no way to type a command accepts, as a sentence; null if there is none. */
export function strangeWord(name: string, args: readonly string[], { ways }: Listed): string | null {
  const typed = Object.keys(ways);
  const options = typed.flatMap((way) => way.match(/--[a-z-]+/g) ?? []);
  const verbs = typed.map((way) => way.split(' ')[1] ?? '').filter((word) => isPlain.test(word));
  const [verb] = args;
  if (verb !== undefined && isPlain.test(verb) && verbs.length > 0 && !verbs.includes(verb))
    return unknown(`“${name}” has no`, verb, verbs);
  const option = beforeDashes(args)
    .map((word) => word.replace(/=.*/s, ''))
    .find((word) => /^--?[a-z]/i.test(word) && !options.includes(word));
  return option === undefined ? null : unknown(`“${name}” has no`, option, options);
}
