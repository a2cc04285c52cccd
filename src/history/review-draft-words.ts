import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { bold, line, rich, type Span } from '../blocks/rich.ts';
import { doubt } from '../core/fact-ledger.ts';
import { type CheckedClaim, type DraftPart, draftParts, type Support } from '../core/review-draft.ts';
import { fitted } from './story.ts';

/** All wording of a model's draft. No claim is shown or published without the mark of its support. */

/** A model's checked claims about an incident. */
export type Draft = readonly CheckedClaim[];

const partWords: Readonly<Record<DraftPart, string>> = {
  summary: 'summary',
  happened: 'what happened',
  factors: 'contributing factors',
  well: 'what went well',
  open: 'what is open',
};

const marks: Readonly<Record<Support, string>> = {
  recorded: '',
  said: 'Only words of an alert or a person: ',
  none: 'No source: ',
};

const name = 'Draft by a model';

/** One section a part, below one that says how much of it stands in the records. */
export function draftSections(draft: Draft): { readonly title: string; readonly rows: Span[][] }[] {
  const parts = draftParts.map((part) => ({
    title: `${name}: ${partWords[part]}`,
    rows: draft.filter((claim) => claim.part === part).map(rowOf),
  }));
  return [{ title: name, rows: [[verdict(draft)]] }, ...parts.filter(({ rows }) => rows.length > 0)];
}

/** For a place with little room: the summary, with its marks. */
export function summaryOnly(draft: Draft): Draft {
  return draft.filter(({ part }) => part === 'summary');
}

function rowOf({ text, support }: CheckedClaim): Span[] {
  const mark = marks[support];
  return mark === '' ? [text] : [bold(mark), text];
}

function verdict(claims: Draft): string {
  const count = (support: Support) => claims.filter((claim) => claim.support === support).length;
  const [none, said] = [count('none'), count('said')];
  const of = claims.length === 1 ? '1 statement' : `${claims.length} statements`;
  const marked = [
    ...(none > 0 ? [`${none} without a source in the records`] : []),
    ...(said > 0 ? [`${said} by words of an alert or a person alone`] : []),
  ].join(', ');
  const details = claims.some(({ text }) => text.includes(doubt))
    ? ` ${doubt} follows a detail that no record has.`
    : '';
  return `${of}${marked === '' ? ', all with a source in the records' : `, ${marked}`}.${details} Code checked the words, not the sense.`;
}

export function noDraft(why: string): Message {
  return titled('The model wrote no draft.', [`${why}. The review above is complete.`]);
}

export function draftMessage(draft: Draft, title: string): Message {
  if ('why' in draft)
    return titled('The model wrote no draft.', [`${draft.why}. The review above is complete.`]);
  const blocks = draftSections(draft).map(({ title: heading, rows }) =>
    fitted(heading, rows, 2_500, 'a page or a canvas has them'),
  );
  return {
    text: fallbackText(`${name}: ${title}`),
    blocks: [rich([line(bold(title))]), ...blocks],
  };
}
