import { cardAddress } from '../blocks/card-address.ts';
import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, bullets, line, link, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Approver } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import { approverSpans } from './approver-words.ts';
import type { Missing } from './required-approvals.ts';

/** Cards that one reminder names. */
const maxListed = 20;

/** The first reminder of a card. */
export function reminder({ sealed }: Revision, missing: readonly Missing[]): Message {
  const [, ...others] = missing;
  const asked = missing.flatMap(({ write, approvers }): Span[] => [
    others.length === 0 ? ' Approvers: ' : ` Approvers of ${write}: `,
    ...approverSpans(approvers),
    '.',
  ]);
  return note([
    bold('Still waiting for approval. '),
    'Half the time is up; it expires ',
    time(sealed.expiresAt),
    '.',
    ...asked,
  ]);
}

/** One reminder of several cards in a channel. */
export function listReminder(revisions: readonly Revision[], missing: readonly Missing[]): Message {
  const approvers = new Map(
    missing.flatMap((one) => one.approvers).map((each) => [JSON.stringify(each), each]),
  );
  const title = `${revisions.length} plans are still waiting for approval.`;
  const asked: Span[] =
    approvers.size === 0 ? [] : [' Approvers: ', ...approverSpans([...approvers.values()]), '.'];
  const rest = revisions.length - maxListed;
  return {
    text: note([bold(title), ...asked]).text,
    blocks: [
      rich([
        line(bold(title), ...asked),
        bullets(revisions.slice(0, maxListed).map(waitingLine)),
        ...(rest > 0 ? [line(`and ${rest} more`)] : []),
      ]),
    ],
  };
}

function waitingLine({ sealed }: Revision): ReturnType<typeof line> {
  const title = cut(oneLine(sealed.plan.summary), 150);
  return line(
    link(cardAddress(sealed.requestId, sealed.number), title),
    ', expires ',
    time(sealed.expiresAt),
  );
}

/** For a backup, in a direct message. */
export function askDirectly({ sealed }: Revision): Message {
  const title = cut(oneLine(sealed.plan.summary), 150);
  return {
    text: fallbackText(`Nobody has answered: ${title}`),
    blocks: [
      rich([
        line(
          bold('Nobody has answered, and you are the back-up: '),
          link(cardAddress(sealed.requestId, sealed.number), title),
          '. It expires ',
          time(sealed.expiresAt),
          '.',
        ),
      ]),
    ],
  };
}

export function askedDirectly(backups: readonly Approver[]): Message {
  return note([bold('Nobody has answered. '), 'I have written to ', ...approverSpans(backups), '.']);
}
