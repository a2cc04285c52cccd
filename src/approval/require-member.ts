import type { Say } from '../blocks/message.ts';
import { VendorError } from '../core/errors.ts';
import type { Who } from '../core/person.ts';
import type { Approver } from '../core/policy.ts';
import { auditRefusal, type ClickAction, type Clicked } from './audit-refusal.ts';
import type { ApprovalContext } from './context.ts';
import { isFullMember, isOneOf, type Permission } from './may-approve.ts';
import type { PeopleDirectory } from './ports.ts';
import { refusalMessage } from './refusal-words.ts';

/** Dependencies for letting a person pass, or telling them and the audit log why not. */
export type MemberContext = Pick<ApprovalContext, 'db' | 'people' | 'now'>;

/** Tells a person who isn't allowed why, and audits the refusal. */
export async function enforce(
  action: ClickAction,
  click: Clicked,
  verdict: Permission,
  context: Pick<ApprovalContext, 'db' | 'now'>,
  say: Say,
): Promise<boolean> {
  if (verdict.allowed) return true;
  const refusal = { code: 'not_allowed', verdict } as const;
  await auditRefusal(action, click, context, { ok: false, refusal });
  await say(refusalMessage(refusal));
  return false;
}

/** Only full members may ask, answer, change and stop. */
export async function requireMember(
  action: ClickAction,
  click: Clicked,
  context: MemberContext,
  say: Say,
): Promise<boolean> {
  return enforce(action, click, await isFullMember(click, context.people), context, say);
}

/** Only owners and operators may end what the owner created. */
export async function requireOwner(
  action: ClickAction,
  click: Clicked,
  owner: string,
  context: MemberContext & { readonly operators: readonly Approver[] },
  say: Say,
): Promise<boolean> {
  const { userId } = click;
  const verdict = await memberAnd(click, context.people, async () => {
    const isTheirs = userId === owner || (await isOneOf(userId, context.operators, context.people));
    return isTheirs ? { allowed: true } : { allowed: false, why: 'not_the_owner' };
  });
  return enforce(action, click, verdict, context, say);
}

/** Allows a full member if `then` does; a failed look-up is a refusal. */
export async function memberAnd(
  who: Who,
  people: PeopleDirectory,
  also: () => Permission | Promise<Permission>,
): Promise<Permission> {
  try {
    const member = await isFullMember(who, people);
    return member.allowed ? await also() : member;
  } catch (error) {
    if (error instanceof VendorError) return { allowed: false, why: 'cannot_tell' };
    throw error;
  }
}
