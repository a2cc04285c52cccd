import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, link, person, type Span, time } from '../blocks/rich.ts';
import { shortDigest } from '../core/canonical.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Approver } from '../core/policy.ts';
import type { StoredRevision } from '../store/stored-revision.ts';
import { approverSpans } from './approver-words.ts';
import type { Permission } from './may-approve.ts';
import { madeUnderOtherRules } from './words.ts';

/** Who stopped all writes: a Slack user id, or an operator at the command line. */
export interface Stopper {
  readonly by: string;
  readonly reason: string;
}

/** Why a click had no effect, for a private message to that person. */
export type Refusal =
  | { readonly code: 'not_ours' }
  | { readonly code: 'not_found' }
  | { readonly code: 'tampered' }
  | { readonly code: 'bytes_changed' }
  | { readonly code: 'unseen' }
  | { readonly code: 'nothing_to_approve' }
  /** `runs`: the other plan in one line. */
  | { readonly code: 'service_busy'; readonly runs: string }
  | { readonly code: 'writes_stopped'; readonly stopped: Stopper }
  | { readonly code: 'changed_meanwhile' }
  /** `changed`: what changed, in words. */
  | { readonly code: 'rules_changed'; readonly changed: readonly string[] }
  /** `address` is that of the newest card, if it was posted. */
  | { readonly code: 'superseded'; readonly newest: number; readonly address: string | null }
  | { readonly code: 'expired'; readonly at: string }
  | { readonly code: 'decided'; readonly current: StoredRevision }
  | { readonly code: 'not_allowed'; readonly verdict: Extract<Permission, { allowed: false }> };

/** A private message for the person: the current state and what they can do. */
export function refusalMessage(refusal: Refusal, ...more: readonly (readonly Span[])[]): Message {
  return note(...refusalWords(refusal), ...more);
}

function refusalWords(refusal: Refusal): Span[][] {
  switch (refusal.code) {
    case 'not_ours':
    case 'tampered':
      return [
        [bold('Nothing was done.')],
        ['That button does not match the plan that is stored. Use the newest card.'],
      ];
    case 'bytes_changed':
      return [
        [bold('Nothing was done.')],
        ['The stored plan was changed after it was shown. Tell whoever runs Countersign.'],
      ];
    case 'not_found':
      return [[bold('Nothing was done.')], ['That plan is no longer stored. Ask for it again with /plan.']];
    case 'unseen':
      return [
        [bold('Not approved yet.')],
        ['This plan is longer than its card. Open “Read all to approve” first.'],
      ];
    case 'service_busy':
      return [
        [bold('Not approved yet.')],
        [
          'Another plan is running for the same service',
          ...(refusal.runs === '' ? [] : [': ', cut(oneLine(refusal.runs), 150)]),
          '. One at a time: approve this when that one is over.',
        ],
      ];
    case 'writes_stopped':
      return stoppedWords(refusal.stopped);
    case 'changed_meanwhile':
      return [[bold('Not approved yet.')], ['Something changed in the same moment. Click again.']];
    case 'nothing_to_approve':
      return [
        [bold('Not approved.')],
        [
          'What this plan depends on has not been read, so nobody can tell what it would write. Use “Try again”.',
        ],
      ];
    case 'rules_changed':
      return [[bold('Not approved.')], [`${madeUnderOtherRules(refusal.changed)} Ask again for a new card.`]];
    case 'superseded':
      return [
        [bold('Nothing was done.')],
        [
          `This card is old: revision ${refusal.newest} has replaced it.`,
          ...(refusal.address === null ? [] : [' ', link(refusal.address, 'Here is its card'), '.']),
        ],
      ];
    case 'expired':
      return [
        [bold('Too late.')],
        ['This card expired ', time(refusal.at), '. Nothing ran. Ask again for a new card.'],
      ];
    case 'decided':
      return decidedWords(refusal.current);
    case 'not_allowed':
      return verdictWords(refusal.verdict);
  }
}

/** "All writes are stopped by Ana (PagerDuty is being moved)." */
export function stoppedLine({ by, reason }: Stopper): Span[] {
  const who: Span[] = [/^[UW]/.test(by) ? person(by) : by, reason === '' ? '' : ` (${reason})`];
  return [bold('All writes are stopped'), ' by ', ...who, '.'];
}

function stoppedWords(stopped: Stopper): Span[][] {
  return [
    stoppedLine(stopped),
    ['Nothing was approved; the card still works after ', code('/plan resume'), '.'],
  ];
}

function decidedWords({ state, revision, decidedBy, decidedAt }: StoredRevision): Span[][] {
  const by: Span[] = decidedBy === null ? [] : [' by ', person(decidedBy)];
  const at: Span[] = decidedAt === null ? [] : [', ', time(decidedAt.toISOString())];
  if (state === 'answered')
    return [[bold('There is nothing to decide.')], ['Its reads found nothing to write.']];
  const title: Span[] = [bold(`Already ${state}`), ...by, ...at, '.'];
  if (state !== 'approved') return [title, ['Nothing ran.']];
  const stop = code(`/plan stop ${shortDigest(revision.digest)}`);
  return [
    title,
    ['It runs once; your click changed nothing.'],
    ['While it runs, Stop on its card or ', stop, ' stops it.'],
  ];
}

function verdictWords(verdict: Extract<Permission, { allowed: false }>): Span[][] {
  switch (verdict.why) {
    case 'four_eyes':
      return fourEyesWords(verdict);
    case 'denied':
      return [
        [bold('Nobody may approve this.')],
        [`“${verdict.rule}” denies ${verdict.write} here: ${verdict.reason}`],
      ];
    case 'nobody':
      return [
        [bold('Nobody may approve this.')],
        [
          verdict.rule === null
            ? `No rule in countersign.yml covers ${verdict.write} here. Ask whoever runs Countersign.`
            : `“${verdict.rule}” in countersign.yml names nobody for ${verdict.write}. Ask whoever runs Countersign.`,
        ],
      ];
    case 'not_an_approver':
      return [
        [bold('You cannot approve this one.')],
        [
          `${verdict.write} may be approved by `,
          ...approverSpans(verdict.approvers),
          ` (rule “${verdict.rule}”).`,
        ],
      ];
    case 'no_glass':
      return glassWords(verdict.named);
    case 'not_the_owner':
      return [
        [bold('You cannot end or change this.')],
        ['Its owner may, and whoever countersign.yml names under operators.'],
      ];
    case 'not_an_operator':
      return operatorWords(verdict.operators);
    case 'not_in_channel':
      return [
        [bold('You cannot do that.')],
        ['This plan belongs to a channel that you are not in. Nothing was done.'],
      ];
    case 'cannot_tell':
      return [
        [bold('Nothing was done.')],
        ['I could not look up who may do this, so I did not allow it. Try again in a minute.'],
      ];
    default:
      return [[bold('You cannot do that.')], ['Only full members of this workspace can. Nothing was done.']];
  }
}

/** Who else can, or what would have to change if nobody else can. */
function fourEyesWords({ rule, others }: Extract<Permission, { why: 'four_eyes' }>): Span[][] {
  const title: Span[] = [bold('You cannot approve this one.')];
  if (others.length > 0) {
    const asked = 'You asked for it or edited it, so someone else has to approve it: ';
    return [title, [asked, ...approverSpans(others), '.']];
  }
  return [
    title,
    [
      `You asked for it or edited it, and nobody else is an approver under “${rule}”. Whoever runs Countersign can name somebody else there, or set `,
      code('four_eyes: false'),
      ' in that rule.',
    ],
  ];
}

function operatorWords(operators: readonly Approver[]): Span[][] {
  const one: Span[] = ['One run can be stopped by anybody: ', code('/plan stop'), '.'];
  if (operators.length > 0) {
    return [
      [bold('You cannot do that. Nothing was changed.')],
      ['All writes may be stopped by ', ...approverSpans(operators), '. ', ...one],
    ];
  }
  const command = code('npm run -s cli -- writes stop');
  return [
    [bold('Nobody may do that from Slack. Nothing was changed.')],
    ['countersign.yml names no operators. Whoever runs Countersign can: ', command, '. ', ...one],
  ];
}

function glassWords(named: readonly Approver[]): Span[][] {
  if (named.length > 0) {
    return [
      [bold('You cannot do that. Nothing was approved.')],
      ['Only ', ...approverSpans(named), ' may break glass.'],
    ];
  }
  return [
    [bold('Nobody may break glass here. Nothing was approved.')],
    ['countersign.yml names nobody under approval.break_glass.'],
  ];
}
