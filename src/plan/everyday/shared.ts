import type { Manifest } from '../../core/manifest.ts';
import type { Draft, DraftStep } from './draft.ts';
import type { Heard } from './heard.ts';

type Drafted = Extract<Draft, { kind: 'plan' }>;

/** Between two names that share all that is said of them: “OPS and PAY”. */
const joining = /^(?:and|und|et|y|e|or|oder|ou|o|&|,|\/|\+|in|for|of)$/u;

/**
 * Reads of one tool for projects named side by side are asked the same: “not labelled wontfix” behind “in OPS and PAY” is
 * said of both.
 */
export function withShared(draft: Drafted, heard: Heard, tools: ReadonlyMap<string, Manifest>): Drafted {
  const { steps } = draft;
  const shared = steps.map((step, at) => {
    const others = steps.filter((other, nth) => nth !== at && areSideBySide(step, other, heard));
    if (others.length === 0 || tools.get(step.tool)?.effect !== 'read') return step;
    const more = others.flatMap(({ args }) => [...args].filter(([arg]) => !hasSuch(step, arg)));
    return more.length === 0 ? step : { ...step, args: new Map([...more, ...step.args]) };
  });
  return { ...draft, steps: shared };
}

/** Either way of one filter: `label` or `label_not`. */
const hasSuch = ({ args }: DraftStep, arg: string): boolean =>
  args.has(arg) || args.has(`${arg}_not`) || args.has(arg.replace(/_not$/u, ''));

function areSideBySide(one: DraftStep, other: DraftStep, { tokens }: Heard): boolean {
  const [from, to] = [one, other].map(placeOf).sort((a, b) => a - b) as [number, number];
  if (one.tool !== other.tool || from < 0 || from === to) return false;
  const names = ({ names }: (typeof tokens)[number]): boolean => names.project !== undefined;
  return tokens.slice(from + 1, to).every((token) => joining.test(token.low) || names(token));
}

/** Where its project is named; -1 where it is not. */
function placeOf({ args }: DraftStep): number {
  const [part, ...more] = args.get('project') ?? [];
  return part !== undefined && more.length === 0 && 'said' in part ? part.from : -1;
}
