import type { LinkHosts } from '../core/address.ts';
import { readRow, readRows } from '../core/damaged-row.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Listed } from '../history/port.ts';
import type { ShownCard, Story, ToldRun } from '../history/story-port.ts';
import { wordingOf } from '../report/run-words.ts';
import { readConversation } from '../request/conversation.ts';
import * as followed from '../store/followed-incidents.ts';
import { messageSchema } from '../store/outbox-messages.ts';
import { proofOf } from '../store/proof.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as shownCards from '../store/shown-cards.ts';
import * as steps from '../store/steps.ts';
import type { RunRow } from '../store/tables.ts';
import type { Books, SoundBooks } from './stored-requests.ts';

export interface StoryDeps extends SoundBooks {
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
}

/** Maximum number of dry runs and runs shown for one plan. */
const maxRuns = 4;

/** Everything the tables and the audit log have about a plan. */
export async function storyOf(plan: Listed, deps: StoryDeps): Promise<Story> {
  const { db, teamId, damaged } = deps;
  const { requestId, revision } = plan;
  const [proof, all, request] = await Promise.all([
    proofOf(db, teamId, requestId),
    runs.listOf(db, teamId, requestId),
    requests.get(db, teamId, requestId),
  ]);
  const found = await Promise.all(all.slice(-maxRuns).map((run) => toldRun(run, deps)));
  const rows = await Promise.all(
    all.slice(-maxRuns).map(({ id: runId }) => followed.lifeOfRun(db, { teamId, runId })),
  );
  return {
    plan,
    requestId,
    lives: readRows(
      rows.flatMap((row) => row ?? []),
      followed.lifeReader,
      damaged,
    ).flatMap(({ life }) => life ?? []),
    goal: request?.goal ?? revision?.sealed.plan.goal ?? '',
    answers: readConversation(request?.question ?? null).answers,
    runs: found.flat(),
    log: proof.lines,
    problems: proof.problems,
  };
}

async function toldRun(
  run: RunRow,
  { db, teamId, manifests, hosts, damaged }: StoryDeps,
): Promise<ToldRun[]> {
  const { id: runId, requestId, number, mode, outcome } = run;
  const row = await revisions.get(db, teamId, requestId, number);
  const revision = row && readRow(row, revisions.planReader, damaged);
  if (revision === null) return [];
  const rows = await steps.stepResults(db, teamId, runId);
  const results = rows.flatMap((each) => steps.toStepResult(each) ?? []);
  return [
    {
      runId,
      number,
      mode,
      outcome,
      wording: wordingOf(revision.sealed, manifests, hosts),
      results,
    },
  ];
}

/** The last card of a revision sent to Slack before the decision, or null. */
export async function cardAsShown(
  { db, teamId }: Books,
  of: { requestId: string; number: number },
): Promise<ShownCard | null> {
  const found = await shownCards.last(db, { teamId, ...of });
  if (found === null) return null;
  const { hash, at, isWhole } = found;
  return { message: messageSchema.parse(found.message), at: at.toISOString(), hash, isWhole };
}
