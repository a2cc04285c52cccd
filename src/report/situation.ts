import type { RichTextBlockElement } from '@slack/types';
import { askedBlock, cardFacts } from '../blocks/card-frame.ts';
import { writeCardRef } from '../blocks/card-ref.ts';
import { causeElements, fixableIn, fixButtons, sameButtons, verdictCounts } from '../blocks/causes.ts';
import { fallbackText } from '../blocks/escape.ts';
import { foundIn, heading, missingElements, withinRoom } from '../blocks/evidence.ts';
import { sizeOf } from '../blocks/fit.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions } from '../blocks/layout.ts';
import type { Block, Message } from '../blocks/message.ts';
import { notesBlock } from '../blocks/plan-notes.ts';
import { ratingBlock } from '../blocks/rating.ts';
import { bold, italic, line, rich, time } from '../blocks/rich.ts';
import type { Cause } from '../core/cause.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Revision } from '../core/revision.ts';
import { byLastTime, type LastTime, settle } from '../core/settle.ts';
import { againButtons, type Read } from './answer.ts';
import type { Wording } from './run-words.ts';

/** How a service is doing, and what code says about the causes: a line for each fact, with where it is from. */

export interface Known {
  /** The operator's causes. */
  readonly causes: readonly Cause[];
  readonly around: KnownAround;
}

/** The bot's own records: earlier plans, firing alerts, plans under way. */
export interface KnownAround {
  readonly elements: readonly RichTextBlockElement[];
  readonly again: readonly { readonly text: string; readonly value: string }[];
  /** Causes that it was before. */
  readonly last: LastTime;
}

const messageRoom = 12_800;
/** Characters of JSON around the evidence, and of the line ends in it. */
const frameRoom = 700;

export function renderSituation(
  revision: Revision,
  { words, hosts }: Wording,
  read: Read,
  { causes, around }: Known,
): { message: Message; fallback: Message } {
  const { plan } = revision.sealed;
  const { last } = around;
  const settled = byLastTime(settle(plan, words, read.results), last);
  const title = [plan.summary, verdictCounts(settled)].filter(Boolean).join(': ');
  const head = line(bold(`${title}.`), ' ', italic('Read '), time(read.at, '{time}'), italic('.'));
  const ideas = new Set(plan.situation?.ideas);
  const partOf = (isIdea: boolean) => {
    const results = read.results.filter(({ stepId }) => ideas.has(stepId) === isIdea);
    return foundIn(results, { words, hosts, settled });
  };
  const { parts: asked, missing } = partOf(false);
  const also = partOf(true);
  const ideaParts =
    also.parts.length === 0 ? [] : [heading('Also looked at (the model’s idea):'), ...also.parts];
  const why = read.results.length > 0 ? [] : [oneLine(read.reason?.message ?? 'Nothing could be read.')];
  const first = rich([head, ...causeElements(settled, { words, hosts, causes, last })], 'answer');
  const end: Block[] = [
    ...notesBlock(revision, words.scope, { settled: true }),
    askedBlock(revision, cut(oneLine(plan.goal), 300)),
    cardFacts(revision, { open: false }),
    actions(
      [
        ...fixButtons(fixableIn(settled, causes), {
          action: actionIds.fix,
          value: (id) => writeCardRef(revision, id),
        }),
        ...sameButtons(around.again),
        ...againButtons(revision),
      ],
      'buttons',
    ),
  ];
  const blockOf = (elements: readonly RichTextBlockElement[], name: string): Block[] =>
    elements.length === 0 ? [] : [rich([...elements], name)];
  const own = [
    ...blockOf(around.elements, 'around'),
    ...blockOf(
      missingElements([...why, ...missing, ...also.missing.map((one) => `${one} (the model’s idea)`)]),
      'missing',
    ),
  ];
  // Slack would reject a larger message.
  const rating = ratingBlock(revision);
  const room = messageRoom - sizeOf([first, ...own, ...end, rating]) - frameRoom;
  const evidence = withinRoom([...asked, ...ideaParts], room);
  const text = fallbackText(title);
  const blocks = [first, ...blockOf(evidence, 'evidence'), ...own, ...end];
  return { message: { text, blocks: [...blocks, rating] }, fallback: { text, blocks } };
}
