import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note, titled } from '../blocks/note.ts';
import { bold, code, line, rich, type Span } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { stopButton } from '../report/run-buttons.ts';
import { type Line, planLine } from './list.ts';
import type { Listed } from './port.ts';

export function unknownName(typed: string): Message {
  return note([
    bold('I don’t know that name: '),
    cut(oneLine(typed), 80),
    '. Name a service, project, channel or person of countersign.yml, or a ticket such as OPS-7.',
  ]);
}

/** The same wording for missing and for hidden plans, so that nobody learns of plans in private channels. */
export function noSuchPlan(): Message {
  return titled('There is no such plan, or you cannot see it.', [
    'Its id is at the bottom of its card, for example ',
    code('3fa9 12c0'),
    '. Try ',
    code('/plan mine'),
    ' or ',
    code('/plan history'),
    '.',
  ]);
}

/** Running plans, each with a Stop button, and how to stop everything. */
export function whatToStop(running: readonly { readonly line: Line; readonly plan: Listed }[]): Message {
  const all: Span[] = ['To stop all writes: ', code('/plan stop all: why')];
  if (running.length === 0) return note([bold('Nothing you can see is running.')], all);
  const blocks = running.flatMap(({ line: one, plan }, index) => [
    rich([planLine(one, { asked: true })]),
    stopButton(plan, `stop_${index}`),
  ]);
  return { text: fallbackText(`${running.length} running`), blocks: [...blocks, rich([line(...all)])] };
}
