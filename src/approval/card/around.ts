import { effectOf } from '../../core/code-step.ts';
import { type RowReader, readRow, readRows } from '../../core/damaged-row.ts';
import type { Plan } from '../../core/plan.ts';
import type { Revision } from '../../core/revision.ts';
import { namesIn } from '../../core/targets.ts';
import * as requests from '../../store/requests.ts';
import * as revisions from '../../store/revisions.ts';
import { type Beside, besides } from '../../store/same-service.ts';
import type { ApprovalContext } from '../context.ts';
import type { CardView } from './card.ts';
import type { Rejection } from './changes.ts';
import { diffPlans } from './diff.ts';
import type { Manifests } from './step-view.ts';

type RowContext = Pick<ApprovalContext, 'db' | 'manifests' | 'damaged'>;

const maxWaiting = 100;
/** Maximum number of other plans searched. */
const maxOthers = 20;

/** Extra content of an open card: the changes, other requesters, other plans for its services, and a stop of all writes. */
export async function aroundOf(
  context: RowContext & Pick<ApprovalContext, 'now'>,
  revision: Revision,
): Promise<Pick<CardView, 'changes' | 'rejected' | 'joiners' | 'besides' | 'stopped'>> {
  const { db, manifests, damaged, now } = context;
  const { teamId, requestId, plan } = revision.sealed;
  const [changes, rejected, joiners, others] = await Promise.all([
    changesOf(context, revision),
    rejectionBefore(context, revision),
    requests.joinersOf(db, teamId, requestId),
    besides(db, { teamId, requestId, now: now(), maxWaiting, max: maxOthers }),
  ]);
  const own = servicesOf(plan, manifests);
  const readable = readRows(others, besideReader, damaged);
  const named = readable.flatMap(({ requestId, number, isRunning, plan: other }) => {
    const [service] = servicesOf(other, manifests).filter((name) => own.includes(name));
    return service === undefined ? [] : [{ requestId, number, isRunning, service, summary: other.summary }];
  });
  return { changes, rejected, joiners, besides: named, stopped: joiners.stopped };
}

const besideReader: RowReader<Beside, Beside & { readonly plan: Plan }> = {
  ...revisions.planReader,
  read: (of) => ({ ...of, plan: revisions.planReader.read(of).sealed.plan }),
};

/** Services that a plan's writes involve: an older revision of its request may have named others. */
function servicesOf(plan: Plan, manifests: Manifests): string[] {
  const steps = plan.steps.filter(({ tool }) => effectOf(tool, manifests) !== 'read');
  const names = namesIn({ ...plan, steps }, manifests);
  return names.filter((name) => name.startsWith('service:')).map((name) => name.replace('service:', ''));
}

/**
 * All changes since the first request, however many revisions there were; since the approved revision if that has
 * already run.
 */
export async function changesOf(
  { db, manifests, damaged }: RowContext,
  { sealed }: Revision,
): Promise<readonly string[]> {
  const { teamId, requestId, number } = sealed;
  if (number === 1) return [];
  const rows = await revisions.listOf(db, teamId, requestId);
  const rowOf = (of: number | null) => rows.find((row) => row.number === of);
  const baseOf = (row = rowOf(number)) => rowOf(revisions.originOf(row ?? null).from);
  let first = baseOf();
  while (first !== undefined && first.state !== 'approved') {
    const before = baseOf(first);
    if (before === undefined) break;
    first = before;
  }
  const row = first && (await revisions.get(db, teamId, requestId, first.number));
  const base = row && readRow(row, revisions.planReader, damaged);
  return base ? diffPlans(base.sealed.plan, sealed.plan, manifests) : [];
}

/** The rejection whose reason led to a revision. */
async function rejectionBefore(
  { db }: RowContext,
  { sealed: { teamId, requestId, number } }: Revision,
): Promise<Rejection | null> {
  if (number === 1) return null;
  const rows = await revisions.listOf(db, teamId, requestId);
  const { from } = revisions.originOf(rows.find((row) => row.number === number) ?? null);
  if (rows.find((row) => row.number === from)?.state !== 'rejected' || from === null) return null;
  const base = await revisions.get(db, teamId, requestId, from);
  return base && { number: from, by: base.decidedBy ?? 'system', reason: base.reason ?? '' };
}
