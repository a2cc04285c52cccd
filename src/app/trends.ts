import { z } from 'zod';
import { canonicalJson } from '../core/canonical.ts';
import { jsonOf, parseJson } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import { own } from '../core/own.ts';
import { targetName, targetsIn } from '../core/targets.ts';
import type { Counted, Point } from '../report/trend.ts';
import { pastResults } from '../store/past-counts.ts';
import type { Db } from '../store/tables.ts';

const lookBackMs = 30 * 86_400_000;
/** Plans that are looked at for the same count. */
const maxPlans = 300;

const stepsSchema = z.object({
  plan: z.object({ steps: z.array(z.object({ id: z.string(), args: z.record(z.string(), z.unknown()) })) }),
});

/** What the same count came to before: the same tool with the same arguments, whatever else its plan did. */
export async function pastCounts(
  db: Db,
  teamId: string,
  { step, field }: Counted,
  manifests: ReadonlyMap<string, Manifest>,
  now: Date,
): Promise<Point[]> {
  const manifest = manifests.get(step.tool);
  const [aim] =
    manifest === undefined ? [] : targetsIn(manifest, step.args).filter(({ kind }) => kind !== 'severity');
  if (aim === undefined) return [];
  const target = targetName(aim.kind, aim.value);
  const since = new Date(now.getTime() - lookBackMs);
  const rows = await pastResults(db, { teamId, tool: step.tool, target, since, limit: maxPlans });
  const same = canonicalJson(jsonOf(step.args));
  return rows.flatMap(({ stepId, result, at, bytes }): Point[] => {
    const parsed = stepsSchema.safeParse(parseJson(bytes));
    const args = parsed.data?.plan.steps.find(({ id }) => id === stepId)?.args;
    const value = own(result, field);
    const isSame = args !== undefined && canonicalJson(jsonOf(args)) === same;
    return isSame && typeof value === 'number' ? [{ at, value }] : [];
  });
}
