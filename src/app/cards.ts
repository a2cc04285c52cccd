import { z } from 'zod';
import { type CardView, drawCard } from '../approval/card/card.ts';
import { diffPlans } from '../approval/card/diff.ts';
import type { LinkHosts } from '../core/address.ts';
import { type RowReader, readRow, readRows, type TellDamage } from '../core/damaged-row.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { Policy } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import { namesIn } from '../core/targets.ts';
import type { Lineage, ShowPort } from '../report/show-revision.ts';
import { pastResults } from '../store/past-counts.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import { type Beside, besides } from '../store/same-service.ts';
import type { Db } from '../store/tables.ts';
import { planReader } from './stored-requests.ts';

export interface CardDeps {
  readonly db: Db;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly policy: Policy;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
  readonly damaged: TellDamage;
  readonly now: () => Date;
}

/** The origin of a revision, as stored. */
const originSchema = z.object({ from: z.int().nullish(), inWords: z.boolean().nullish() });

/** How a new revision is shown: the card comes from approval, the answer from report. */
export function showPort(deps: CardDeps): ShowPort {
  const { db, manifests, policy, hosts } = deps;
  return {
    manifests,
    hosts,
    lineage: (revision) => lineageOf(deps, revision),
    changes: (revision) => changesOf(deps, revision),
    async card(revision, facts) {
      const around = await aroundOf(deps, revision);
      return drawCard(revision, {
        manifests,
        policy,
        state: { kind: 'proposed' },
        facts,
        ...around,
      });
    },
    pastResults: (of) => pastResults(db, of),
    superseded: (revision, byNumber) =>
      drawCard(revision, { manifests, policy, state: { kind: 'superseded', byNumber } }),
  };
}

const maxWaiting = 100;
/** Maximum number of other plans searched. */
const maxOthers = 20;

/** Extra content of an open card: the changes, other requesters, and other plans for its services. */
export async function aroundOf(
  deps: Pick<CardDeps, 'db' | 'manifests' | 'damaged' | 'now'>,
  revision: Revision,
): Promise<Pick<CardView, 'changes' | 'joiners' | 'besides'>> {
  const { db, manifests, damaged, now } = deps;
  const { teamId, requestId, plan } = revision.sealed;
  const [changes, joiners, others] = await Promise.all([
    changesOf(deps, revision),
    requests.joinersOf(db, teamId, requestId),
    besides(db, { teamId, requestId, now: now(), maxWaiting, max: maxOthers }),
  ]);
  const own = servicesOf(plan, manifests);
  const readable = readRows(others, besideReader, damaged);
  const named = readable.flatMap(({ requestId, number, isRunning, plan: other }) => {
    const [service] = servicesOf(other, manifests).filter((name) => own.includes(name));
    return service === undefined ? [] : [{ requestId, number, isRunning, service, summary: other.summary }];
  });
  return { changes, joiners, besides: named };
}

const besideReader: RowReader<Beside, Beside & { readonly plan: Plan }> = {
  ...planReader,
  read: (of) => ({ ...of, plan: planReader.read(of).sealed.plan }),
};

/** Services that a plan's writes involve: an older revision of its request may have named others. */
function servicesOf(plan: Plan, manifests: CardDeps['manifests']): string[] {
  const steps = plan.steps.filter(({ tool }) => manifests.get(tool)?.effect !== 'read');
  const names = namesIn({ ...plan, steps }, manifests);
  return names.filter((name) => name.startsWith('service:')).map((name) => name.replace('service:', ''));
}

/**
 * All changes since the first request, however many revisions there were; since the approved revision if that has
 * already run.
 */
async function changesOf(
  { db, manifests, damaged }: Pick<CardDeps, 'db' | 'manifests' | 'damaged'>,
  { sealed }: Revision,
): Promise<readonly string[]> {
  const { teamId, requestId, number } = sealed;
  if (number === 1) return [];
  const rows = await revisions.listOf(db, teamId, requestId);
  const rowOf = (of: number | null | undefined) => rows.find((row) => row.number === of);
  const baseOf = (row = rowOf(number)) => rowOf(originSchema.parse(row?.origin ?? {}).from);
  let first = baseOf();
  while (first !== undefined && first.state !== 'approved') {
    const before = baseOf(first);
    if (before === undefined) break;
    first = before;
  }
  const row = first && (await revisions.get(db, teamId, requestId, first.number));
  const base = row && readRow(row, planReader, damaged);
  return base ? diffPlans(base.sealed.plan, sealed.plan, manifests) : [];
}

async function lineageOf({ db, damaged }: CardDeps, { sealed }: Revision): Promise<Lineage> {
  const { teamId, requestId, number } = sealed;
  if (number === 1) return { base: null, replaced: null, isAskedBelowCard: false };
  const [row, previous, request] = await Promise.all([
    revisions.get(db, teamId, requestId, number),
    revisions.get(db, teamId, requestId, number - 1),
    requests.get(db, teamId, requestId),
  ]);
  const { from, inWords } = originSchema.parse(row?.origin ?? {});
  const base = from == null ? null : await revisions.get(db, teamId, requestId, from);
  return {
    base: base && readRow(base, planReader, damaged),
    replaced: previous?.state === 'superseded' ? readRow(previous, planReader, damaged) : null,
    isAskedBelowCard: inWords === true && request?.threadTs === null,
  };
}
