import type { Catalogue } from '../../core/catalogue.ts';
import { manifestOf } from '../../core/code-step.ts';
import type { Plan, Step } from '../../core/plan.ts';
import { textArgOf } from '../everyday/texts.ts';
import { actsOf } from './fewer.ts';

/** More would not be read. */
const maxTips = 3;

/** Replies that would change a plan, about its own steps and values. */
export function tipsFor(plan: Plan, catalogue: Catalogue): string[] {
  const acts = actsOf(plan, catalogue);
  const tips = [
    leavingOut(acts, catalogue),
    ...plan.steps.map(({ when }) => boundTip(when)),
    otherPriority(plan.steps),
    otherService(acts, catalogue),
    acts.some((step) => isDictated(step, catalogue)) ? 'text: …' : null,
  ];
  return [...new Set(tips.filter((tip) => tip !== null))].slice(0, maxTips);
}

/** By what only the last step does it to, or by what it makes. */
function leavingOut(acts: readonly Step[], { manifests }: Catalogue): string | null {
  const [last, ...before] = acts.toReversed();
  if (last === undefined || before.length === 0) return null;
  const others = new Set(before.flatMap(({ args }) => Object.values(args)));
  const name = [last.args.service, last.args.channel].find(
    (value) => value !== undefined && !others.has(value),
  );
  if (typeof name === 'string') return `drop ${name}`;
  const noun = manifestOf(last, manifests)?.asked?.nouns?.find((one) => /^\p{L}+$/u.test(one));
  return noun === undefined || before.some(({ tool }) => tool === last.tool) ? null : `without the ${noun}`;
}

function boundTip(when = ''): string | null {
  const bound = /^\w+(?:\.\w+)+ [<>]=? (\d{1,9})$/u.exec(when)?.[1];
  return bound === undefined ? null : `threshold ${Number(bound) + 5}`;
}

function otherPriority(steps: readonly Step[]): string | null {
  const had = new Set(steps.flatMap(({ args }) => [args.priority, args.severity]));
  const other = ['P1', 'P2'].find((priority) => !had.has(priority));
  return other === undefined || (!had.has('P1') && !had.has('P2')) ? null : `use ${other}`;
}

function otherService(acts: readonly Step[], { services }: Catalogue): string | null {
  const had = new Set(acts.flatMap(({ args }) => args.service ?? []));
  const other = services.find(({ name }) => !had.has(name));
  return had.size !== 1 || other === undefined ? null : `${other.name} instead`;
}

function isDictated(step: Step, { manifests }: Catalogue): boolean {
  const arg = textArgOf(manifestOf(step, manifests));
  return arg !== undefined && typeof step.args[arg] === 'string';
}
