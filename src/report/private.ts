import { fallbackText } from '../blocks/escape.ts';
import { channelLink, md, mention, section } from '../blocks/layout.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, bullets, code, line, quote, rich, type Span } from '../blocks/rich.ts';
import type { RefuseReason } from '../core/answer.ts';
import type { Finding } from '../core/finding.ts';
import { cut, oneLine } from '../core/inert.ts';
import { planLimits } from '../core/plan.ts';
import { capital } from '../core/words.ts';

/** Words that only one person sees: what is wrong and what to do next. Short: they are read on a phone. */

const example = '/plan Check open P1 tickets in OPS against the SLA and page on-call if breached';

function words(title: string, ...rows: Span[][]): Message {
  return note([bold(title)], ...rows);
}

export function help(): Message {
  const ways: Span[][] = [
    [code('/plan <what you want>'), ' – I answer with a plan, one question, or a reason why not'],
    [code('/plan list'), ' – ready-made plans'],
    [code('/plan run <name>'), ' – one of them'],
    [code('/plan save <name>'), ' – keep your last plan that succeeded'],
    ['Reply in the thread of a plan to change it: “use P2”'],
  ];
  return {
    text: fallbackText(`Type /plan and what you want. For example: ${example}`),
    blocks: [
      rich([
        line(bold('Type /plan and what you want.'), ' Nothing is written without approval.'),
        bullets(ways.map((way) => line(...way))),
        line('For example: ', code(example)),
        line('Open my Home tab to see what is waiting for approval and what you may approve.'),
      ]),
    ],
  };
}

export function emptyGoal(): Message {
  return words(
    'What should I plan?',
    ['For example: ', code(example)],
    ['You see the plan first. Nothing runs without approval.'],
  );
}

export function tooLong(): Message {
  const bound = planLimits.goal.toLocaleString('en');
  return words('That request is too long.', [
    `Please shorten it to at most ${bound} characters. Nothing was stored.`,
  ]);
}

export function tooMany(perHour: number): Message {
  return words('Hourly limit reached.', [
    `I plan at most ${perHour} requests an hour for each person. Please try again later.`,
  ]);
}

export function tooManyAnswers(): Message {
  return words("We've gone back and forth enough.", [
    'Please ask again, with all the details in one message. Nothing was run.',
  ]);
}

/** The bot is not in the channel, so nobody there would see the card. */
export function notInChannel(channel: string, botUserId: string): Message {
  // Nobody can be invited into a conversation between two people.
  if (channel.startsWith('D')) {
    const instead = 'Ask in a channel that I am in, or write to me directly. Nothing was run.';
    return words('I cannot post into a conversation between other people.', [instead]);
  }
  const name = botUserId === '' ? 'Countersign' : mention(botUserId);
  const text = md`I am not in ${channelLink(channel)}, so I cannot post the plan there. Type \`/invite\` ${name} there, then ask again. Nothing was run.`;
  return {
    text: fallbackText('I am not in that channel. Invite me with /invite, then ask again.'),
    blocks: [section(text)],
  };
}

/** Slack will not take a message of ours, so it is said here instead of getting lost. */
export function undeliverable(why: string): Message {
  return words(
    'A message could not be posted.',
    [cut(oneLine(why), 300)],
    ['Part of the report may be missing from the thread.'],
  );
}

const refusals: Record<RefuseReason, string> = {
  no_tool: 'I have no tool for that.',
  out_of_scope: 'That is not something I plan.',
  dangerous: 'I will not plan that.',
  injection: 'I will not plan that.',
  not_configured: 'That is not set up here.',
};

export function refused(reason: RefuseReason, explanation: string): Message {
  return words(refusals[reason], [cut(oneLine(explanation), 600)], ['Nothing was stored or run.']);
}

/** A plan that did not pass the review; the person sees what was wrong with it. */
export function notPlannable(findings: readonly Finding[]): Message {
  const messages = [...new Set(findings.map((finding) => cut(oneLine(capital(finding.message)), 250)))];
  const shown = messages.slice(0, 5).map((message) => line(message));
  return {
    text: fallbackText("I couldn't turn that into a safe plan."),
    blocks: [
      rich([
        line(bold("I couldn't turn that into a safe plan."), ' Please rephrase it. What was wrong:'),
        bullets(shown),
      ]),
    ],
  };
}

export function changeNotUnderstood(text: string): Message {
  return {
    text: fallbackText('I did not understand that change. Nothing was changed.'),
    blocks: [
      rich([
        line(
          bold('I did not understand that change.'),
          ' Nothing was changed. Try “threshold 15”, “use P2”, or Edit.',
        ),
        quote(cut(oneLine(text), 300)),
      ]),
    ],
  };
}

export function tooLate(): Message {
  const advice = ' That plan has since been decided or replaced. Use the newest card.';
  return note([bold('Nothing was changed.'), advice]);
}

export function alreadyOver(): Message {
  return words('Nothing to stop.', ['That run is over; the thread shows how it ended.']);
}

export function enoughDryRuns(max: number): Message {
  return words('Dry-run limit reached.', [
    `Each request gets at most ${max} dry runs. The thread has their results.`,
  ]);
}

export function enoughRevisions(max: number): Message {
  return words('Revision limit reached.', [
    `Each request gets at most ${max} revisions. Approve or reject the newest card, or ask again.`,
  ]);
}

export function stopAsked(): Message {
  return words('Stopping.', ['Nothing more will be written. What was already done stays done.']);
}

/** Something broke on our side; the reference stands in the log. */
export function failed(reference: string): Message {
  return words('Something went wrong on my side.', [
    'Please try again. If it keeps happening, give whoever runs Countersign this reference: ',
    code(reference),
  ]);
}
