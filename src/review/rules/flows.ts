import { finding } from '../../core/finding.ts';
import { type Level, levels } from '../../core/manifest.ts';
import type { Step } from '../../core/plan.ts';
import { refsOf, splitRef } from '../../core/refs.ts';
import type { Rule, Subject } from '../subject.ts';

function higher(a: Level, b: Level): Level {
  return levels.indexOf(a) >= levels.indexOf(b) ? a : b;
}

/** The level of what a step returns: its own source, or that of anything it was given, whichever is higher. */
function levelOf(subject: Subject, id: string, seen: ReadonlySet<string> = new Set()): Level {
  const step = subject.plan.steps.find((other) => other.id === id);
  const manifest = subject.scope.get(id);
  if (!step || !manifest || seen.has(id)) return 'public';
  const deeper = new Set([...seen, id]);
  return refsOf(step)
    .map(({ ref }) => levelOf(subject, splitRef(ref).step, deeper))
    .reduce(higher, manifest.yields);
}

/** What a step may be given: the manifest's level, or that of the channel it posts to. */
function clearanceOf(subject: Subject, step: Step): Level {
  const channel = step.args.channel;
  const named = typeof channel === 'string' ? channel.replace(/^#/, '') : undefined;
  const entry = subject.catalogue.channels.find((candidate) => candidate.name === named);
  return entry?.clearance ?? subject.scope.get(step.id)?.accepts ?? 'public';
}

/** Data goes only where its source is cleared to go. */
export const flowRule: Rule = (subject) =>
  subject.plan.steps.flatMap((step) => {
    if (!subject.scope.has(step.id)) return [];
    const clearance = clearanceOf(subject, step);
    return refsOf(step).flatMap(({ arg, ref }) => {
      const level = levelOf(subject, splitRef(ref).step);
      if (levels.indexOf(level) <= levels.indexOf(clearance)) return [];
      return [
        finding(
          'forbidden_flow',
          step.id,
          `args.${arg}`,
          `${ref} is ${level}; this may hold ${clearance} data at most`,
        ),
      ];
    });
  });
