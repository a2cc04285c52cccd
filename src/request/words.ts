import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note, titled } from '../blocks/note.ts';
import { askableList, bold, bullets, code, line, quote, rich, type Span } from '../blocks/rich.ts';
import type { RefuseReason } from '../core/answer.ts';
import type { Askable } from '../core/askable.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Finding } from '../core/finding.ts';
import { thousands } from '../core/numbers.ts';
import { planLimits } from '../core/plan.ts';
import { capital } from '../core/step-words.ts';
import { type Misread, ways } from './help.ts';
import { askButtons } from './question.ts';

/** Private messages to the requester: the problem and the next step. Short, because they are read on a phone. */

const example = '/plan Check open P1 tickets in OPS against the SLA and page on-call if breached';

/** The help: questions that can be asked here, and then the commands. */
export function help(askable: readonly Askable[]): Message {
  return {
    text: fallbackText(`Type /plan and what you want. For example: ${example}`),
    blocks: [
      rich([
        line(
          bold('Type /plan and what you want.'),
          ' Nothing is written without approval. You can ask, for example:',
        ),
        ...askableList(askable),
        line('Steps may depend on each other: ', code(example)),
        line(bold('Commands')),
        bullets(ways.map((way) => line(...way.typed.flatMap(commaBetween), ` – ${way.about}`))),
        line('Open my Home tab to see what is waiting for approval and what you may approve.'),
      ]),
    ],
  };
}

/** `/plan status`, `mine`: the ways to type a command, the first one in full. */
function commaBetween(typed: string, at: number): Span[] {
  return at === 0 ? [code(typed)] : [', ', code(typed.replace('/plan ', ''))];
}

export function emptyGoal(): Message {
  return titled(
    'What should I plan?',
    ['For example: ', code(example)],
    ['You see the plan first. Nothing runs without approval.'],
  );
}

/** A mistyped bot word or plan id. `also`: the planner's answer to it. */
export function notUnderstoodAs(mistyped: Misread, also: string | null = null): Message {
  const typed = `“${cut(oneLine(mistyped.typed), 60)}”`;
  if (mistyped.kind === 'word') {
    return titled(
      `I don’t know ${typed}.`,
      ['Did you mean ', code(`/plan ${mistyped.meant}`), '?'],
      ['Or say what should be looked up or done. Type ', code('/plan help'), ' for everything I take.'],
    );
  }
  return titled(
    `${typed} is not the id of a plan or run.`,
    ['Its id is at the bottom of its card, for example ', code('3fa9 12c0'), '.'],
    ['To list them: ', code('/plan status'), ', ', code('/plan mine'), ' or ', code('/plan history'), '.'],
    ...(also === null ? [] : [[cut(oneLine(also), 600)]]),
  );
}

export function tooLong(): Message {
  const bound = thousands(planLimits.goal);
  return titled('That request is too long.', [
    `Please shorten it to at most ${bound} characters. Nothing was stored.`,
  ]);
}

/** Kinds of requests with an hourly limit for each person: what only reads, and what would write. */
export type LimitedKind = 'question' | 'plan';

/** A count of questions is never in the way of something urgent, and whoever reads this may need to know. */
export function tooMany(kind: LimitedKind, perHour: number): Message {
  const what =
    kind === 'question'
      ? `I answer at most ${perHour} ${perHour === 1 ? 'question' : 'questions'} an hour for each person.`
      : `I make at most ${perHour} ${perHour === 1 ? 'plan that writes' : 'plans that write'} an hour for each person.`;
  return titled(
    'Hourly limit reached.',
    [`${what} Please try again later.`],
    ['You can still page, acknowledge, resolve, reject and stop.'],
  );
}

/** A button under a question that is not open, or of another request. */
export function notOurButton(): Message {
  return note(
    [bold('Nothing was done.')],
    ['That button does not match the plan that is stored. Use the newest card.'],
  );
}

export function modelAtWork(): Message {
  return titled('Working on it.', ['A model is planning this. The plan follows, at the latest without it.']);
}

export function planningStopped(): Message {
  return titled('Stopped.', ['No plan is made of it, and nothing was run.']);
}

export function nothingToStop(): Message {
  return titled('Nothing to stop.', ['Nothing is being planned or run in this thread.']);
}

/** Only the word decides: talk must not. */
export function notApproved(): Message {
  return titled('Nothing was approved.', [
    'To approve the card, reply ',
    code('approve'),
    ' or use its button.',
  ]);
}

/** A word such as "approve" in a thread with several open cards. */
export function severalWaiting(): Message {
  return titled('Nothing was done.', [
    'Several plans are waiting in this thread. Use the buttons of the one you mean.',
  ]);
}

export function tooManyAnswers(): Message {
  return titled('We’ve gone back and forth enough.', [
    'Please ask again, with all the details in one message. Nothing was run.',
  ]);
}

/** An answer that would help, by what is missing. */
const needed: Readonly<Record<string, string>> = {
  ...{ threshold: 'I need a number, such as 20.', bound: 'I need a number, such as 20.' },
  ...{ key: 'I need the key of a ticket, such as OPS-12.', status: 'I need a status, such as Done.' },
  incident: 'I need an incident, by its number (#12) or its service.',
  query: 'I need the words to search for, such as “redis failover”.',
  channel: 'I need a channel such as #ops, or a person such as @ana.',
  user: 'I need a person, such as @ana.',
  service: 'I need the name of a service.',
  project: 'I need the key of a Jira project.',
};

/** The question after an answer that did not help. */
export function askedAgain({
  answer,
  missing,
}: {
  readonly answer: string;
  readonly missing: string;
}): string {
  const help = needed[missing] ?? 'Say in one sentence what I should look up or do.';
  return `I couldn’t use “${cut(oneLine(answer), 100)}”. ${help}`;
}

/** Another bot mentioned this one. */
export function onlyForPeople(): Message {
  return note([
    'I take requests from people only, so I did nothing. Alerts can reach me through an alert door, and agents through MCP or A2A.',
  ]);
}

export function unusedTwice(answer: string): Message {
  return titled(`I couldn’t use “${cut(oneLine(answer), 100)}” either, so I stopped asking.`, [
    'Type the whole request again in one sentence; /plan help shows what I understand. Nothing was run.',
  ]);
}

const refusals: Record<Exclude<RefuseReason, 'out_of_scope'>, string> = {
  no_tool: 'I can’t do that.',
  not_understood: 'I didn’t understand that.',
  dangerous: 'I won’t plan that.',
  injection: 'I won’t plan that.',
  not_configured: 'That isn’t set up here.',
};

/** Something else that works here may be what was meant. */
export const mayBeNear = (reason: RefuseReason): boolean =>
  reason === 'no_tool' || reason === 'not_understood';

/** `nearest`: what works here instead. */
export function refused(reason: RefuseReason, explanation: string, nearest: readonly string[]): Message {
  const rows: Span[][] = [[cut(oneLine(explanation), 600)], ['Nothing was stored or run.']];
  // Nothing more to say: it is out of scope, or the request was dropped.
  if (reason === 'out_of_scope') return note(...rows);
  if (!mayBeNear(reason)) return titled(refusals[reason], ...rows);
  const instead: Span[] =
    nearest.length > 0
      ? ['Nearest to it:']
      : ['Type ', code('/plan help'), ' to see what I can look up and do.'];
  const message = titled(refusals[reason], ...rows, instead);
  return { ...message, blocks: [...message.blocks, ...askButtons(nearest)] };
}

/** A plan that failed the review, with its findings. */
export function notPlannable(findings: readonly Finding[]): Message {
  const messages = [...new Set(findings.map((finding) => cut(oneLine(capital(finding.message)), 250)))];
  const shown = messages.slice(0, 5).map((message) => line(message));
  return {
    text: fallbackText('I couldn’t turn that into a safe plan.'),
    blocks: [rich([line(bold('I couldn’t turn that into a safe plan.'), ' What is wrong:'), bullets(shown)])],
  };
}

/** A reply below an answer, which only its requester is told about. `nearest`: what works here instead. */
export function replyNotUnderstood(words: string, nearest: readonly string[]): Message {
  const message = titled('I did not understand that.', [
    `“${cut(oneLine(words), 300)}”: say what to look up, for example “and in PAY?” or “who is on call for ops?”.`,
  ]);
  return { ...message, blocks: [...message.blocks, ...askButtons(nearest)] };
}

/** A reply to a plan that can no longer be changed, which only its requester is told about. */
export function replyAfterwards(words: string, nearest: readonly string[]): Message {
  const message = titled(
    'I did nothing with that.',
    [`“${cut(oneLine(words), 300)}”: this plan can no longer be changed.`],
    ['To ask for something here, mention me: “resolve it”, “who is on call for ops?”.'],
  );
  return { ...message, blocks: [...message.blocks, ...askButtons(nearest)] };
}

/** `why`: the problem, where it is known. `tips`: replies that would change this plan. */
export function changeNotUnderstood(text: string, why: string | null, tips: readonly string[]): Message {
  const replies = tips.map((tip) => `“${tip}”`);
  const help = replies.length === 0 ? 'Use Edit.' : `Try ${replies.join(', ')}, or Edit.`;
  return {
    text: fallbackText('I did not understand that change. Nothing was changed.'),
    blocks: [
      rich([
        line(
          bold('I did not understand that change.'),
          ` Nothing was changed. ${why === null ? help : `${why} ${help}`}`,
        ),
        quote(cut(oneLine(text), 300)),
      ]),
    ],
  };
}
