import type { Message } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { cut } from '../core/clean-text.ts';
import type { Finding } from '../core/finding.ts';
import { type Plan, type PlanDraft, planLimits } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import { firstTurn, type Turn } from '../core/planning-turn.ts';
import type { Request } from '../core/request.ts';
import { cleanText } from './clean-input.ts';
import { requestIdOf } from './intake.ts';
import { notPlannable, refused, tooLong } from './words.ts';

/** The stages that plan and review. */
interface Planning {
  make(request: Request, turn: Turn): Promise<PlannerReply>;
  review(
    draft: Plan | PlanDraft,
    channel: string,
  ): { readonly plan: Plan | null; readonly findings: readonly Finding[] };
  readonly teamId: string;
  readonly now: () => Date;
}

/** Plans a goal without storing it, or returns the message to show instead. */
export async function tryPlan(
  words: string,
  { userId, channel, key }: { readonly userId: string; readonly channel: string; readonly key: string },
  { make, review, teamId, now }: Planning,
): Promise<{ readonly plan: Plan } | { readonly plan: null; readonly message: Message }> {
  const goal = cleanText(words);
  if (goal.length > planLimits.goal) return { plan: null, message: tooLong() };
  const about = {
    teamId,
    id: requestIdOf(teamId, key),
    goal,
    requester: userId,
    channel,
    createdAt: now(),
  };
  const request = { ...about, via: 'command', threadTs: null, quoted: null } as const;
  const { answer } = await make(request, firstTurn(userId, key));
  if (answer.kind === 'refuse')
    return { plan: null, message: refused(answer.reason, answer.explanation, []) };
  if (answer.kind === 'clarify') {
    const message = titled(
      'I would have to ask something first.',
      [cut(answer.question, 600)],
      ['Ask again with the answer in it.'],
    );
    return { plan: null, message };
  }
  const reviewed = review(answer.plan, channel);
  if (reviewed.plan !== null) return { plan: reviewed.plan };
  return { plan: null, message: notPlannable(reviewed.findings) };
}
