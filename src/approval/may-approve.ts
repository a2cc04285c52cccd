import { VendorError } from '../core/errors.ts';
import type { Who } from '../core/person.ts';
import type { Approver, Policy, Rule } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import type { Manifests } from './card/step-view.ts';
import type { PeopleDirectory } from './ports.ts';
import { type RuledStep, type RuledWrite, rulingsOf, servicesOf } from './rules.ts';

export type Permission =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly why: 'deactivated' | 'bot' | 'guest' | 'external' | 'unknown_person' }
  /** The plan is in a channel that the person cannot read. */
  | { readonly allowed: false; readonly why: 'not_in_channel' }
  /** The remaining approvers once everybody who requested or edited the plan is excluded. */
  | {
      readonly allowed: false;
      readonly why: 'four_eyes';
      readonly rule: string;
      readonly others: readonly Approver[];
    }
  | { readonly allowed: false; readonly why: 'cannot_tell' }
  /** These people may approve alone, and the person is not among them. */
  | { readonly allowed: false; readonly why: 'no_glass'; readonly named: readonly Approver[] }
  | { readonly allowed: false; readonly why: 'not_the_owner' }
  /** These people may stop and allow all writes from Slack, and the person is not among them. */
  | { readonly allowed: false; readonly why: 'not_an_operator'; readonly operators: readonly Approver[] }
  /** A rule denies this write, in words, to everyone. */
  | {
      readonly allowed: false;
      readonly why: 'denied';
      readonly write: string;
      readonly rule: string;
      readonly reason: string;
    }
  /** For this write: nobody may approve, or these people may and the person is not among them. */
  | {
      readonly allowed: false;
      readonly why: 'nobody' | 'not_an_approver';
      readonly write: string;
      /** Null when no rule matches it. */
      readonly rule: string | null;
      readonly approvers: readonly Approver[];
    };

/** A plan, and everything that decides who may approve it. */
export interface Judged {
  readonly revision: Revision;
  readonly policy: Policy;
  readonly manifests: Manifests;
  readonly people: PeopleDirectory;
  readonly now: Date;
}

/**
 * Whether a person's approval counts for a plan. Each write has its rule; the approval counts for those whose rule
 * names the person, who under four eyes must neither have requested nor edited the plan. If a write is denied, or
 * nobody may approve it, nobody can approve the plan. A plan that only reads changes nothing, so every full member may
 * start it, whoever asked. Guests, bots, people of other workspaces and deactivated accounts never may. A failed
 * look-up counts as a refusal.
 */
export async function mayApprove({ who, ...of }: Judged & { readonly who: Who }): Promise<Permission> {
  const steps = rulingsOf(of.revision.sealed, of.manifests, of.policy, of.now);
  try {
    const member = await isFullMember(who, of.people);
    if (!member.allowed || steps.length === 0) return member;
    return closedToAll(steps) ?? (await eligible(who.userId, steps, of));
  } catch (error) {
    if (error instanceof VendorError) return { allowed: false, why: 'cannot_tell' };
    throw error;
  }
}

/** Why nobody may approve it, or null. */
export function closedToAll(steps: readonly RuledStep[]): Extract<Permission, { allowed: false }> | null {
  for (const { write, ruling } of steps) {
    if (ruling.kind !== 'deny') continue;
    return {
      allowed: false,
      why: 'denied',
      write: write.says,
      rule: ruling.rule.name,
      reason: ruling.rule.deny ?? '',
    };
  }
  for (const { write, ruling } of steps) {
    const rule = ruling.kind === 'none' ? null : ruling.rule;
    if (rule !== null && approversOf(rule).length > 0) continue;
    return { allowed: false, why: 'nobody', write: write.says, rule: rule?.name ?? null, approvers: [] };
  }
  return null;
}

async function eligible(userId: string, steps: readonly RuledStep[], of: Judged): Promise<Permission> {
  let refused: Permission | null = null;
  for (const step of steps) {
    const verdict = await countsFor(userId, step, of);
    if (verdict.allowed) return verdict;
    refused ??= verdict;
  }
  return refused ?? { allowed: true };
}

/** Whether a full member's approval counts for one write. Throws a VendorError when that cannot be looked up. */
export async function countsFor(
  userId: string,
  { write, ruling }: RuledStep,
  { revision, policy, people }: Judged,
): Promise<Permission> {
  if (ruling.kind !== 'approve') {
    return { allowed: false, why: 'nobody', write: write.says, rule: null, approvers: [] };
  }
  const { rule } = ruling;
  const { sealed } = revision;
  const approvers = forWrite(rule, write, policy);
  if (!(await isOneOf(userId, approvers, people))) {
    return { allowed: false, why: 'not_an_approver', write: write.says, rule: rule.name, approvers };
  }
  const involved = new Set([sealed.requester, ...sealed.authors]);
  if (!rule.fourEyes || !involved.has(userId)) return { allowed: true };
  const others = await withSomeoneElse(approvers, involved, people);
  return { allowed: false, why: 'four_eyes', rule: rule.name, others };
}

/** The approvers that include a person not involved in the plan. */
async function withSomeoneElse(
  approvers: readonly Approver[],
  involved: ReadonlySet<string>,
  people: PeopleDirectory,
): Promise<Approver[]> {
  const persons = await Promise.all(approvers.map((approver) => personsOf(approver, people)));
  return approvers.filter((_approver, at) => persons[at]?.some((id) => !involved.has(id)));
}

/** Under four eyes, people who made the same request count as requesters. */
export function withJoiners({
  revision,
  joiners,
}: {
  readonly revision: Revision;
  readonly joiners: readonly string[];
}): Revision {
  const { sealed } = revision;
  return { ...revision, sealed: { ...sealed, authors: [...sealed.authors, ...joiners] } };
}

/** The people an approver stands for now. Throws a VendorError when they cannot be looked up. */
export async function personsOf(approver: Approver, people: PeopleDirectory): Promise<readonly string[]> {
  if (approver.kind === 'user') return [approver.id];
  if (approver.kind === 'group') return [...(await people.groupMembers(approver.id))];
  return approver.service === null ? [] : people.onCall(approver.service);
}

export function approversOf({ approvers, backup }: Rule): readonly Approver[] {
  return [...approvers, ...backup];
}

/** The approvers of a rule, with "on call" resolved to this write's services. */
export function forWrite(rule: Rule, write: RuledWrite, policy: Policy): Approver[] {
  const services = servicesOf(write, policy);
  return approversOf(rule).flatMap((approver): Approver[] => {
    if (approver.kind !== 'oncall' || approver.service !== null) return [approver];
    // With several services, it is not known who is on call for all of them.
    return services.length === 1 ? [{ kind: 'oncall', service: services[0] ?? null }] : [];
  });
}

/** Full members of the workspace may edit, try, reject and cancel: none of these write. */
export async function isFullMember(who: Who, people: PeopleDirectory): Promise<Permission> {
  const person = await people.person(who);
  if (person === null) return { allowed: false, why: 'unknown_person' };
  if (person.deactivated) return { allowed: false, why: 'deactivated' };
  if (person.bot) return { allowed: false, why: 'bot' };
  if (person.external) return { allowed: false, why: 'external' };
  if (person.guest) return { allowed: false, why: 'guest' };
  return { allowed: true };
}

/** Whether rules let anybody approve a tool's writes, of one service or another and at some time. */
export function mayBeApproved(tool: string, { rules }: Policy): boolean {
  const about = rules.filter(({ tools }) => tools === null || tools.includes(tool));
  const isDenied = about.some(
    ({ deny, services, projects, channels, risks, hours }) =>
      deny !== null && [services, projects, channels, risks, hours].every((limit) => limit === null),
  );
  return !isDenied && about.some((rule) => rule.deny === null && approversOf(rule).length > 0);
}

/** Whether any rule about a tool names a person, whatever else it requires; false when it cannot be looked up. */
export async function mayApproveTool(
  userId: string,
  tool: string,
  { rules, serviceOf }: Policy,
  people: PeopleDirectory,
): Promise<boolean> {
  const about = rules.filter(({ deny, tools }) => deny === null && (tools === null || tools.includes(tool)));
  const approvers = about.flatMap((rule) =>
    approversOf(rule).flatMap((approver): Approver[] => {
      if (approver.kind !== 'oncall' || approver.service !== null) return [approver];
      const services = rule.services ?? Object.values(serviceOf);
      return services.map((service) => ({ kind: 'oncall', service }));
    }),
  );
  try {
    return await isOneOf(userId, approvers, people);
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
  for (const approver of approvers) if ((await personsOf(approver, people)).includes(userId)) return true;
  return false;
}
