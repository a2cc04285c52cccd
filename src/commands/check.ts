import { readFileSync } from 'node:fs';
import { digestOf } from '../core/canonical.ts';
import { catalogueDigest } from '../core/catalogue.ts';
import { findingLine } from '../core/finding.ts';
import type { Manifest } from '../core/manifest.ts';
import { policyDigest } from '../core/policy.ts';
import { parse } from '../notation/parse.ts';
import { problemLine } from '../notation/problems.ts';
import { reviewDraft } from '../review/review.ts';
import { type Command, UsageError } from './command.ts';
import { offlineWorld } from './offline-world.ts';

/** `check <file>`, JSON or plan notation: the findings, one per line, or `ok` with the digest. Exit 1 on findings. */
export const check: Command = async (args, context) => {
  const [file] = args;
  if (file === undefined || args.length > 1) throw new UsageError();
  const world = offlineWorld(context);
  const text = readFileSync(file, 'utf8');
  const { draft, problems } = readPlan(text, world.catalogue.manifests);
  for (const each of problems) context.out(problemLine(each, text));
  if (problems.length > 0) return 1;
  const { plan, findings } = reviewDraft(draft, world);
  for (const each of findings) context.out(findingLine(each));
  if (!plan) return 1;
  const catalogue = catalogueDigest(world.catalogue);
  context.out(`ok ${digestOf({ plan, catalogue, policy: policyDigest(world.policy) })}`);
  return 0;
};

/** JSON starts with a brace; plan notation never does. */
export function readPlan(text: string, manifests: ReadonlyMap<string, Manifest>) {
  if (text.trimStart().startsWith('{')) return { draft: JSON.parse(text), problems: [] };
  const { plan, problems } = parse(text, manifests);
  return { draft: plan, problems };
}
