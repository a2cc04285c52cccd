import { describeError, VendorError } from '../core/errors.ts';
import { type Finding, finding } from '../core/finding.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan, PlanDraft } from '../core/plan.ts';
import type { Policy } from '../core/policy.ts';
import type { Readers } from '../core/ports.ts';
import type { QueryReader } from '../core/queries/answer.ts';
import { type QueryArgs, QueryError } from '../core/queries/bind.ts';
import type { QueryLanguage } from '../core/queries/template.ts';
import { hasWritten, languageOf, writtenWait } from '../core/queries/written.ts';
import { isUnattended, type Request } from '../core/request.ts';
import { callsOf } from '../core/verify.ts';

export type QueryReaders = Pick<Readers, 'queries' | 'databases' | 'azure' | 'splunk' | 'prometheus'>;

interface QueryChecks {
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly readers: QueryReaders;
  readonly now: Date;
}

/** Milliseconds for which a plan waits for the check of its queries; a database stops its own part sooner. */
const checkMs = 5_000;

export interface QueryProblem {
  readonly code: string;
  /** In the words of the source. */
  readonly message: string;
  /** The source would not run it. False where it could not be asked, which is left to the read. */
  readonly refused: boolean;
}

const refusals = new Set([
  'refused',
  'forbidden',
  'read_only',
  'role_can_write',
  'query_slow',
  'query_costly',
  'query_value',
]);

/** Why a source would not run a query, before anything is read; null if it would. */
export async function queryProblem(
  language: QueryLanguage,
  args: QueryArgs,
  readers: QueryReaders,
  now: Date,
): Promise<QueryProblem | null> {
  const sources: Readonly<Record<QueryLanguage, Pick<QueryReader, 'check'>>> = {
    ...{ sql: readers.databases, kql: readers.azure, spl: readers.splunk, promql: readers.prometheus },
  };
  try {
    const query = readers.queries.bind(language, args, now);
    await sources[language].check(query, AbortSignal.timeout(checkMs));
    return null;
  } catch (error) {
    if (error instanceof QueryError) return { ...describeError(error), refused: true };
    if (!(error instanceof VendorError)) throw error;
    return { ...describeError(error), refused: refusals.has(error.code) };
  }
}

/** A finding for a query that a model may have written, where no person asked for the plan. */
export function unattendedQuery(
  plan: Plan | PlanDraft,
  { via }: Pick<Request, 'via'>,
  { manifests, policy }: Pick<QueryChecks, 'manifests'> & { readonly policy: Policy },
): Finding[] {
  const isWatch = plan.watch !== undefined;
  // Nobody is there to approve what a watch reads.
  const may = policy.written?.unattended === true && !(isWatch && writtenWait(policy));
  const step = plan.steps.find((one) => hasWritten({ steps: [one] }, manifests));
  if (may || step === undefined || !(isWatch || isUnattended({ via }))) return [];
  const who = isWatch ? 'a watch' : via === 'schedule' ? 'a schedule' : `an ${via}`;
  const why = `${who} may have no written query here (written_queries in countersign.yml); use a vetted query`;
  return [finding('written_unattended', step.id, 'tool', why)];
}

/** A finding for each handwritten query that its source would refuse. Vetted ones were checked by their operator. */
export async function checkQueries(
  { steps }: Plan | PlanDraft,
  { manifests, readers, now }: QueryChecks,
): Promise<Finding[]> {
  const found = await Promise.all(
    steps.flatMap((step) =>
      callsOf(step).map(async ({ tool, args }) => {
        const language = languageOf({ tool, args }, manifests);
        if (language === undefined || typeof args.query !== 'string') return [];
        const problem = await queryProblem(language, args, readers, now);
        return problem?.refused !== true
          ? []
          : [finding('query_refused', step.id, 'args.query', problem.message)];
      }),
    ),
  );
  return found.flat();
}
