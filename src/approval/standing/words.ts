import { fallbackText } from '../../blocks/escape.ts';
import { actionIds } from '../../blocks/ids.ts';
import { actions, button } from '../../blocks/layout.ts';
import type { Block, Message } from '../../blocks/message.ts';
import { note, titled } from '../../blocks/note.ts';
import { bold, code, line, lines, person, rich, type Span, time } from '../../blocks/rich.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import { type StandingApproval, scopeWords } from '../../core/standing-approval.ts';
import type { Missing } from '../required-approvals.ts';

/** All wording about standing approvals. */

export function standingGiven(standing: StandingApproval): Message {
  return withRevoke(standing, [
    [
      bold('Standing approval'),
      ' by ',
      ...names(standing.approvers),
      ` for ${scopeWords(standing.scope)}: `,
      ...bounds(standing),
      '.',
    ],
  ]);
}

export function standingUsed(standing: StandingApproval, used: number): Message {
  return withRevoke(standing, [
    [
      bold('Runs without a click'),
      ', by the standing approval of ',
      ...names(standing.approvers),
      ': ',
      ...bounds(standing),
      `; ${used} used.`,
    ],
  ]);
}

export function standingUsedUp(standing: StandingApproval): Message {
  return note([
    bold('The standing approval is used up for now'),
    `: ${writesWords(standing.perDay)} in 24 hours. This card needs a click.`,
  ]);
}

export function standingVoid(standing: StandingApproval, by: string, reason: string): Message {
  const { owner, approvers, scope, summary } = standing;
  const who: Span[] = by === 'system' ? [] : [' by ', person(by)];
  const reported = [...new Set([...(/^[UW]/.test(owner) ? [owner] : []), ...approvers])];
  return note(
    [
      bold('The standing approval'),
      ' of ',
      ...names(approvers),
      ` for ${scopeWords(scope)} has ended`,
      ...who,
      `. ${reason}`,
    ],
    [cut(oneLine(summary), 150), '. From now on each needs a click again. ', ...names(reported)],
  );
}

function bounds({ until, perDay }: StandingApproval): Span[] {
  return ['until ', time(until.toISOString()), `, at most ${writesWords(perDay)} in 24 hours`];
}

function writesWords(count: number): string {
  return count === 1 ? '1 write' : `${count} writes`;
}

function names(ids: readonly string[]): Span[] {
  return ids.flatMap((id, index): Span[] => [index === 0 ? '' : ', ', person(id)]);
}

function withRevoke(standing: StandingApproval, rows: readonly (readonly Span[])[]): Message {
  const { text, blocks } = note(...rows);
  return { text, blocks: [...blocks, revokeButton(standing)] };
}

function revokeButton({ id }: StandingApproval): Block {
  return actions(
    [button({ text: 'Revoke', action: actionIds.revoke, value: id, style: 'danger' })],
    `standing_${id}`,
  );
}

/** `/plan approvals`. */
export function standingList(all: readonly (StandingApproval & { readonly used: number })[]): Message {
  if (all.length === 0) {
    return note([
      'There are no standing approvals you can see. The card of a watch or a playbook has a button for one: ',
      code('/plan watches'),
      '.',
    ]);
  }
  const blocks = all.flatMap((one) => [
    rich([
      lines([
        [bold(cut(oneLine(one.summary), 150))],
        [
          one.scope.startsWith('watch:') ? 'For a watch, by ' : `For ${scopeWords(one.scope)}, by `,
          ...names(one.approvers),
          one.activeAt === null ? ' (needs more approvals)' : '',
        ],
        [...bounds(one), `; ${one.used} used`],
      ]),
    ]),
    revokeButton(one),
  ]);
  return { text: fallbackText(`${all.length} standing approvals`), blocks };
}

// Visible only to the person who clicked.

export function alreadyStanding(): Message {
  return titled('A standing approval already exists.', [
    'To change it, revoke it first: ',
    code('/plan approvals'),
    '.',
  ]);
}

export function standingNeedsMore({ approvers }: StandingApproval, missing: readonly Missing[]): Message {
  const needed = Math.max(...missing.map((one) => one.needed));
  return note([
    bold('You agreed to the standing approval. '),
    `It needs ${needed} in all and has ${approvers.length}; the others give theirs with the same button on the next card.`,
  ]);
}

export function noStanding(): Message {
  return titled('That standing approval has already ended.');
}

export function revoked(): Message {
  return {
    text: fallbackText('Revoked.'),
    blocks: [rich([line(bold('Revoked.'), ' Each needs a click again.')])],
  };
}
