import type { CaseCompare, CaseCondition, CaseStep, EvalCase } from './cases.ts';
import { extraArgument } from './extra-arguments.ts';
import type { Matching } from './match.ts';
import { isPhrase, wrongPhrase } from './said-text.ts';
import { canonical, comparison, plainArguments } from './same-value.ts';

function paired(id: string, matching: Matching): string {
  return matching.pairs.get(id)?.id ?? id;
}

function values(value: CaseStep['args'][string], matching: Matching | null): string {
  const parts = [value].flat().map((part) => canonical(part));
  const ids = matching
    ? parts.map((part) => part.replace(/^\$(.+)$/, (_, id) => `$${paired(id, matching)}`))
    : parts;
  return ids.sort().join('\n');
}

function compareText(compare: CaseCompare, matching: Matching | null): string {
  const name = (id: string): string => (matching ? paired(id, matching) : id);
  const left = [compare.left].flat().map(name).sort().join('+');
  const right = typeof compare.right === 'string' ? name(compare.right) : compare.right;
  return `${left} ${comparison(compare.op, right)}`;
}

/** One text for all equivalent conditions. */
function conditionText(condition: CaseCondition | undefined, matching: Matching | null): string {
  if (condition === undefined) return 'always';
  if ('left' in condition) return compareText(condition, matching);
  const [word, parts] = 'all' in condition ? ['and', condition.all] : ['or', condition.any];
  return parts
    .map((part) => compareText(part, matching))
    .sort()
    .join(` ${word} `);
}

function wrongArgument(
  name: string,
  wanted: CaseStep['args'][string],
  own: CaseStep['args'][string] | undefined,
  matching: Matching,
): string | null {
  if (isPhrase(name)) return null;
  if (own !== undefined && values(wanted, matching) === values(own, null)) return null;
  return `${name} is ${JSON.stringify(own)}, not ${JSON.stringify(wanted)}`;
}

function wrongInStep(entry: EvalCase, wanted: CaseStep, found: CaseStep, matching: Matching): string[] {
  const [args, own] = [plainArguments(wanted), plainArguments(found)];
  const wrong: (string | null)[] = Object.entries(args).map(([name, value]) =>
    wrongArgument(name, value, own[name], matching),
  );
  for (const [name, value] of Object.entries(own)) {
    if (!(name in args)) wrong.push(extraArgument({ entry, wanted, tool: found.tool, name, value }));
  }
  wrong.push(...wrongPhrase(entry, wanted, found, (id) => paired(id, matching)));
  const [condition, has] = [conditionText(wanted.when, matching), conditionText(found.when, null)];
  if (condition !== has) wrong.push(`runs if ${has}, not ${condition}`);
  return wrong.filter((remark) => remark !== null).map((remark) => `${wanted.id} ${found.tool}: ${remark}`);
}

/** Steps of a plan that a person would call wrong. */
export function wrongSteps(entry: EvalCase, matching: Matching): CaseStep[] {
  return entry.steps.flatMap((wanted) => {
    const found = matching.pairs.get(wanted.id);
    return found && wrongInStep(entry, wanted, found, matching).length > 0 ? [found] : [];
  });
}

/**
 * Problems that a person would see in a plan's steps, beyond missing and extra steps and edges. Empty if there are
 * none. The rules are in planner/cases/README.md.
 */
export function wrongInSteps(entry: EvalCase, matching: Matching): string[] {
  return entry.steps.flatMap((wanted) => {
    const found = matching.pairs.get(wanted.id);
    return found ? wrongInStep(entry, wanted, found, matching) : [];
  });
}
