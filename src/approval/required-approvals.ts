import { VendorError } from '../core/errors.ts';
import type { Approver } from '../core/policy.ts';
import type { ApprovalRow } from '../store/tables.ts';
import { closedToAll, countsFor, forWrite, isFullMember, type Judged, mayApprove } from './may-approve.ts';
import { rulingsOf } from './rules.ts';

/** The approvals a write still needs. */
export interface Missing {
  /** The thing to be approved, in words. */
  readonly write: string;
  readonly rule: string;
  readonly needed: number;
  /** The people whose approval already counts for it. */
  readonly given: readonly string[];
  readonly approvers: readonly Approver[];
}

/** The progress of a plan that needs several approvals. */
export interface ApprovalProgress {
  readonly approvals: readonly Pick<ApprovalRow, 'approver' | 'at'>[];
  readonly missing: readonly Missing[];
}

/**
 * The approvals missing before a plan is granted; empty when these people together are enough. Every approval is
 * checked again: a person who has left since, or is no longer on call, does not count. A failed look-up counts as no
 * approval.
 */
export async function missingApprovals(of: Judged, approvers: readonly string[]): Promise<Missing[]> {
  const steps = rulingsOf(of.revision.sealed, of.manifests, of.policy, of.now);
  const members: string[] = [];
  for (const by of new Set(approvers)) {
    if (await counts(() => isFullMember({ userId: by, home: null }, of.people))) members.push(by);
  }
  if (steps.length === 0) {
    return members.length > 0 ? [] : [{ write: '', rule: '', needed: 1, given: [], approvers: [] }];
  }
  if (closedToAll(steps) !== null) throw new TypeError('a plan that nobody may approve was asked about');
  const missing = new Map<string, Missing>();
  for (const step of steps) {
    if (step.ruling.kind !== 'approve') continue;
    const { rule } = step.ruling;
    const given: string[] = [];
    for (const by of members) if (await counts(() => countsFor(by, step, of))) given.push(by);
    if (given.length >= rule.needed) continue;
    const { tool } = step.write.step;
    const named = forWrite(rule, step.write, of.policy);
    missing.set(`${rule.name} ${tool}`, {
      ...{ write: step.write.says, rule: rule.name, needed: rule.needed, given, approvers: named },
    });
  }
  return [...missing.values()];
}

/** Whether a person's approval is needed: it would count, and has not been given. */
export async function isWaitedFor(userId: string, of: Judged, approved: readonly string[]): Promise<boolean> {
  if (approved.includes(userId)) return false;
  return (await mayApprove({ ...of, who: { userId, home: null } })).allowed;
}

async function counts(ask: () => Promise<{ readonly allowed: boolean }>): Promise<boolean> {
  try {
    return (await ask()).allowed;
  } catch (error) {
    if (error instanceof VendorError) return false;
    throw error;
  }
}
