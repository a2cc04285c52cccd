import { z } from 'zod';
import { canonicalJson } from '../core/canonical.ts';
import { type JsonObject, jsonOf, parseJson } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import { targetName, targetsIn } from '../core/targets.ts';
import type { Counted, Point } from './trend.ts';

const lookBackMs = 30 * 86_400_000;
/** Maximum number of plans searched for the same count. */
const maxPlans = 300;

const stepsSchema = z.object({
  plan: z.object({ steps: z.array(z.object({ id: z.string(), args: z.record(z.string(), z.unknown()) })) }),
});

/** A tool's result in an earlier run, with the sealed plan it was a step of. */
export interface PastResult {
  readonly stepId: string;
  readonly result: JsonObject;
  readonly at: Date;
  readonly bytes: string;
}

export interface PastPort {
  /** Results of a tool in plans that named a target, newest first. */
  pastResults(of: {
    teamId: string;
    tool: string;
    target: string;
    since: Date;
    limit: number;
  }): Promise<readonly PastResult[]>;
  readonly manifests: ReadonlyMap<string, Manifest>;
}

/** Earlier values of the same count: the same tool with the same arguments, whatever else its plan did. */
export async function pastCounts(
  teamId: string,
  { step, field }: Counted,
  now: Date,
  { pastResults, manifests }: PastPort,
): Promise<Point[]> {
  const manifest = manifests.get(step.tool);
  const [aim] =
    manifest === undefined ? [] : targetsIn(manifest, step.args).filter(({ kind }) => kind !== 'severity');
  if (aim === undefined) return [];
  const target = targetName(aim.kind, aim.value);
  const since = new Date(now.getTime() - lookBackMs);
  const rows = await pastResults({ teamId, tool: step.tool, target, since, limit: maxPlans });
  const same = canonicalJson(jsonOf(step.args));
  return rows.flatMap(({ stepId, result, at, bytes }): Point[] => {
    const parsed = stepsSchema.safeParse(parseJson(bytes));
    const args = parsed.data?.plan.steps.find(({ id }) => id === stepId)?.args;
    const value = own(result, field);
    const isSame = args !== undefined && canonicalJson(jsonOf(args)) === same;
    return isSame && typeof value === 'number' ? [{ at, value }] : [];
  });
}
