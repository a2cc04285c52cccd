import type { Offer, PlannerAnswer } from '../core/answer.ts';
import { namesOf } from '../core/catalogue.ts';
import { cut } from '../core/clean-text.ts';
import { fieldInfo } from '../core/fields.ts';
import type { Finding } from '../core/finding.ts';
import { own } from '../core/own-property.ts';
import type { Plan } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput, ReviewDraft } from '../core/planning.ts';
import { capital } from '../core/step-words.ts';
import { byLikeness } from '../core/suggest.ts';

/** More buttons would be a menu. */
const maxOptions = 5;

/** A planner whose drafts pass the review: one that would be rejected becomes a question or a refusal. */
export function reviewed(next: Planner, review: ReviewDraft): Planner {
  return {
    async plan(input): Promise<PlannerReply> {
      const reply = await next.plan(input);
      return { ...reply, answer: passed(reply.answer, input, review) };
    },
  };
}

function passed(answer: PlannerAnswer, input: PlanningInput, review: ReviewDraft): PlannerAnswer {
  if (answer.kind === 'refuse') return answer;
  if (answer.kind === 'clarify') return { ...answer, ...withoutRejected(answer, input, review) };
  const { findings } = review(answer.plan, input);
  const unknown = findings.find(({ rule }) => rule === 'unknown_target');
  if (findings.length === 0) return answer;
  return (unknown && asksFor(unknown, answer.plan, input)) ?? refusalFor(findings);
}

/** Removes buttons that lead to a plan the review would reject. */
function withoutRejected(
  { options, offers }: Extract<PlannerAnswer, { kind: 'clarify' }>,
  input: PlanningInput,
  review: ReviewDraft,
): { options: readonly string[]; offers?: readonly Offer[] } {
  if (offers === undefined) return { options };
  const fit = offers.filter(({ plan }) => review(plan, input).findings.length === 0);
  const rejected = offers.filter((offer) => !fit.includes(offer)).map(({ option }) => option);
  return { options: options.filter((option) => !rejected.includes(option)), offers: fit };
}

/** Asks which name was meant, if the one in the plan is not known here. */
function asksFor({ step, field, message }: Finding, plan: Plan, input: PlanningInput): PlannerAnswer | null {
  const { tool, args } = plan.steps.find(({ id }) => id === step) ?? { tool: '', args: {} };
  const name = field?.replace(/^args\./, '') ?? '';
  const schema = own(input.catalogue.manifests.get(tool)?.args.shape ?? {}, name);
  const kind = schema ? fieldInfo(schema).target : undefined;
  const value = own(args, name);
  if (kind === undefined || typeof value !== 'string') return null;
  const options = byLikeness(namesOf(input.catalogue, kind), value).slice(0, maxOptions);
  const question = `${capital(message.replace(/;.*$/s, ''))}. Which ${kind} do you mean?`;
  return { kind: 'clarify', question: cut(question, 300), missing: [name], options };
}

function refusalFor(findings: readonly Finding[]): PlannerAnswer {
  const isMissing = findings.every(({ rule }) => rule === 'tool_not_configured');
  const messages = [...new Set(findings.map(({ message }) => `${capital(message)}.`))];
  const explanation = cut(messages.slice(0, 3).join(' '), 500);
  return { kind: 'refuse', reason: isMissing ? 'not_configured' : 'no_tool', explanation };
}
