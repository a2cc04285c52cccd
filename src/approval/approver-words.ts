import { bold, group, person, type Span, time } from '../blocks/rich.ts';
import type { Approver, Policy } from '../core/policy.ts';
import type { Manifests } from './card/step-view.ts';
import { forWrite } from './may-approve.ts';
import type { ApprovalProgress } from './required-approvals.ts';
import { hoursWords, type RuledPlan, type RuledStep, rulingsOf } from './rules.ts';

const maxNamed = 8;

/** Who may approve a plan at a given time, one line for each write with a different rule. Mentions the groups and people. */
export function whoMay(plan: RuledPlan, manifests: Manifests, policy: Policy, now: Date): Span[][] {
  const steps = rulingsOf(plan, manifests, policy, now);
  if (steps.length === 0) return [[bold('Approvers: '), 'any full member, it only reads']];
  const bySet = Map.groupBy(steps, (step) => JSON.stringify(ruleWords(step, policy)));
  const alone = bySet.size === 1;
  const rows = [...bySet.values()].flatMap((same) => {
    const [first] = same;
    const writes = [...new Set(same.map(({ write }) => write.says))].join(' and ');
    return first === undefined ? [] : [rowOf(first, writes, policy, alone)];
  });
  const fourEyes = steps.some(({ ruling }) => ruling.kind === 'approve' && ruling.rule.fourEyes);
  return fourEyes ? [...rows, ['Needs someone other than the people who asked for it or edited it.']] : rows;
}

function ruleWords({ write, ruling }: RuledStep, policy: Policy) {
  if (ruling.kind === 'none') return null;
  const { deny, needed, hours } = ruling.rule;
  return { deny, needed, hours, approvers: forWrite(ruling.rule, write, policy) };
}

function rowOf(step: RuledStep, writes: string, policy: Policy, alone: boolean): Span[] {
  const { write, ruling } = step;
  if (ruling.kind === 'none') return [bold('Nobody may approve '), `${writes}: no rule is about it`];
  const { rule } = ruling;
  if (ruling.kind === 'deny')
    return [bold('Nobody may approve '), `${writes}: ${rule.deny ?? ''} (rule “${rule.name}”)`];
  const approvers = forWrite(rule, write, policy);
  if (approvers.length === 0)
    return [bold('Nobody may approve '), `${writes}: the rule “${rule.name}” names nobody`];
  const count = rule.needed > 1 ? `${rule.needed} of ` : '';
  const when = rule.hours === null ? '' : `, ${hoursWords(rule.hours)}`;
  return [bold(alone ? 'Approvers: ' : `Approvers of ${writes}: `), count, ...approverSpans(approvers), when];
}

/** Progress of several approvals: "1 of 2 said yes: Ana, 03:12. Still needed: …". */
export function progressRows(progress: ApprovalProgress | undefined): Span[][] {
  if (progress === undefined || progress.approvals.length === 0) return [];
  const { approvals, missing } = progress;
  const approved = approvals.flatMap(({ approver, at }, index): Span[] => [
    index === 0 ? '' : ', ',
    person(approver),
    ' ',
    time(at.toISOString(), '{time}'),
  ]);
  const rows = missing.map(({ write, needed, given, approvers }): Span[] => [
    bold(`${given.length} of ${needed} `),
    `for ${write}. Still needed: ${needed - given.length} of `,
    ...approverSpans(approvers),
  ]);
  return [[bold('Said yes: '), ...approved], ...rows];
}

/** Approvers as Slack mentions. */
export function approverSpans(approvers: readonly Approver[]): Span[] {
  const shown = approvers.slice(0, maxNamed);
  const more = approvers.length - shown.length;
  const named = shown.flatMap((approver, index): Span[] => {
    const last = index === shown.length - 1 && more === 0;
    const separator = index === 0 ? '' : last ? ' or ' : ', ';
    if (approver.kind === 'user') return [separator, person(approver.id)];
    if (approver.kind === 'group') return [separator, group(approver.id)];
    const { service } = approver;
    return [`${separator}whoever is on call for ${service ?? 'the service that it is about'}`];
  });
  return more > 0 ? [...named, ` or ${more} others`] : named;
}
