import type { Say } from '../blocks/message.ts';
import type { Finding } from '../core/finding.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { NextTurn, Turn } from '../core/planning-turn.ts';
import type { Request, StoredRequest } from '../core/request.ts';
import { type AnswerClick, answerClicked } from './answers.ts';
import { ask, broke, refuse, reject } from './ask.ts';
import type { RequestContext } from './context.ts';
import {
  type FollowUpClick,
  fixRequest,
  followUpRequest,
  type ResultClick,
  sameRequest,
  undoRequest,
} from './follow-up.ts';
import { type Arrival, type Taken, take } from './intake.ts';
import { admits } from './limits.ts';
import { nextFixRequest } from './next-fix.ts';
import { hear } from './thread.ts';
import type { Heard, ThreadMessage } from './thread-message.ts';
import { awaitChange, awaitPlan, type RunToStop, type StopClick, stopped } from './under-way.ts';
import { notUnderstoodBelow } from './unsure.ts';
import { changeNotUnderstood } from './words.ts';

/** Requests of people, and the answers they get before there is a plan. */
export interface RequestStage {
  /** Validates and stores a goal. */
  take(arrival: Arrival, say: Say): Promise<Taken | null>;
  /** Distinguishes an answer and a change from talk between people. */
  hear(message: ThreadMessage, say: Say): Promise<Heard>;
  /** A button under a question. */
  answer(click: AnswerClick, say: Say): Promise<NextTurn<StoredRequest> | null>;
  /** The request that undoes a step. */
  undo(click: ResultClick, say: Say): Promise<Arrival | null>;
  /** The request of a button for a follow-up step, or of its form. */
  followUp(click: FollowUpClick, say: Say): Promise<Arrival | null>;
  /** The request of the button that proposes the fix of a cause. */
  fix(click: ResultClick, say: Say): Promise<Arrival | null>;
  /** The request of the button that proposes the fix of the next cause. */
  nextFix(click: ResultClick, say: Say): Promise<Arrival | null>;
  /** The request of the button that makes a past plan anew. */
  same(click: ResultClick, say: Say): Promise<Arrival | null>;
  /** Waits for a plan; says in its thread that it is being made. Null when the requester stopped it there. */
  awaitPlan(asked: StoredRequest, plan: Promise<PlannerReply>, say: Say): Promise<PlannerReply | null>;
  /** Waits for a change; tells the requester when a model takes a while. */
  awaitChange<T>(plan: Promise<T>, say: Say): Promise<T>;
  /** Nothing more is done for a request here, unless its run goes on. */
  handled(asked: StoredRequest): Promise<void>;
  /** The plans and runs that Slack's stop button of a thread stops; what is only being planned ends here. */
  stopped(click: StopClick, say: Say): Promise<readonly RunToStop[]>;
  /** False when an hourly limit of the person is reached. */
  admits(asked: StoredRequest, plan: Plan, turn: Turn, say: Say): Promise<boolean>;
  /** Stores the question to be posted; its answer is another event. */
  ask(request: Request, reply: PlannerReply, turn: Turn, say: Say): Promise<void>;
  refuse(request: Request, reply: PlannerReply, say: Say): Promise<void>;
  /** Reports the review's findings. */
  reject(request: Request, findings: readonly Finding[], say: Say): Promise<void>;
  /** `why`: the problem with the words, if known. */
  notUnderstood(turn: Turn, why: string | null, say: Say): Promise<void>;
  /** Planning failed: closes the request, and throws the error. */
  broke(request: Request, error: unknown): Promise<never>;
}

export function requestStage(context: RequestContext): RequestStage {
  return {
    take: (arrival, say) => take(arrival, context, say),
    hear: (message, say) => hear(message, context, say),
    answer: (click, say) => answerClicked(click, context, say),
    undo: (click, say) => undoRequest(click, context, say),
    followUp: (click, say) => followUpRequest(click, context, say),
    fix: (click, say) => fixRequest(click, context, say),
    nextFix: (click, say) => nextFixRequest(click, context, say),
    same: (click, say) => sameRequest(click, context, say),
    awaitPlan: (asked, plan, say) => awaitPlan(asked, plan, context, say),
    awaitChange: (plan, say) => awaitChange(plan, context, say),
    handled: (asked) => context.handled(asked),
    stopped: (click, say) => stopped(click, context, say),
    admits: (asked, plan, turn, say) => admits(asked, plan, turn, context, say),
    ask: (request, reply, turn, say) => ask(request, reply, turn, context, say),
    refuse: (request, reply, say) => refuse(request, reply, context, say),
    reject: (request, findings, say) => reject(request, findings, context, say),
    notUnderstood: ({ change, basedOn }, why, say) =>
      say(
        basedOn === null
          ? changeNotUnderstood(change ?? '', why, [])
          : notUnderstoodBelow(basedOn, change ?? '', why, context),
      ),
    broke: (request, error) => broke(request, error, context),
  };
}
