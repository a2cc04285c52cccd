import { writeCardRef } from '../blocks/card-ref.ts';
import { fallbackText } from '../blocks/escape.ts';
import { sizeOf } from '../blocks/fit.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import { isSaid, linked, linksOf } from '../blocks/links.ts';
import type { Block, Message } from '../blocks/message.ts';
import { bold, bullets, code, line, link, person, quote, rich, type Span, time } from '../blocks/rich.ts';
import { shortDigest } from '../core/canonical.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Life } from '../core/incident-history.ts';
import { own } from '../core/own-property.ts';
import type { StepResult } from '../core/run.ts';
import { capital } from '../core/step-words.ts';
import { eventSpans } from '../report/incident-words.ts';
import { outcomeTitles } from '../report/progress.ts';
import { outcomeWords, shownResult } from '../report/run-words.ts';
import { damagedPlan, isAwaited, requesterWords, standingWords } from './list.ts';
import type { LogLine, ShownCard, Story, ToldRun } from './story-port.ts';
import { factsIn, vendorRows } from './vendor-rows.ts';

export interface StorySection {
  readonly title: string;
  readonly rows: readonly (readonly Span[])[];
}

/** The story in sections of lines, oldest first; Slack and the command line show the same. */
export function tell(story: Story): StorySection[] {
  return [
    { title: 'Asked', rows: askedRows(story) },
    { title: 'Shown and decided', rows: story.log.flatMap(decisionRow) },
    ...story.runs.map((run) => ({
      title: runTitle(run),
      rows: run.results.map((result) => stepRow(run, result)),
    })),
    { title: 'After the page', rows: story.lives.flatMap(lifeRows) },
    { title: 'What the vendors answered', rows: vendorRows(story.log) },
    { title: 'Proof', rows: proofRows(story) },
  ].filter(({ rows }) => rows.length > 0);
}

function askedRows({ plan, goal, answers, requestId }: Story): Span[][] {
  const { requester, askedAt, standing } = plan;
  const said = answers.map(({ question, answer, by }): Span[] => [
    `“${cut(oneLine(question), 200)}” `,
    person(by),
    `: “${cut(oneLine(answer), 300)}”`,
  ]);
  return [
    [...requesterWords(requester).map(begun), ', ', time(askedAt), `: “${cut(oneLine(goal), 300)}”`],
    ...said,
    [...standingWords(standing), '. Id ', code(requestId)],
  ];
}

/** The history of an incident opened by a run. */
function lifeRows(life: Life): Span[][] {
  return life.events.map((event): Span[] => [...eventSpans(event, life), ', ', time(event.at)]);
}

function begun(span: Span): Span {
  return typeof span === 'string' ? span.replace(/^(?:asked )?b/, 'B') : span;
}

function numberOf({ subject }: LogLine): string {
  return /\/(\d+)$/.exec(subject)?.[1] ?? '';
}

const decisionWords: Readonly<Record<string, string>> = {
  'revision.approved': 'Approved',
  'revision.seconded': 'One of several approvals',
  'revision.rejected': 'Rejected',
  'revision.expired': 'Expired: nobody decided in time',
  'revision.superseded': 'Replaced',
  'revision.cancelled': 'Cancelled',
  'revision.tampered': 'TAMPERED WITH: the stored plan was changed',
  'run.cancel_requested': 'Stop asked for',
  'run.started': 'Run started',
  'run.refused': 'Run refused',
};

/** The card shown and every click on it, according to the audit log. */
function decisionRow(of: LogLine): Span[][] {
  const data = factsIn(of.data);
  const at: Span[] = [', ', time(of.at, '{date_short_pretty} {time_secs}')];
  const revision = `Revision ${numberOf(of)}`;
  if (of.kind === 'revision.proposed') {
    return [
      [
        bold(revision),
        ' ',
        code(shortDigest(String(data.digest ?? ''))),
        ' made by ',
        ...actorWords(of.actor),
        ...at,
      ],
    ];
  }
  if (of.kind === 'revision.shown')
    return [[`${revision} shown as a card`, ...at, ' · ', code(String(data.card ?? '').slice(0, 12))]];
  if (of.kind === 'click.refused') {
    return [
      [
        ...actorWords(of.actor),
        `’s click to ${own(clickWords, String(data.action)) ?? String(data.action).replaceAll('_', ' ')} was rejected: `,
        own(refusalWords, String(data.reason)) ?? String(data.reason).replaceAll('_', ' '),
        ...at,
      ],
    ];
  }
  const words = decisionWords[of.kind];
  // The reads before approval and dry runs have a section of their own.
  const isOther = of.kind === 'run.started' && data.mode !== 'run';
  if (words === undefined || isOther) return [];
  const alone: Span[] = data.glass === true ? [bold(' ALONE, breaking glass')] : [];
  const given = typeof data.standing === 'string' ? ' by the standing approval of ' : ' by ';
  const why =
    typeof data.reason === 'string' && data.reason !== '' ? [`: “${cut(oneLine(data.reason), 200)}”`] : [];
  const by: Span[] = of.actor === 'system' ? [] : [given, ...actorWords(of.actor)];
  return [[bold(words), ...alone, ...by, ...at, ...why]];
}

const clickWords: Readonly<Record<string, string>> = {
  ask: 'plan this',
  end_watch: 'end a watch',
  remove: 'remove a playbook',
  stop_all: 'stop all writes',
  resume: 'allow writes again',
  break_glass: 'approve it alone',
};

/** Why a click was rejected, by the codes of the audit log. */
const refusalWords: Readonly<Record<string, string>> = {
  cannot_tell: 'couldn’t verify them',
  decided: 'already decided',
  expired: 'it had expired',
  superseded: 'a newer revision had replaced it',
  not_an_approver: 'not an approver',
  four_eyes: 'it needs someone else',
  rules_changed: 'the rules had changed',
};

function actorWords(actor: string): Span[] {
  return actor === 'system' ? ['the bot'] : [person(actor)];
}

function runTitle({ mode, outcome, number }: ToldRun): string {
  if (mode === 'read') return `Read for revision ${number}, before anybody was asked`;
  const name = mode === 'dry_run' ? `Dry run of revision ${number}` : `Run of revision ${number}`;
  return `${name}: ${outcome === null ? 'running' : outcomeTitles[outcome].toLowerCase()}`;
}

const signs = { succeeded: '✓', skipped: '–', failed: '✗ FAILED:', unknown: '? UNKNOWN:' } as const;

function stepRow({ wording }: ToldRun, result: StepResult): Span[] {
  if (result.reason?.code === 'dry_run')
    return [cut(oneLine(result.reason.message.replace(/^Dry run: w/, 'W')), 250)];
  const words = cut(oneLine(capital(outcomeWords(wording, result))), 250);
  const why =
    result.status === 'succeeded' || result.reason === null ? '' : ` (${oneLine(result.reason.message)})`;
  const shown = shownResult(wording, result);
  const links = shown === null ? [] : linksOf(shown);
  const unsaid = links.filter((one) => !isSaid(words, one));
  return [
    `${signs[result.status]} `,
    ...linked(words, links),
    cut(why, 250),
    ...unsaid.flatMap(({ url, words: name }): Span[] => [' ', link(url, name)]),
  ];
}

function proofRows({ log, problems }: Story): Span[][] {
  const [first, last] = [log[0]?.seq ?? 0, log.at(-1)?.seq ?? 0];
  if (problems.length > 0) return problems.map((problem) => [bold('NOT PROVEN: '), problem]);
  const lines = `${log.length} lines of the audit log, ${first} to ${last}`;
  return [
    [
      bold('Verified: '),
      `${lines}. Each is signed, none between them is missing, and the stored plan is the one that was shown.`,
    ],
  ];
}

/** Maximum characters for the sections; the rest is for the title and the buttons. */
const room = 9_500;

/** The story as a private message; lines that do not fit are counted. */
export async function storyMessage(story: Story): Promise<Message> {
  const summary = story.plan.revision?.sealed.plan.summary ?? damagedPlan;
  const address = await story.plan.link();
  const title = cut(oneLine(summary), 150);
  const blocks: Block[] = [
    rich([
      line(bold(address === null ? title : ''), ...(address === null ? [] : [link(address, title)])),
      ...(isAwaited({ link: address, standing: story.plan.standing })
        ? [line('Its card follows in a moment.')]
        : []),
    ]),
  ];
  const sections = tell(story);
  for (const [index, { title: heading, rows }] of sections.entries()) {
    const kept = 600 * (sections.length - index - 1);
    blocks.push(fitted(heading, rows, Math.max(600, room - sizeOf(blocks) - kept)));
  }
  blocks.push(
    actions(
      [
        button({
          text: 'The card as it was shown',
          action: actionIds.shownCard,
          value: writeCardRef(story.plan),
        }),
      ],
      'shown_card',
    ),
  );
  return { text: fallbackText(`The story of: ${summary}`), blocks };
}

function fitted(title: string, rows: readonly (readonly Span[])[], most: number): Block {
  const blockOf = (count: number): Block => {
    const more = rows.length - count;
    const rest = more > 0 ? [line(`and ${more} more; audit show has all of it`)] : [];
    return rich([line(bold(title)), bullets(rows.slice(0, count).map((row) => line(...row))), ...rest]);
  };
  let count = rows.length;
  while (count > 1 && sizeOf([blockOf(count)]) > most) count -= 1;
  return blockOf(count);
}

/** A card as displayed, without its buttons. */
export function shownCard(number: number, shown: ShownCard | null): Message {
  const name = `revision ${number}`;
  if (shown === null) {
    return {
      text: fallbackText(`The card of ${name} is no longer stored.`),
      blocks: [
        rich([
          line(
            bold(`The card of ${name} is no longer stored.`),
            ' It was made before cards were, or never reached Slack.',
          ),
        ]),
      ],
    };
  }
  const wording = shown.isWhole
    ? line(
        bold(`The card of ${name} as it was shown`),
        ' ',
        time(shown.at),
        ', without its buttons · ',
        code(shown.hash.slice(0, 12)),
      )
    : line(bold('NOT the card that was shown: '), 'what is kept was changed afterwards.');
  const blocks = shown.message.blocks.filter(({ type }) => type !== 'actions');
  return { text: shown.message.text, blocks: [rich([wording, quote(' ')]), ...blocks] };
}
