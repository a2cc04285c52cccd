import type { Catalogue } from '../core/catalogue.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan, Step } from '../core/plan.ts';
import { nameIndex, withNames } from './everyday/names.ts';
import { slotsOf } from './everyday/slots.ts';
import { type Token, tokenize } from './everyday/tokens.ts';
import { joining, words } from './replies/words.ts';

/** Orders to write something, by the verbs that manifests declare: “open a ticket”, “tell #ops”. */

const then = words('then dann puis luego después depois also please pls');
/** As far behind its verb an order says what it is about. */
const reach = 4;
const conditional = words('if when unless falls wenn si quand cuando se quando');

/** The parts of a request that begin with the verb of a write; none where it begins otherwise. */
export function ordersOnly(goal: string, catalogue: Catalogue): string[] {
  const tokens = withNames(goal, tokenize(goal), nameIndex(catalogue));
  const begins = beginnings(tokens, catalogue);
  if (begins[0] !== tokens.findIndex(({ low }) => !then.has(low))) return [];
  return begins.map((at, nth) =>
    goal
      .slice(tokens[at]?.start, tokens[begins[nth + 1] ?? tokens.length]?.start)
      .replace(/(?:[\s,;+&]{1,3}(?:and|then|und|dann|et|puis|y|luego|e|depois)?){1,3}$/u, ''),
  );
}

/** Orders that no step of a plan carries out, each up to its condition or the end of its clause. */
export function ordersDropped(text: string, plan: Plan, catalogue: Catalogue): string[] {
  const tokens = withNames(text, tokenize(text), nameIndex(catalogue));
  const writes = plan.steps.filter(({ tool }) => catalogue.manifests.get(tool)?.effect === 'write');
  const said = JSON.stringify(plan.steps.map(({ args }) => args)).toLowerCase();
  return beginnings(tokens, catalogue).flatMap((at) => {
    const length = tokens.slice(at).findIndex((token) => isEnd(token) || conditional.has(token.low));
    const clause = tokens.slice(at, length < 0 ? undefined : at + length);
    const order = text.slice(clause[0]?.start, clause.at(-1)?.end);
    // The words of a text that is sent are no orders.
    const isText = said.includes(JSON.stringify(order).slice(1, -1).toLowerCase());
    return isText || isCarriedOut(clause, writes, catalogue) ? [] : [order];
  });
}

/** Where a verb of a write begins a clause. */
function beginnings(tokens: readonly Token[], { manifests }: Catalogue): number[] {
  const verbs = new Set([...manifests.values()].filter(isWrite).flatMap(({ asked }) => asked?.verbs ?? []));
  return [...tokens.keys()].filter((at) => {
    const before = tokens[at - 1];
    return (
      verbs.has(tokens[at]?.low ?? '') && (before === undefined || isEnd(before) || then.has(before.low))
    );
  });
}

const isEnd = ({ kind, low }: Token): boolean => kind === 'mark' || joining.has(low);

const isWrite = ({ effect }: Manifest): boolean => effect === 'write';

/** True for a clause that a step carries out, and for one that is no order: it says nothing that a write could be about. */
function isCarriedOut(
  [verb, ...rest]: readonly Token[],
  writes: readonly Step[],
  { manifests, services, projects }: Catalogue,
): boolean {
  const tools = [...manifests.values()].filter(
    (tool) => isWrite(tool) && tool.asked?.verbs.includes(verb?.low ?? '') === true,
  );
  const about = rest.slice(0, reach);
  // In the plural it may be what is looked up: “open tickets”.
  const makes = tools.filter(({ asked }) =>
    about.some(({ low }) => low !== verb?.low && asked?.nouns?.includes(low) === true),
  );
  if (makes.length > 0) return writes.some(({ tool }) => makes.some(({ name }) => name === tool));
  const target = about.find((token) => isTarget(token, tools));
  if (target === undefined) return true;
  const { project, ...own } = target.names;
  const same = [
    ...services.filter(({ name }) => name === own.service).map((one) => one.project),
    ...projects.filter(({ key }) => key === project).map(({ service }) => service),
  ];
  const names = new Set<unknown>([target.raw, ...Object.values(own)]);
  const related = new Set<unknown>([...names, project, ...same]);
  // “Notify ops” may be a post to #ops as well as a page.
  return writes.some(({ tool, args }) =>
    Object.values(args).some((value) =>
      (tools.some(({ name }) => name === tool) ? related : names).has(value),
    ),
  );
}

/** Whether one of the tools takes what a token names. */
function isTarget({ kind, names }: Token, tools: readonly Manifest[]): boolean {
  const slots = new Set<string>(tools.flatMap((tool) => [...slotsOf(tool).values()]));
  return (
    (slots.has('service') && (names.service ?? names.project) !== undefined) ||
    (slots.has('channel') && (kind === 'channel' || (names.channel ?? names.user) !== undefined)) ||
    (slots.has('user') && names.user !== undefined) ||
    (slots.has('issue') && kind === 'issue')
  );
}
