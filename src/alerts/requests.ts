import type { Message, Say } from '../blocks/message.ts';
import type { AlertRule } from '../core/alert.ts';
import type { Who } from '../core/person.ts';
import { certainReply, type PlannerReply } from '../core/planning.ts';
import type { Via } from '../core/request.ts';
import { oneStep } from '../notation/one-step.ts';
import * as alerts from '../store/alerts.ts';
import * as outbox from '../store/outbox.ts';
import { alertMessage, queued } from '../store/outbox-messages.ts';
import type { AlertProblemRow } from '../store/tables.ts';
import { type AlertContext, requesterOf } from './context.ts';
import { evidenceSchema, filled } from './evidence.ts';
import { notProposed, outOfDate, wordsInThread } from './words.ts';

/** A playbook of a rule is to be proposed for a problem. */
export interface AlertCardEvent {
  readonly type: 'alert_card';
  readonly key: string;
  readonly problem: string;
  /** Its place among those of the rule. */
  readonly nth: number;
}

/** A request made by an alert; the flow takes it as any other. */
export interface AlertRequest {
  readonly key: string;
  readonly text: string;
  readonly via: Extract<Via, 'alert' | 'button' | 'command'>;
  readonly requester: string;
  readonly home: string | null;
  readonly channel: string;
  readonly threadTs: string | null;
  readonly quoted: null;
  readonly planned?: PlannerReply;
}

/** Keys of the cards of a problem, each time it begins. */
export function cardKeys(
  { id, firings }: Pick<AlertProblemRow, 'id' | 'firings'>,
  rule: Pick<AlertRule, 'propose'> | null,
): string[] {
  return (rule?.propose ?? []).map((_call, nth) => `alert:${id}:card:${firings}:${nth}`);
}

/** The cards to request; none if that was done. */
export function cardEvents(problem: AlertProblemRow, rule: AlertRule | null): AlertCardEvent[] {
  if (problem.proposed) return [];
  return cardKeys(problem, rule).map((key, nth) => ({ type: 'alert_card', key, problem: problem.id, nth }));
}

/** The request for a card; null when there is nothing to propose any more. */
export async function proposeCard(
  event: AlertCardEvent,
  context: AlertContext,
): Promise<AlertRequest | null> {
  const { db, teamId, rules, now } = context;
  const problem = await alerts.problem(db, { teamId, id: event.problem });
  const rule = rules.rules.find(({ name }) => name === problem?.rule);
  const call = rule?.propose[event.nth];
  if (problem?.state !== 'open' || rule === undefined || call === undefined) return null;
  const [alert] = (await alerts.alertsOf(db, problem)).filter(({ state }) => state === 'firing');
  const wanted = alert && filled(rule, call, { problem, alert });
  if (!wanted) return null;
  const planned = await context.planOf(wanted);
  if ('why' in planned) {
    const message = alertMessage(
      problem,
      'reply',
      `${event.key}:not`,
      notProposed(call.playbook, planned.why),
    );
    await outbox.enqueue(db, queued(message, now()));
    context.kick();
    return null;
  }
  return {
    ...{ key: event.key, text: wanted.goal, via: 'alert', requester: requesterOf(rule.name), home: null },
    ...{ channel: problem.channel, threadTs: problem.messageTs, quoted: null },
    planned: certainReply({ kind: 'plan', plan: planned.plan }, 'playbook', [
      `Proposed by the alert rule “${rule.name}”.`,
    ]),
  };
}

/** Replies to the requester go to the thread of the problem. */
export function sayFor({ key, problem: id }: AlertCardEvent, context: AlertContext): Say {
  const { db, teamId, now } = context;
  return async (message: Message) => {
    const problem = await alerts.problem(db, { teamId, id });
    if (problem === null) return;
    const words = wordsInThread(problem.rule, message);
    await outbox.enqueue(db, queued(alertMessage({ teamId, id }, 'reply', `${key}:word`, words), now()));
    context.kick();
  };
}

/** A click on Acknowledge, or on a fix. */
export interface AckClick extends Who {
  readonly key: string;
  readonly value: string;
}

/** The request to acknowledge an incident that the message of a problem shows: any other is refused. */
export async function acknowledge(
  { key, value, userId, home }: AckClick,
  { db, teamId, manifests }: AlertContext,
  say: Say,
): Promise<AlertRequest | null> {
  const [id = '', incident = ''] = value.split(':');
  const problem = await alerts.problem(db, { teamId, id });
  const shown = evidenceSchema.safeParse(problem?.evidence).data?.incidents ?? [];
  if (problem === null || !shown.some((one) => one.id === incident) || !manifests.has('pagerduty.ack')) {
    await say(outOfDate());
    return null;
  }
  const text = oneStep({ tool: 'pagerduty.ack', args: { incident } }, manifests);
  const place = { channel: problem.channel, threadTs: problem.messageTs };
  return { key, text, via: 'button', requester: userId, home, ...place, quoted: null };
}

/** The request for the fix of a cause that the message of a problem shows as supported. */
export async function proposeFix(
  { key, value, userId, home }: AckClick,
  context: AlertContext,
  say: Say,
): Promise<AlertRequest | null> {
  const { db, teamId, fixOf } = context;
  const [id = '', cause = ''] = value.split(':');
  const problem = await alerts.problem(db, { teamId, id });
  const { fixes = [] } = evidenceSchema.safeParse(problem?.evidence).data ?? {};
  if (problem === null || !fixes.includes(cause)) {
    await say(outOfDate());
    return null;
  }
  const fix = await fixOf({ cause, service: problem.service });
  if ('why' in fix) {
    await say(notProposed(cause, fix.why));
    return null;
  }
  const place = { channel: problem.channel, threadTs: problem.messageTs };
  return {
    key,
    text: fix.goal,
    via: 'command',
    requester: userId,
    home,
    ...place,
    quoted: null,
    planned: fix.reply,
  };
}
