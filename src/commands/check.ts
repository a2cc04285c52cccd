import { readFileSync } from 'node:fs';
import { digestOf } from '../core/canonical.ts';
import { catalogueDigest } from '../core/catalogue.ts';
import { findingLine } from '../core/finding.ts';
import { policyDigest } from '../core/policy.ts';
import { reviewDraft } from '../review/review.ts';
import { type Command, UsageError } from './command.ts';
import { offlineWorld } from './offline-world.ts';

/** `check plan.json`: the findings, one a line, or `ok` with the digest. Exit 1 on findings. */
export const check: Command = async (args, context) => {
  const [file] = args;
  if (file === undefined || args.length > 1) throw new UsageError('check plan.json');
  const world = offlineWorld(context, new Set());
  const { plan, findings } = reviewDraft(JSON.parse(readFileSync(file, 'utf8')), world);
  for (const each of findings) context.out(findingLine(each));
  if (!plan) return 1;
  const catalogue = catalogueDigest(world.catalogue);
  context.out(`ok ${digestOf({ plan, catalogue, policy: policyDigest(world.policy) })}`);
  return 0;
};
