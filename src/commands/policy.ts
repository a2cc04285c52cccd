import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { explainPlan, explainRules } from '../approval/explain.ts';
import { type Replay, replay } from '../approval/replay.ts';
import { plainText } from '../blocks/plain-text.ts';
import type { Span } from '../blocks/rich.ts';
import { shortDigest } from '../core/canonical.ts';
import { oneLine } from '../core/clean-text.ts';
import { findingLine } from '../core/finding.ts';
import { problemLine } from '../notation/problems.ts';
import { reviewDraft } from '../review/review.ts';
import { type PastDecision, pastDecisions } from '../store/past-decisions.ts';
import { knownTeams } from '../store/teams.ts';
import { readPlan } from './check.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { withDatabase } from './database.ts';
import { offlineWorld } from './offline-world.ts';
import { readSince } from './since.ts';

/** `policy explain [<plan file>]` and `policy test`. */
export const policyCommand: Command = async ([what, ...args], context) => {
  if (what === 'test') return testRules(args, context);
  if (what !== 'explain' || args.length > 1) throw new UsageError();
  return explainFile(args[0], context);
};

/** Which rule currently applies to each write of a plan, and why; without a file, all rules. Exit 1 for an invalid plan. */
function explainFile(file: string | undefined, context: CommandContext): number {
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
}

/** The order in which changes are listed. */
const changes = {
  refused: 'would be refused',
  other_approvers: 'would need other approvers',
  needs_approval: 'would need an approval',
  needs_none: 'would need no approval',
} as const;

/** Decides past plans again under the current files: each that would have been decided otherwise. Exit 1 if there are any. */
async function testRules(args: readonly string[], context: CommandContext): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { since: { type: 'string', default: '30d' }, json: { type: 'boolean', default: false } },
  });
  const since = readSince(values.since);
  const world = offlineWorld(context);
  const under = { policy: world.policy, manifests: world.catalogue.manifests };
  const found: { readonly past: PastDecision; readonly now: Replay }[] = [];
  await withDatabase(context.variables, async (db) => {
    for (const teamId of await knownTeams(db)) {
      for await (const past of pastDecisions({ db, teamId, since, damaged() {} })) {
        const [wrong] = reviewDraft(past.revision.sealed.plan, world).findings;
        const refused = wrong && ({ kind: 'refused', words: [`refused: ${findingLine(wrong)}`] } as const);
        found.push({ past, now: refused ?? replay(past, under) });
      }
    }
    return 0;
  });
  const changed = found.flatMap(({ past, now }) => ('words' in now ? [{ past, now }] : []));
  if (values.json) context.out(JSON.stringify(summaryOf(found, changed), null, 2));
  else for (const line of testLines(found, changed, since)) context.out(line);
  return changed.length === 0 ? 0 : 1;
}

type Tested = { readonly past: PastDecision; readonly now: Replay };
type Changed = { readonly past: PastDecision; readonly now: Extract<Replay, { words: readonly Span[] }> };

function countOf(found: readonly Tested[], kind: Replay['kind']): number {
  return found.filter(({ now }) => now.kind === kind).length;
}

function summaryOf(found: readonly Tested[], changed: readonly Changed[]) {
  return {
    ...{ decisions: found.length, stands: countOf(found, 'stands'), unsure: countOf(found, 'unsure') },
    changed: changed.map(({ past: { revision, at, approval }, now }) => ({
      ...{ plan: shortDigest(revision.digest), request: revision.sealed.requestId, at },
      ...{ by: approval?.by ?? [], change: now.kind, words: plainText(now.words) },
    })),
  };
}

function testLines(found: readonly Tested[], changed: readonly Changed[], since: Date): string[] {
  const unsure = countOf(found, 'unsure');
  const order = Object.keys(changes);
  return [
    `${found.length} decisions since ${since.toISOString().slice(0, 10)}: ${changed.length} would change`,
    ...Object.entries(changes).flatMap(([kind, words]) => {
      const count = changed.filter(({ now }) => now.kind === kind).length;
      return count === 0 ? [] : [`  ${count} ${words}`];
    }),
    ...(unsure === 0
      ? []
      : [`  ${unsure} cannot be told: they depend on who was in a group or on call, which is not looked up`]),
    ...changed
      .toSorted((a, b) => order.indexOf(a.now.kind) - order.indexOf(b.now.kind))
      .flatMap(({ past: { revision, at, approval }, now }) => [
        '',
        `${shortDigest(revision.digest)}  ${at.toISOString().slice(0, 16)}  ${oneLine(revision.sealed.plan.summary)}`,
        `  ${approval === null ? '' : `approved by ${approval.by.join(', ')}; `}${plainText(now.words)}`,
      ]),
  ];
}
