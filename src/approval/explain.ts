import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { bold, bullets, code, line, rich, type Span } from '../blocks/rich.ts';
import type { Policy, Rule } from '../core/policy.ts';
import { approverSpans } from './approver-words.ts';
import type { Manifests } from './card/step-view.ts';
import type { ApprovalContext } from './context.ts';
import { approversOf, forWrite } from './may-approve.ts';
import { hoursWords, type RuledPlan, type RuledStep, rulingsOf } from './rules.ts';

const askForOne = '/plan policy <goal>';

/** The rules that apply to a plan not yet requested; all rules if no plan is given. */
export function explain(
  plan: RuledPlan | null,
  { rules: { policy }, manifests, now }: Pick<ApprovalContext, 'rules' | 'manifests' | 'now'>,
): Message {
  const order = 'Deny rules win; otherwise the first matching rule applies.';
  if (plan === null) return policyMessage(explainRules(policy), [`${order} For one plan: `, code(askForOne)]);
  const isWriting = rulingsOf(plan, manifests, policy, now()).length > 0;
  return policyMessage(explainPlan(plan, manifests, policy, now()), isWriting ? [order] : []);
}

/** The rule that applies to each write of a plan at a given time, and why; one line each. */
export function explainPlan(plan: RuledPlan, manifests: Manifests, policy: Policy, now: Date): Span[][] {
  const steps = rulingsOf(plan, manifests, policy, now);
  if (steps.length === 0) return [['It only reads, so any full member may run it, whoever asked.']];
  return steps.map((step) => explainStep(step, policy));
}

function explainStep({ write, ruling }: RuledStep, policy: Policy): Span[] {
  const name: Span[] = [bold(write.says), ': '];
  if (ruling.kind === 'none') {
    const rules = policy.rules.map((rule) => `“${rule.name}”`).join(', ');
    return [
      ...name,
      `no rule fits it, so nobody may approve it. ${rules === '' ? 'There are no rules.' : `Rules: ${rules}.`}`,
    ];
  }
  const { rule, why } = ruling;
  const because = `the rule “${rule.name}” fits: ${why.join(', ')}. `;
  if (ruling.kind === 'deny') return [...name, because, bold('Nobody may approve it: '), rule.deny ?? ''];
  const approvers = forWrite(rule, write, policy);
  if (approvers.length > 0) return [...name, because, ...askedOf(rule, approverSpans(approvers))];
  const onCall = approversOf(rule).some(({ kind }) => kind === 'oncall');
  if (onCall && write.services.includes(null))
    return [...name, because, 'Approvers: whoever is on call for its service, which its card names.'];
  const nobody = onCall
    ? 'Nobody: it names no single service to be on call for.'
    : 'Nobody: the rule names nobody.';
  return [...name, because, bold(nobody)];
}

function askedOf(rule: Rule, approvers: readonly Span[]): Span[] {
  const count = rule.needed > 1 ? `${rule.needed} of ` : '';
  const eyes = rule.fourEyes ? ', but not who asked or edited' : '';
  return ['Approvers: ', count, ...approvers, `${eyes}.`];
}

/** All rules, in the order they are checked. */
export function explainRules({ rules }: Policy): Span[][] {
  if (rules.length === 0)
    return [['countersign.yml has no rules, so nobody may approve anything that writes.']];
  const ordered = [
    ...rules.filter(({ deny }) => deny !== null),
    ...rules.filter(({ deny }) => deny === null),
  ];
  return ordered.map((rule) => {
    const about = [
      rule.tools?.join(', ') ?? 'every write',
      ...(rule.services === null ? [] : [`service ${rule.services.join(', ')}`]),
      ...(rule.projects === null ? [] : [`project ${rule.projects.join(', ')}`]),
      ...(rule.channels === null ? [] : [`channel ${rule.channels.join(', ')}`]),
      ...(rule.risks === null ? [] : [`${rule.risks.join(', ')} risk`]),
      ...(rule.hours === null ? [] : [hoursWords(rule.hours)]),
    ].join('; ');
    const said: Span[] =
      rule.deny === null
        ? askedOf(rule, approversOf(rule).length === 0 ? ['nobody'] : approverSpans(approversOf(rule)))
        : [bold('Nobody may approve it: '), rule.deny];
    return [bold(`${rule.name}: `), `${about}. `, ...said];
  });
}

function policyMessage(rows: readonly (readonly Span[])[], last: readonly Span[]): Message {
  return {
    text: fallbackText('Who may approve'),
    blocks: [
      rich([
        line(bold('Who may approve'), '. Nothing was stored or run.'),
        bullets(rows.slice(0, 30).map((row) => line(...row))),
        ...(last.length === 0 ? [] : [line(...last)]),
      ]),
    ],
  };
}
