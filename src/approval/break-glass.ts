import { cardAddress } from '../blocks/card-address.ts';
import { fallbackText } from '../blocks/escape.ts';
import { viewIds } from '../blocks/ids.ts';
import { textInput } from '../blocks/inputs.ts';
import { plain } from '../blocks/layout.ts';
import type { Message, Modal, Say } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { bold, code, line, link, person, quote, rich } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Who } from '../core/person.ts';
import type { PlanId } from '../core/plan-id.ts';
import type { Approver, Policy } from '../core/policy.ts';
import type { Facts } from '../core/read-results.ts';
import type { Revision } from '../core/revision.ts';
import type { OutboxMessage } from '../store/outbox.ts';
import { factsOf } from '../store/steps.ts';
import { approverSpans } from './approver-words.ts';
import { detailsModal } from './card/details.ts';
import type { Manifests } from './card/step-view.ts';
import type { ApprovalContext } from './context.ts';
import { closedToAll, forWrite, isOneOf, type Judged, type Permission } from './may-approve.ts';
import type { PeopleDirectory } from './ports.ts';
import { enforce, memberAnd } from './require-member.ts';
import { type RuledStep, rulingsOf } from './rules.ts';

/** Block for the reason for breaking glass. */
export const glassReasonBlock = 'glass_reason';
const minReason = 10;
const maxReason = 300;

/**
 * Whether a person may approve alone what would need others: listed in `approval.break_glass`, a full member, and only
 * for plans that somebody could approve. Writes that a rule denies, or that no rule matches, stay closed.
 */
export async function mayBreakGlass({ who, ...of }: Judged & { readonly who: Who }): Promise<Permission> {
  const steps = rulingsOf(of.revision.sealed, of.manifests, of.policy, of.now);
  return memberAnd(who, of.people, async () => {
    const named = await namedForGlass(who.userId, of.policy, of.people);
    return named.allowed ? (closedToAll(steps) ?? named) : named;
  });
}

async function namedForGlass(
  userId: string,
  { breakGlass: named }: Policy,
  people: PeopleDirectory,
): Promise<Permission> {
  if (await isOneOf(userId, named, people)) return { allowed: true };
  return { allowed: false, why: 'no_glass', named };
}

/** The person asking, the channel, and a trigger for opening a form; null where Slack provides none. */
export interface GlassAsker extends Who {
  readonly teamId: string;
  readonly channel: string;
  readonly triggerId: string | null;
}

export interface GlassContext extends Pick<ApprovalContext, 'db' | 'people' | 'rules' | 'manifests' | 'now'> {
  /** Plans waiting for approval that this person may see: the named one, or all in the channel. */
  waiting(who: GlassAsker, id: PlanId | null): Promise<readonly Revision[]>;
  openView(triggerId: string, modal: Modal): Promise<unknown>;
}

/** Opens the whole plan with a field for the reason, for people who may approve it alone. */
export async function askToBreakGlass(
  id: PlanId | null,
  who: GlassAsker,
  context: GlassContext,
  say: Say,
): Promise<void> {
  const { people, manifests, now, waiting, openView } = context;
  const { policy } = context.rules;
  const verdict = await memberAnd(who, people, () => namedForGlass(who.userId, policy, people));
  if (!(await enforce('break_glass', { ...who, value: '', about: 'glass' }, verdict, context, say))) return;
  const [revision, ...others] = await waiting(who, id);
  if (revision === undefined || others.length > 0 || who.triggerId === null) return say(howToBreakGlass());
  const closed = closedToAll(rulingsOf(revision.sealed, manifests, policy, now()));
  const about = { ...who, value: '', about: revision.sealed.requestId };
  if (closed !== null && !(await enforce('break_glass', about, closed, context, say))) return;
  const facts = await factsOf(context.db, revision.sealed);
  await openView(who.triggerId, glassModal(revision, manifests, facts));
}

/** The whole plan, with a field for the public reason. */
function glassModal(revision: Revision, manifests: Manifests, facts: Facts | null): Modal {
  const whole = detailsModal(revision, manifests, { open: true, facts });
  const reason = textInput({
    blockId: glassReasonBlock,
    label: 'Why it cannot wait for its usual approvers',
    hint: 'This is posted with your name.',
    multiline: true,
    max: maxReason,
  });
  return {
    ...whole,
    callback_id: viewIds.glass,
    title: plain('Break glass', 24),
    submit: plain('Approve alone', 24),
    blocks: [reason, ...whole.blocks],
  };
}

/** The reason to store, or the error for its field. */
export function readGlassReason(given: unknown): { reason: string } | { error: string } {
  const reason = typeof given === 'string' ? cut(oneLine(given), maxReason) : '';
  if (reason.length >= minReason) return { reason };
  return { error: 'Give a short reason. Everybody will read it.' };
}

/** The announcement in the default channel, to be stored with the decision: breaking glass is public. */
export function glassMessage(
  revision: Revision,
  of: { readonly by: string; readonly reason: string | null },
  context: ApprovalContext,
): OutboxMessage {
  const { teamId, announceIn, reporting } = context;
  const { requestId, number } = revision.sealed;
  if (announceIn === null) throw new TypeError('there is no default channel to break glass in');
  const key = `glass:${requestId}:${number}`;
  return reporting.toChannel(teamId, announceIn, key, glassBroken(revision, of, context));
}

/** Mentions the people who were bypassed. */
function glassBroken(
  { sealed }: Revision,
  { by, reason }: { readonly by: string; readonly reason: string | null },
  { rules: { policy }, manifests, now }: ApprovalContext,
): Message {
  const usual = usualApprovers(rulingsOf(sealed, manifests, policy, now()), policy);
  const title = cut(oneLine(sealed.plan.summary), 150);
  return {
    text: fallbackText(`Break-glass: ${title}`),
    blocks: [
      rich([
        line(
          bold('Break-glass: '),
          person(by),
          ' approved “',
          link(cardAddress(sealed.requestId, sealed.number), title),
          '” on their own. Their reason:',
        ),
        quote(reason ?? ''),
        ...(usual.length === 0 ? [] : [line('Its usual approvers: ', ...approverSpans(usual), '.')]),
      ]),
    ],
  };
}

function usualApprovers(steps: readonly RuledStep[], policy: Policy): Approver[] {
  const all = steps.flatMap(({ write, ruling }) =>
    ruling.kind === 'approve' ? forWrite(ruling.rule, write, policy) : [],
  );
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function howToBreakGlass(): Message {
  return titled('Which plan?', [
    'Add its id, which is at the bottom of its card: ',
    code('/plan break-glass 3fa9 12c0'),
    '.',
  ]);
}
