import { readFileSync } from 'node:fs';
import { explainPlan, explainRules } from '../approval/explain.ts';
import { plainText } from '../blocks/plain-text.ts';
import { findingLine } from '../core/finding.ts';
import { problemLine } from '../notation/problems.ts';
import { reviewDraft } from '../review/review.ts';
import { readPlan } from './check.ts';
import { type Command, UsageError } from './command.ts';
import { offlineWorld } from './offline-world.ts';

/**
 * `policy explain [<plan file>]`: which rule currently applies to each write of a plan, and why; without a file, all
 * rules. Exit 1 for an invalid plan.
 */
export const policyCommand: Command = async ([what, file, ...more], context) => {
  if (what !== 'explain' || more.length > 0) throw new UsageError();
  const world = offlineWorld(context);
  const { manifests } = world.catalogue;
  const say = (rows: ReturnType<typeof explainRules>): void => {
    for (const row of rows) context.out(plainText(row));
  };
  if (file === undefined) {
    say(explainRules(world.policy));
    return 0;
  }
  const text = readFileSync(file, 'utf8');
  const { draft, problems } = readPlan(text, manifests);
  for (const each of problems) context.out(problemLine(each, text));
  if (problems.length > 0) return 1;
  const { plan, findings } = reviewDraft(draft, world);
  for (const each of findings) context.out(findingLine(each));
  if (plan === null) return 1;
  say(explainPlan({ plan, targets: [] }, manifests, world.policy, new Date()));
  return 0;
};
