import { z } from 'zod';
import { fallbackText } from '../blocks/escape.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import type { Block, Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, italic, line, lines, person, quote, rich, type Span } from '../blocks/rich.ts';
import type { PlannerAnswer } from '../core/answer.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { parseJson } from '../core/json.ts';
import type { Request } from '../core/request.ts';

type Question = Extract<PlannerAnswer, { kind: 'clarify' }>;

/** Buttons that ask for something as if it had been typed. */
export function askButtons(goals: readonly string[]): Block[] {
  const buttons = goals.map((goal, nth) =>
    button({ text: goal, action: `${actionIds.ask}${nth}`, value: goal }),
  );
  return goals.length === 0 ? [] : [actions(buttons, 'ask')];
}

interface Beside {
  /** Identifies the question. */
  readonly key: string;
  readonly notes: readonly string[];
  readonly labels: ReadonlyMap<string, string>;
  /** Requests that work here, if there is no likely answer. */
  readonly nearest: readonly string[];
}

/** One question about a request, with a button for each likely answer. */
export function questionMessage(
  request: Request,
  question: Question,
  { key, notes, labels, nearest }: Beside,
): Message {
  const asker: Span[] = /^[UW]/.test(request.requester) ? [person(request.requester), ': '] : [];
  const options = question.options.slice(0, 5);
  const how = options.length > 0 ? 'Choose one, or answer in this thread.' : 'Answer in this thread.';
  const rows: Span[][] = [
    [...asker, bold(question.question)],
    ...notes.map((each): Span[] => [each]),
    [italic(how)],
  ];
  return {
    text: fallbackText(question.question),
    blocks: [
      rich([quote(cut(oneLine(request.goal), 300)), lines(rows)], 'question'),
      ...(options.length > 0
        ? [
            actions(
              options.map((text, index) =>
                button({
                  text: labels.get(text) ?? text,
                  action: `${actionIds.clarify}${index}`,
                  value: JSON.stringify({ r: request.id, a: text, q: key }),
                }),
              ),
              'answers',
            ),
          ]
        : []),
      ...(nearest.length > 0 ? [rich([line('Nearest to it:')], 'nearest')] : []),
      ...askButtons(nearest),
    ],
  };
}

const answerValue = z
  .strictObject({ r: z.string().max(100), a: z.string().max(100), q: z.string().max(100).optional() })
  .transform(({ r: requestId, a: text, q: question }) => ({ requestId, text, question }));

/** Old buttons do not name their question. */
export type AnswerValue = z.infer<typeof answerValue>;

/** The value of a button under a question; null for one we did not write. */
export function readAnswerValue(value: string): AnswerValue | null {
  return answerValue.safeParse(parseJson(value)).data ?? null;
}

/** The same message after somebody has answered. */
export function answeredMessage(goal: string, question: string, answer: string, by: string): Message {
  return {
    text: fallbackText(`${question} ${answer}`),
    blocks: [
      rich([
        quote(cut(oneLine(goal), 300)),
        line(bold(question)),
        line(person(by), ' answered: ', cut(oneLine(answer), 300)),
      ]),
    ],
  };
}

/** To the person whose answer came when the question was closed, mostly because somebody else (a Slack id) was faster. */
export function notUsed(by: string | null): Message {
  const why = by === null ? ['That question is closed.'] : [person(by), ' was faster; that answer counts.'];
  return note([bold('Your answer was not used.')], why);
}
