import type { Args } from '../draft/draft.ts';
import { isLeftOut } from '../words/owners.ts';
import { timeOf } from '../words/periods.ts';
import { ofKind, type Token } from '../words/token.ts';
import type { Known, ReadSpec } from './spec.ts';

/** Every combination of the projects and priorities that a clause names. */
export function spread(tokens: readonly Token[], make: (args: Args) => ReadSpec): ReadSpec[] {
  const projects = [...new Set(ofKind(tokens, 'project').map((token) => token.word))];
  const priorities = [
    ...new Set(
      ofKind(tokens, 'priority')
        .filter((token) => !isLeftOut(tokens, token))
        .map((token) => token.word),
    ),
  ];
  const all: (string | undefined)[] = projects.length > 0 ? projects : [undefined];
  return all.flatMap((project) =>
    (priorities.length > 0 ? priorities : [undefined]).map((priority) => {
      const args: Args = {};
      if (project !== undefined) args.project = project;
      if (priority !== undefined) args.priority = priority;
      return make(args);
    }),
  );
}

export function slaReads(tokens: readonly Token[], line: string, known: Known): ReadSpec[] | null {
  const keys = ofKind(tokens, 'key');
  const about = /\b(sla|breached|at-risk|time-left)\b/.test(line);
  if (keys.length > 0)
    return about ? keys.map((key) => ({ tool: 'jira.sla', args: { key: key.word } })) : null;
  const issues =
    /\b(ticket|bug|story|task|which)\b/.test(line) || ofKind(tokens, 'project', 'priority').length > 0;
  if (
    /\bthreshold\b/.test(line) &&
    (/\bsla\b/.test(line) || issues || known.project !== undefined) &&
    !/\b(breached|at-risk)\b/.test(line)
  ) {
    return spread(tokens, (args) => ({ tool: 'sla.threshold', args: inherited(args, known) }));
  }
  if (
    /\bat-risk\b|\btime-left\b/.test(line) ||
    ((/\bbreached\b/.test(line) ||
      /\b(?:over|above|beyond)\b.*\bsla\b|\bany\b.* more-than (?:its|the) sla\b/.test(line)) &&
      (issues || /\bsla\b/.test(line)))
  ) {
    const state =
      /\bat-risk\b/.test(line) || /\bnext §dur|\bin §dur|within §dur|\bat-most §dur/.test(line)
        ? 'at_risk'
        : /\b(?:breached|over|above|beyond)\b|more-than (?:its|the) sla\b/.test(line)
          ? 'breached'
          : undefined;
    const { window } = timeOf(tokens);
    if (known.key !== undefined && !issues && /\btime-left\b/.test(line))
      return [{ tool: 'jira.sla', args: { key: known.key } }];
    return spread(tokens, (args) => {
      const full: Args = { ...args };
      if (state !== undefined) full.state = state;
      if (window !== undefined && state === 'at_risk') full.within = window;
      return { tool: 'jira.sla', args: full };
    });
  }
  if (!/\bsla\b/.test(line)) return null;
  if (known.key !== undefined && !issues && !/\bthreshold\b/.test(line))
    return [{ tool: 'jira.sla', args: { key: known.key } }];
  const state = /\bstatus\b|\bhealth\b|\bstanding\b/.test(line);
  const makes = state ? 'jira.sla' : 'sla.threshold';
  const specs = spread(tokens, (args) => ({ tool: makes, args }));
  return specs.map((spec) =>
    makes === 'sla.threshold' ? { ...spec, args: inherited(spec.args, known) } : withKnown(spec, known),
  );
}

/** A limit is asked for the project and the priority that were spoken of last. */
function inherited(args: Args, known: Known): Args {
  if (args.project !== undefined && args.priority !== undefined) return args;
  const project = args.project ?? known.project;
  const same = args.project === undefined || args.project === known.project;
  const priority = args.priority ?? (same ? known.priority : undefined);
  return { ...(project ? { project } : {}), ...(priority ? { priority } : {}) };
}

function withKnown(spec: ReadSpec, known: Known): ReadSpec {
  if (spec.args.project !== undefined) return spec;
  if (known.key !== undefined && spec.tool === 'jira.sla') return { ...spec, args: { key: known.key } };
  if (known.project === undefined) return spec;
  return { ...spec, args: { project: known.project, ...spec.args } };
}
