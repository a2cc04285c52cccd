import { cardAddress } from '../../blocks/card-address.ts';
import type { Block } from '../../blocks/message.ts';
import { bold, line, link, person, quote, rich, type Span, time } from '../../blocks/rich.ts';
import { cut } from '../../core/clean-text.ts';

/** The state of a revision. Times are ISO 8601. */
export type CardState =
  | { readonly kind: 'proposed' }
  | { readonly kind: 'approved'; readonly by: string; readonly at: string }
  | { readonly kind: 'rejected'; readonly by: string; readonly at: string; readonly reason: string | null }
  | { readonly kind: 'expired'; readonly at: string }
  | { readonly kind: 'superseded'; readonly byNumber: number }
  | { readonly kind: 'cancelled'; readonly by: string; readonly at: string; readonly reason: string | null };

/** The line that replaces the buttons: what happened, who, when, why. */
export function stateBlock(state: CardState, requestId: string): Block {
  const reason = 'reason' in state && state.reason ? [quote(cut(state.reason, 500))] : [];
  return rich([line(...stateWords(state, requestId)), ...reason], 'state');
}

function stateWords(state: CardState, requestId: string): Span[] {
  switch (state.kind) {
    case 'proposed':
      return [bold('Waiting for approval')];
    case 'approved':
      return [bold('Approved'), ' by ', person(state.by), ', ', time(state.at), '. It starts now.'];
    case 'rejected':
      return [bold('Rejected'), ' by ', person(state.by), ', ', time(state.at), '. Nothing ran.'];
    case 'expired':
      return [
        bold('Expired'),
        ' ',
        time(state.at),
        ': nobody decided in time. Nothing ran. Ask again for a new card.',
      ];
    case 'superseded':
      return [
        bold(`Replaced by revision ${state.byNumber}`),
        '. ',
        link(cardAddress(requestId, state.byNumber), 'Use the newer card'),
        '.',
      ];
    case 'cancelled':
      return [bold('Cancelled'), ' by ', person(state.by), ', ', time(state.at), '.'];
  }
}
