import type { RefuseReason } from '../core/answer.ts';
import type { Finding } from '../core/finding.ts';
import { cut, oneLine } from '../core/inert.ts';
import { planLimits } from '../core/plan.ts';
import { capital } from '../core/words.ts';
import { channelLink, md, mention, section } from '../slack/blocks/layout.ts';
import type { Message } from '../slack/blocks/message.ts';
import { note } from '../slack/blocks/note.ts';
import { bold, bullets, code, line, quote, rich, type Span } from '../slack/blocks/rich.ts';
import { fallbackText } from '../slack/escape.ts';

/** Words that only one person sees: what is wrong and what to do next. Short: they are read on a phone. */

const example = '/plan Check open P1 tickets in OPS against the SLA and page on-call if breached';

function words(title: string, ...rows: Span[][]): Message {
  return note([bold(title)], ...rows);
}

export function help(): Message {
  const ways: Span[][] = [
    [code('/plan <what you want>'), ' – I answer with a plan, one question, or a reason why not'],
    [code('/plan jira.count project=OPS'), ' – a plan in notation, taken as it is typed'],
    [code('/plan list'), ' – ready-made plans'],
    [code('/plan run <name>'), ' – one of them'],
    [code('/plan save <name>'), ' – keep the last one that ran'],
    ['Reply in the thread of a plan to change it: “use P2”'],
  ];
  return {
    text: fallbackText(`Type /plan and what you want. For example: ${example}`),
    blocks: [
      rich([
        line(bold('Type /plan and what you want.'), ' Nothing is written without a yes.'),
        bullets(ways.map((way) => line(...way))),
        line('For example: ', code(example)),
        line('What waits for a yes, and what you may approve: open my Home tab.'),
      ]),
    ],
  };
}

export function emptyGoal(): Message {
  return words(
    'What should be planned?',
    ['For example: ', code(example)],
    ['I show the plan first. Nothing runs without a yes.'],
  );
}

export function tooLong(): Message {
  const bound = planLimits.goal.toLocaleString('en');
  return words('That is too long to plan from.', [
    `Please say it in at most ${bound} characters. Nothing was stored.`,
  ]);
}

export function tooMany(perHour: number): Message {
  return words('That is a lot of plans.', [
    `At most ${perHour} an hour are planned for one person. Please wait a little.`,
  ]);
}

export function tooManyAnswers(): Message {
  return words('I still do not have what I need.', [
    'That were many answers already. Please ask again in one sentence that says it all. Nothing was run.',
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
    ['The thread may lack a part of the report.'],
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
    text: fallbackText('I could not make a safe plan of that.'),
    blocks: [
      rich([
        line(bold('I could not make a safe plan of that.'), ' Please say it in other words. What was wrong:'),
        bullets(shown),
      ]),
    ],
  };
}

/** `why`: what is wrong with a change that was typed in plan notation. */
export function changeNotUnderstood(text: string, why: string | null = null): Message {
  return {
    text: fallbackText('I did not understand that change. Nothing was changed.'),
    blocks: [
      rich([
        line(
          bold('I did not understand that change.'),
          ` Nothing was changed. ${why ?? 'Try “threshold 15”, “use P2”, or Edit.'}`,
        ),
        quote(cut(oneLine(text), 300)),
      ]),
    ],
  };
}

export function tooLate(): Message {
  const advice = ' That plan was decided or replaced meanwhile. Use the newest card.';
  return note([bold('Nothing was changed.'), advice]);
}

export function alreadyOver(): Message {
  return words('Nothing to stop.', ['That run is over; the thread shows how it ended.']);
}

export function enoughDryRuns(most: number): Message {
  return words('That was tried often enough.', [
    `At most ${most} dry runs are made of one request. The thread shows what they said.`,
  ]);
}

export function enoughRevisions(most: number): Message {
  return words('That plan was changed often enough.', [
    `At most ${most} revisions are made of one request. Approve or reject the newest card, or ask again.`,
  ]);
}

export function stopAsked(): Message {
  return words('Stopping.', ['Nothing further is written. What was already done stays done.']);
}

/** Something broke on our side; the reference stands in the log. */
export function failed(reference: string): Message {
  return words('Something went wrong on my side.', [
    'Nothing further was done with that. Please try again; if it stays, give whoever runs Countersign this reference: ',
    code(reference),
  ]);
}
