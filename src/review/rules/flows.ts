import { type Finding, finding } from '../../core/finding.ts';
import { type Level, levels } from '../../core/manifest.ts';
import type { Step } from '../../core/plan.ts';
import { refsOf, splitRef } from '../../core/refs.ts';
import type { Rule, Subject } from '../rule.ts';

function higher(a: Level, b: Level): Level {
  return levels.indexOf(a) >= levels.indexOf(b) ? a : b;
}

/** Data level of a step's result: that of its own source or of its inputs, whichever is higher. */
function levelOf(subject: Subject, id: string, seen: ReadonlySet<string> = new Set()): Level {
  const step = subject.plan.steps.find((other) => other.id === id);
  const manifest = subject.scope.get(id);
  if (!step || !manifest || seen.has(id)) return 'public';
  const deeper = new Set([...seen, id]);
  return refsOf(step)
    .map(({ ref }) => levelOf(subject, splitRef(ref).step, deeper))
    .reduce(higher, manifest.yields);
}

/** Highest data level a step may receive: from the manifest, or from the channel it posts to. */
function clearanceOf(subject: Subject, step: Step): Level {
  const channel = step.args.channel;
  const named = typeof channel === 'string' ? channel.replace(/^#/, '') : undefined;
  const entry = subject.catalogue.channels.find((candidate) => candidate.name === named);
  return entry?.clearance ?? subject.scope.get(step.id)?.accepts ?? 'public';
}

/** Results are reported in the thread of the request, so its channel must be cleared for them, too. */
function told(subject: Subject, step: Step): Finding[] {
  const home = subject.catalogue.channels.find((channel) => channel.id === subject.home);
  const level = levelOf(subject, step.id);
  if (home === undefined || levels.indexOf(level) <= levels.indexOf(home.clearance)) return [];
  const message = `what it finds is ${level} and would be told here, but #${home.name} may hold ${home.clearance} data at most; ask in another channel`;
  return [finding('forbidden_flow', step.id, 'tool', message)];
}

/** Data goes only where its source level is cleared. */
export const flowRule: Rule = (subject) =>
  subject.plan.steps.flatMap((step) => {
    const manifest = subject.scope.get(step.id);
    if (!manifest) return [];
    const answer = manifest.effect === 'read' ? told(subject, step) : [];
    const clearance = clearanceOf(subject, step);
    const place = typeof step.args.channel === 'string' ? step.args.channel : step.tool;
    const given = refsOf(step).flatMap(({ arg, ref }) => {
      const level = levelOf(subject, splitRef(ref).step);
      if (levels.indexOf(level) <= levels.indexOf(clearance)) return [];
      return [
        finding(
          'forbidden_flow',
          step.id,
          `args.${arg}`,
          `${ref} is ${level} data, but ${place} may hold ${clearance} data at most`,
        ),
      ];
    });
    return [...answer, ...given];
  });
