import type { Span } from '../blocks/rich.ts';
import { readsWait } from '../core/agent.ts';
import type { Approver, Policy } from '../core/policy.ts';
import type { PastDecision } from '../store/past-decisions.ts';
import { approverSpans } from './approver-words.ts';
import { isUnderPolicy } from './basis.ts';
import type { Manifests } from './card/step-view.ts';
import { closedToAll, forWrite, withJoiners } from './may-approve.ts';
import { type RuledStep, rulingsOf } from './rules.ts';

/**
 * A past decision under the current rules. `stands`: the rules about it changed, and it would be decided the same way;
 * `unsure`: that depends on who was in a group or on call then.
 */
export type Replay =
  | { readonly kind: 'same' | 'stands' | 'unsure' }
  | {
      readonly kind: 'refused' | 'other_approvers' | 'needs_approval' | 'needs_none';
      readonly words: readonly Span[];
    };

/** Decides it again, at its time. Groups and on-call rotations are not looked up: they may have been others then. */
export function replay(
  past: PastDecision,
  { policy, manifests }: { readonly policy: Policy; readonly manifests: Manifests },
): Replay {
  const { sealed } = past.revision;
  const { approval } = past;
  const waits = readsWait(sealed.plan, null, { policy, manifests });
  if (approval === null) {
    if (!waits) return { kind: 'same' };
    return { kind: 'needs_approval', words: ['answered at once; now it waits for Approve'] };
  }
  if (isUnderPolicy(sealed, manifests, policy)) return { kind: 'same' };
  const steps = rulingsOf(sealed, manifests, policy, past.at);
  if (steps.length === 0 && !waits)
    return { kind: 'needs_none', words: ['was approved; now it is answered at once'] };
  const closed = closedToAll(steps);
  if (closed !== null) {
    const why = closed.why === 'denied' ? closed.reason : 'nobody may approve it';
    const rule = 'rule' in closed && closed.rule ? ` (rule “${closed.rule}”)` : '';
    return { kind: 'refused', words: [`refused: ${why}${rule}`] };
  }
  if (approval.how === 'glass') return brokenGlass(approval.by, policy);
  return approvedAgain(steps, past, policy);
}

function brokenGlass(by: readonly string[], { breakGlass }: Policy): Replay {
  const { sure, possible } = countIn(by, breakGlass);
  if (sure > 0) return { kind: 'stands' };
  if (possible > 0) return { kind: 'unsure' };
  return { kind: 'other_approvers', words: ['who broke glass may no longer'] };
}

/** Whether the same people would be enough for every write. */
function approvedAgain(steps: readonly RuledStep[], past: PastDecision, policy: Policy): Replay {
  const { sealed } = withJoiners(past);
  const involved = new Set([sealed.requester, ...sealed.authors]);
  let isSure = true;
  for (const { write, ruling } of steps) {
    if (ruling.kind !== 'approve') continue;
    const { rule } = ruling;
    const approvers = forWrite(rule, write, policy);
    const by = (past.approval?.by ?? []).filter((id) => !(rule.fourEyes && involved.has(id)));
    const { sure, possible } = countIn(by, approvers);
    if (sure + possible < rule.needed) {
      const count = rule.needed > 1 ? `${rule.needed} of ` : '';
      const eyes = rule.fourEyes ? ', not who asked or edited' : '';
      const words = ['now approved by ', count, ...approverSpans(approvers), `${eyes} (rule “${rule.name}”)`];
      return { kind: 'other_approvers', words };
    }
    isSure &&= sure >= rule.needed;
  }
  return { kind: isSure ? 'stands' : 'unsure' };
}

/** How many of these people approvers name, and how many more may be in a group or on call. */
function countIn(
  people: readonly string[],
  approvers: readonly Approver[],
): { readonly sure: number; readonly possible: number } {
  const named = (id: string) => approvers.some((one) => one.kind === 'user' && one.id === id);
  const sure = people.filter(named).length;
  return { sure, possible: approvers.some(({ kind }) => kind !== 'user') ? people.length - sure : 0 };
}
