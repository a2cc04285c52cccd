import type { Catalogue } from '../../core/catalogue.ts';
import type { Cause } from '../../core/cause.ts';
import { effectOf } from '../../core/code-step.ts';
import { sentenceOf } from '../../core/condition.ts';
import { dependenciesOf } from '../../core/graph.ts';
import type { Step } from '../../core/plan.ts';
import { freeId, renameCel, renameStep } from '../../core/rename.ts';
import { parse } from '../../notation/parse.ts';
import type { Inputs } from '../../notation/values.ts';

/** A cause's reads for one service, with the condition over them that supports it. */
export interface Check {
  readonly cause: Cause;
  readonly steps: readonly Step[];
  readonly when: string;
}

const verdictLine = /^([^\S\n]*)supported when(?::|(?=\s))(.*)$/gim;

/** The check of a cause for a service, or why there is none. */
export function checkOf(
  cause: Cause,
  service: string,
  { manifests, services }: Pick<Catalogue, 'manifests' | 'services'>,
): Check | { readonly why: string } {
  const [verdict, ...more] = [...cause.check.matchAll(verdictLine)];
  if (verdict === undefined || more.length > 0)
    return { why: 'needs one line “supported when …” with a condition over its reads' };
  // As the criterion of a plan, in the same place of the text, which problems name.
  const text = cause.check.replace(verdictLine, '$1success:      $2');
  const { plan, problems } = parse(text, manifests, inputsOf(service, services));
  if (plan === null) {
    const [first] = problems;
    return { why: first === undefined ? 'cannot be read' : `line ${first.line}: ${first.message}` };
  }
  const [when, ...others] = plan.success;
  if (when === undefined || others.length > 0 || sentenceOf(when) !== null)
    return { why: 'must end in one condition, and not in words' };
  if (plan.watch !== undefined || plan.situation !== undefined)
    return { why: 'has a line that is about a whole plan; a check has reads and one condition' };
  const write = plan.steps.find(({ tool }) => effectOf(tool, manifests) !== 'read');
  if (write !== undefined) return { why: `writes (${write.tool}); a check only reads` };
  return { cause, steps: plan.steps.map((step) => ({ ...step, needs: dependenciesOf(step) })), when };
}

/** The values of `{service}` and `{project}`. */
export function inputsOf(service: string, services: Catalogue['services']): Inputs {
  const project = services.find(({ name }) => name === service)?.project;
  return new Map(
    Object.entries({ service, project }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, { value, inCondition: null }] as const],
    ),
  );
}

/** Reads that a plan has already: their ids by what they read. */
export type Known = Map<string, string>;

/** The same check beside other reads: equal ones are read once, and ids are its own. `taken`: ids of the plan. */
export function checkBeside({ cause, steps, when }: Check, known: Known, taken: ReadonlySet<string>): Check {
  const renames = new Map<string, string>();
  const ids = new Set(taken);
  const added: Step[] = [];
  for (const step of steps) {
    const read = renameStep(step, renames);
    const same = known.get(keyOf(read));
    const id = same ?? freeId(step.id, ids);
    renames.set(step.id, id);
    if (same === undefined) added.push({ ...read, id });
  }
  return { cause, steps: added, when: renameCel(when, renames) };
}

/** Equal for reads that ask the same. */
export const keyOf = ({ tool, args, when, needs }: Step): string =>
  JSON.stringify([tool, Object.entries(args).sort(), when ?? null, [...needs].sort()]);
