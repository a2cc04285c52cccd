import { bold, group, person, type Span } from '../blocks/rich.ts';
import { type Approver, approversOf, type Policy } from '../core/policy.ts';
import type { StepView } from './step-view.ts';
import { isWritingPlan, writesOf } from './writes.ts';

const mostNamed = 8;

/** Who may say yes to these steps, a line for each tool whose approvers differ. Groups and people are called by it. */
export function whoMay(steps: readonly StepView[], policy: Policy): Span[][] {
  if (!isWritingPlan(steps)) return [[bold('Approve: '), 'any full member, it only reads']];
  const tools = [...new Set(writesOf(steps).map((write) => write.tool))];
  const bySet = Map.groupBy(tools, (tool) => JSON.stringify(approversOf(policy, tool)));
  const alone = bySet.size === 1;
  const rows = [...bySet.values()].map((same): Span[] => {
    const approvers = approversOf(policy, same[0] ?? '');
    const names = same.join(' and ');
    if (approvers.length === 0) return [bold('Nobody may approve '), `${names}: no approvers are configured`];
    return [bold(alone ? 'Approve: ' : `Approve ${names}: `), ...approverSpans(approvers)];
  });
  if (policy.fourEyes) rows.push(['A second person has to: not who asked or edited.']);
  return rows;
}

/** Approvers as live names. */
export function approverSpans(approvers: readonly Approver[]): Span[] {
  const shown = approvers.slice(0, mostNamed);
  const more = approvers.length - shown.length;
  const named = shown.flatMap((approver, index): Span[] => {
    const last = index === shown.length - 1 && more === 0;
    const separator = index === 0 ? '' : last ? ' or ' : ', ';
    if (approver.kind === 'user') return [separator, person(approver.id)];
    if (approver.kind === 'group') return [separator, group(approver.id)];
    return [`${separator}whoever is on call for ${approver.service}`];
  });
  return more > 0 ? [...named, ` or ${more} others`] : named;
}
