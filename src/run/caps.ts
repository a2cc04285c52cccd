import { targetName, targetsIn } from '../core/targets.ts';
import type { WriteTool } from '../core/tool.ts';
import { first, type WriteCap } from '../store/writes.ts';
import type { ActiveRun } from './active-run.ts';
import { failed, type StepOutcome } from './step-outcome.ts';
import type { Held } from './targets.ts';

const hourMs = 3_600_000;

/** The targets by which a write counts towards its caps. */
export function targetNames({ manifest }: WriteTool, args: Record<string, unknown>): string[] {
  return targetsIn(manifest, args)
    .filter(({ kind }) => kind !== 'severity')
    .map(({ kind, value }) => targetName(kind, value));
}

/** A person who is woken, by vendor id. */
export function personName(id: string): string {
  return `person:${id}`;
}

/** Hourly caps: pages per service and per person woken, posts per channel or person. */
export function capsFor(run: ActiveRun, targets: readonly string[]): WriteCap[] {
  const { caps } = run.deps.policy;
  const since = new Date(run.deps.now().getTime() - hourMs);
  return targets.flatMap((target) => {
    if (wakes(target)) return [{ since, max: caps.pagesPerHour, target }];
    if (/^(channel|user):/.test(target)) return [{ since, max: caps.postsPerHour, target }];
    return [];
  });
}

/** Explains which cap is reached and since when, with the address of the first write if the vendor gave one. */
export async function overCap(
  run: ActiveRun,
  tool: WriteTool,
  { cap, count }: { cap: WriteCap; count: number },
  people: Held['people'],
): Promise<StepOutcome> {
  const { target, since, max } = cap;
  const oldest = await first(run.deps.db, {
    teamId: run.key.teamId,
    tool: tool.manifest.name,
    target,
    since,
  });
  const person = people.find(({ id }) => personName(id) === target);
  const name = person?.name ?? target.replace(/^\w+:/, '');
  const done = count === 1 ? 'once' : `${count} times`;
  const verb = tool.manifest.calls === undefined ? 'written to' : 'paged';
  const oldestWords =
    oldest === null
      ? ''
      : `; the first was at ${oldest.at.toISOString().slice(11, 16)} UTC${linkIn(oldest.evidence)}`;
  const message = `${name} was ${verb} ${done} within the last hour, and the cap is ${max}${oldestWords}. Nothing was sent.`;
  return failed('over_cap', message);
}

function wakes(target: string): boolean {
  return /^(service|person):/.test(target);
}

function linkIn(evidence: unknown): string {
  if (typeof evidence !== 'object' || evidence === null || !('result' in evidence)) return '';
  const { result } = evidence;
  if (typeof result !== 'object' || result === null || !('link' in result)) return '';
  return typeof result.link === 'string' ? ` (${result.link})` : '';
}
