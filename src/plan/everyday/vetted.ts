import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import type { QueryTemplate } from '../../core/queries/template.ts';
import type { Draft, Part } from './draft.ts';
import { type Heard, hear } from './heard.ts';
import { nameIndex } from './names.ts';
import { type Slot, slotsOf } from './slots.ts';
import type { Token } from './tokens.ts';
import { type Asked, oneStep, valuesFor } from './unseen.ts';

/** Queries that the operator vetted are asked for by what people call them, which no network can know. */

/** A request for a vetted query and nothing else; null where a word is none of it. `preferred`: of several tools. */
export function forVettedQuery(heard: Heard, { catalogue }: PlanningInput, preferred = ''): Draft | null {
  const { tokens } = heard;
  if (tokens.some(({ section }) => section !== 0) || tokens.some(isBound)) return null;
  const found = [...catalogue.manifests.values()].flatMap((tool) =>
    queriesOf(tool, catalogue.queries).flatMap((query) => {
      const status = statusIn(query, tokens);
      const asked = askedOf(query, tool, status === null ? [] : [status.words]);
      const values = isOrder(query, tokens) ? null : valuesFor(asked, heard);
      // A code alone may be any code.
      if (values === null || (status !== null && !status.isClass && values.args.size === 0)) return [];
      const args = new Map([...values.args, ...(status?.args ?? [])]);
      return [{ tool, query, args, words: values.words + (status === null ? 0 : 1) }];
    }),
  );
  const isPreferred = ({ tool }: (typeof found)[number]): number => Number(tool.name === preferred);
  const [best] = found.sort((one, other) => other.words - one.words || isPreferred(other) - isPreferred(one));
  if (best === undefined) return null;
  return oneStep(best.tool.name, new Map([...best.args, ['named', [{ literal: best.query.name }]]]));
}

/** “5xx of checkout”: a status code is what a query with a parameter for one is about. */
function statusIn({ parameters }: QueryTemplate, tokens: readonly Token[]) {
  const [name] = Object.entries(parameters).find(([, { type }]) => type === 'status') ?? [];
  const at = tokens.findIndex(({ low }) => /^[1-5](?:xx|\d\d)s?$/u.test(low));
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (name === undefined || token === undefined) return null;
  const value = token.low.slice(0, 3);
  const thing = /^(?:error|response|code)s?$/u.test(next?.low ?? '') ? ` ${next?.low}` : '';
  const said: readonly Part[] = [{ said: value, from: at, to: at }];
  return { words: `${token.low}${thing}`, isClass: value.endsWith('xx'), args: [[name, said]] as const };
}

/** “over 2 s” says how much, and not of which time. */
const isBound = ({ kind }: Token, at: number, tokens: readonly Token[]): boolean =>
  kind === 'duration' && comparing.test(tokens[at - 1]?.low ?? '');

/** "deploy checkout" is no question about deploys: one word in front of a name, and not several things. */
const isOrder = ({ says }: QueryTemplate, [first, second]: readonly Token[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  Object.keys(second.names).length > 0 &&
  says.includes(first.low) &&
  !/s$/u.test(first.low);

const queriesOf = (tool: Manifest, queries: readonly QueryTemplate[] = []): QueryTemplate[] =>
  queries.filter(({ language }) => language === tool.queries);

/** Words of a question that a query answers as a whole. */
const fillers = new Set(
  'many much number count total anything something everything ever anzahl número cantidad nombre quantidade numero'.split(
    ' ',
  ),
);

/** Words right before a bound. */
export const comparing = /^(?:over|above|under|below|than|exceeds?|least|most|[<>]=?)$/u;

const times = new Set<Slot>(['time', 'duration']);

const knowsServices = ({ parameters, services }: QueryTemplate): boolean =>
  Object.hasOwn(parameters, 'service') || services.length > 0;

function askedOf(query: QueryTemplate, tool: Manifest, words: readonly string[]): Asked {
  const own = (arg: string, slot: Slot): boolean =>
    times.has(slot) || Object.hasOwn(query.parameters, arg) || (arg === 'service' && knowsServices(query));
  return {
    ...{
      tool: tool.name,
      verbs: [],
      nouns: [...query.says, ...words],
      needsVerb: false,
      takesRest: false,
      fillers,
    },
    slots: [...slotsOf(tool)].filter(([arg, slot]) => own(arg, slot)),
    cues: Object.fromEntries(Object.entries(query.parameters).map(([name, { cues }]) => [name, cues])),
  };
}

interface Query {
  readonly tool: Manifest;
  readonly args: Record<string, ArgValue>;
}

/** Names the vetted query of a step whose words are what people call one. */
export function nameVetted({ tool, args }: Query, { catalogue, goal }: PlanningInput): void {
  const said = [args.about, args.text].find((value) => typeof value === 'string') as string | undefined;
  if (args.query !== undefined || args.named !== undefined || said === undefined) return;
  const about = hear({ goal: said }, nameIndex(catalogue));
  const found = queriesOf(tool, catalogue.queries).find(
    (query) => valuesFor(askedOf(query, tool, []), about) !== null,
  );
  if (found === undefined) return;
  args.named = found.name;
  delete args.about;
  for (const [name, value] of parametersIn(found, goal)) args[name] ??= value;
  if (!knowsServices(found)) delete args.service;
}

/** Values of a query's parameters that stand behind a word for them. */
function parametersIn({ parameters }: QueryTemplate, goal: string): [string, ArgValue][] {
  return Object.entries(parameters).flatMap(([name, { type, cues }]): [string, ArgValue][] => {
    const said = cues.flatMap(
      (cue) =>
        new RegExp(
          `(?:^|\\s)${cue.replaceAll(/[^\p{L}\p{N} ]/gu, '.')} ("[^"]{1,200}"|[\\p{L}\\p{N}._:@/-]{1,120})`,
          'iu',
        ).exec(goal)?.[1] ?? [],
    )[0];
    if (said === undefined || type === 'service') return [];
    const bare = said.replaceAll('"', '').replace(/[.:]$/u, '');
    return type === 'number' ? (Number.isNaN(Number(bare)) ? [] : [[name, Number(bare)]]) : [[name, bare]];
  });
}
