import { VendorError } from '../core/errors.ts';
import type { Who } from '../core/person.ts';
import { type Approver, approversOf, type Policy } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import type { PeopleDirectory } from './ports.ts';
import { type Manifests, stepViews } from './step-view.ts';
import { isWritingPlan, writesOf } from './writes.ts';

export type Verdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly why: 'deactivated' | 'bot' | 'guest' | 'external' | 'unknown_person' }
  | { readonly allowed: false; readonly why: 'four_eyes' }
  | { readonly allowed: false; readonly why: 'cannot_tell' }
  /** For this write tool: nobody may, or these may and the person is none of them. */
  | {
      readonly allowed: false;
      readonly why: 'nobody' | 'not_an_approver';
      readonly tool: string;
      readonly approvers: readonly Approver[];
    };

/**
 * Whether a person may say yes to a plan. A plan that writes needs somebody whom the policy names for every one of
 * its write tools and who, under four eyes, neither asked for nor edited it. A plan that only reads changes nothing,
 * so every full member may start it, whoever asked. Guests, bots, people of other workspaces and deactivated
 * accounts never may. What cannot be looked up counts as no.
 */
export async function mayApprove(of: {
  readonly revision: Revision;
  readonly who: Who;
  readonly policy: Policy;
  readonly manifests: Manifests;
  readonly people: PeopleDirectory;
}): Promise<Verdict> {
  const steps = stepViews(of.revision, of.manifests);
  try {
    const member = await isFullMember(of.who, of.people);
    if (!member.allowed || !isWritingPlan(steps)) return member;
    const { sealed } = of.revision;
    if (of.policy.fourEyes && [sealed.requester, ...sealed.authors].includes(of.who.userId)) {
      return { allowed: false, why: 'four_eyes' };
    }
    const tools = [...new Set(writesOf(steps).map((write) => write.tool))];
    for (const tool of tools) {
      const approvers = approversOf(of.policy, tool);
      if (!(await isOneOf(of.who.userId, approvers, of.people))) {
        return {
          allowed: false,
          why: approvers.length === 0 ? 'nobody' : 'not_an_approver',
          tool,
          approvers,
        };
      }
    }
    return { allowed: true };
  } catch (error) {
    if (error instanceof VendorError) return { allowed: false, why: 'cannot_tell' };
    throw error;
  }
}

/** Full members of the workspace may edit, try, reject and cancel: nothing of that writes. */
export async function isFullMember(who: Who, people: PeopleDirectory): Promise<Verdict> {
  const person = await people.person(who);
  if (person === null) return { allowed: false, why: 'unknown_person' };
  if (person.deactivated) return { allowed: false, why: 'deactivated' };
  if (person.bot) return { allowed: false, why: 'bot' };
  if (person.external) return { allowed: false, why: 'external' };
  if (person.guest) return { allowed: false, why: 'guest' };
  return { allowed: true };
}

/** Whether the policy names a person for one tool; false when it cannot be looked up. */
export async function mayApproveTool(
  userId: string,
  tool: string,
  policy: Policy,
  people: PeopleDirectory,
): Promise<boolean> {
  try {
    return await isOneOf(userId, approversOf(policy, tool), people);
  } catch (error) {
    if (error instanceof VendorError) return false;
    throw error;
  }
}

/** Throws a VendorError when it cannot be looked up. */
export async function isOneOf(
  userId: string,
  approvers: readonly Approver[],
  people: PeopleDirectory,
): Promise<boolean> {
  if (approvers.some((approver) => approver.kind === 'user' && approver.id === userId)) return true;
  for (const approver of approvers) {
    if (approver.kind === 'group' && (await people.groupMembers(approver.id)).has(userId)) return true;
    if (approver.kind === 'oncall' && (await people.onCall(approver.service)).includes(userId)) return true;
  }
  return false;
}
