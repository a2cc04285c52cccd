import { z } from 'zod';
import { rowFact } from '../audit/chain.ts';
import { isSigned } from './proof.ts';
import type { StoredStanding } from './standing-approvals.ts';
import type { Db } from './tables.ts';

const givenSchema = z.object({
  scope: z.string(),
  plan: z.string(),
  version: z.string(),
  policy: z.string(),
  catalogue: z.string(),
  until: z.string(),
  perDay: z.number(),
});

/**
 * True when a standing approval matches the audit log, whose lines the bot's role cannot change: active and not ended,
 * for that plan under those rules, by those people, and within the strictest date and number of writes that any of them
 * set.
 */
export async function isAsGiven(db: Db, row: StoredStanding): Promise<boolean> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('teamId', '=', row.teamId)
    .where('subject', '=', `standing:${row.id}`)
    .orderBy('seq')
    .execute();
  const lines = rows.filter((line) => isSigned(db, line)).map(rowFact);
  const isKind = (kind: string) => lines.some((line) => line.kind === kind);
  if (!isKind('standing.active') || isKind('standing.ended')) return false;
  const given = lines.filter(({ kind }) => kind === 'standing.given');
  const by = new Set(given.map(({ actor }) => actor));
  const terms = z
    .array(givenSchema)
    .min(1)
    .safeParse(given.map(({ data }) => data));
  if (!terms.success || row.approvers.some((id) => !by.has(id))) return false;
  const isSame = terms.data.every(
    ({ scope, plan, version, policy, catalogue }) =>
      scope === row.scope &&
      plan === row.planKey &&
      version === row.version &&
      policy === row.policy &&
      catalogue === row.catalogue,
  );
  const until = Math.min(...terms.data.map((one) => Date.parse(one.until)));
  const perDay = Math.min(...terms.data.map((one) => one.perDay));
  return isSame && row.until.getTime() <= until && row.perDay <= perDay;
}
