import { z } from 'zod';
import { writeCardRef } from '../blocks/card-ref.ts';
import { fallbackText } from '../blocks/escape.ts';
import { sizeOf } from '../blocks/fit.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import type { Block, Message } from '../blocks/message.ts';
import { bold, bullets, code, line, link, quote, rich, type Span, time } from '../blocks/rich.ts';
import type { LinkHosts } from '../core/address.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { readRow, readRows } from '../core/damaged-row.ts';
import type { Manifest } from '../core/manifest.ts';
import { wordingOf } from '../report/run-words.ts';
import * as checks from '../store/checks.ts';
import * as followed from '../store/followed-incidents.ts';
import { messageSchema } from '../store/outbox-messages.ts';
import { proofOf } from '../store/proof.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as shownCards from '../store/shown-cards.ts';
import * as steps from '../store/steps.ts';
import type { RunRow, TeamDb, TolerantDb } from '../store/tables.ts';
import { damagedPlan, isAwaited, type Listed } from './list.ts';
import { type Story, type StoryRun, storySections } from './story-words.ts';

/** Everything the tables and the audit log have about a plan. */

export interface StoryDeps extends TolerantDb {
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
}

/** Maximum number of dry runs and runs shown for one plan. */
const maxRuns = 4;

const questionSchema = z.object({
  answers: z.array(z.object({ question: z.string(), answer: z.string(), by: z.string() })),
});

export async function storyOf(plan: Listed, deps: StoryDeps): Promise<Story> {
  const { db, teamId, damaged } = deps;
  const { requestId, revision } = plan;
  const [proof, all, request] = await Promise.all([
    proofOf(db, teamId, requestId),
    runs.listOf(db, teamId, requestId),
    requests.get(db, teamId, requestId),
  ]);
  const last = all.slice(-maxRuns);
  const found = await Promise.all(last.map((run) => storyRun(run, deps)));
  const lives = await Promise.all(last.map(({ id: runId }) => followed.lifeOfRun(db, { teamId, runId })));
  const incidents = readRows(
    lives.flatMap((row) => row ?? []),
    followed.lifeReader,
    damaged,
  );
  return {
    plan,
    goal: request?.goal ?? revision?.sealed.plan.goal ?? '',
    answers: request?.question == null ? [] : questionSchema.parse(request.question).answers,
    runs: found.flat(),
    lives: incidents.flatMap(({ life }) => life ?? []),
    log: proof.lines,
    problems: proof.problems,
  };
}

async function storyRun(
  { id: runId, requestId, number, mode, outcome }: RunRow,
  { db, teamId, manifests, hosts, damaged }: StoryDeps,
): Promise<StoryRun[]> {
  const row = await revisions.get(db, teamId, requestId, number);
  const revision = row && readRow(row, revisions.planReader, damaged);
  if (revision === null) return [];
  const rows = await steps.stepResults(db, teamId, runId);
  const results = rows.flatMap((each) => steps.toStepResult(each) ?? []);
  const checked = await checks.ofRun(db, { teamId, runId });
  const wording = wordingOf(revision.sealed, manifests, hosts);
  return [{ number, mode, outcome, wording, results, checks: checked }];
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
      ...(isAwaited({ link: address, state: story.plan.state })
        ? [line('Its card follows in a moment.')]
        : []),
    ]),
  ];
  const sections = storySections(story);
  for (const [index, { title: heading, rows }] of sections.entries()) {
    const kept = 600 * (sections.length - index - 1);
    const max = Math.max(600, room - sizeOf(blocks) - kept);
    blocks.push(fitted(heading, rows, max, 'audit show has all of it'));
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

/** A section of at most `max` characters of JSON. `where`: where the lines are that do not fit. */
export function fitted(title: string, rows: readonly (readonly Span[])[], max: number, where: string): Block {
  const blockOf = (count: number): Block => {
    const more = rows.length - count;
    const rest = more > 0 ? [line(`and ${more} more; ${where}`)] : [];
    return rich([line(bold(title)), bullets(rows.slice(0, count).map((row) => line(...row))), ...rest]);
  };
  let count = rows.length;
  while (count > 1 && sizeOf([blockOf(count)]) > max) count -= 1;
  return blockOf(count);
}

/** The last card sent to Slack before the decision. `at` is ISO 8601. */
interface ShownCard {
  readonly message: Message;
  readonly at: string;
  readonly hash: string;
  /** False when it does not match its hash. */
  readonly isWhole: boolean;
}

/** The last card of a revision sent to Slack before the decision; null when none was shown, or it is no longer kept. */
export async function cardAsShown(
  { db, teamId }: TeamDb,
  of: { requestId: string; number: number },
): Promise<ShownCard | null> {
  const found = await shownCards.last(db, { teamId, requestId: of.requestId, number: of.number });
  if (found === null) return null;
  const { hash, at, isWhole } = found;
  return { message: messageSchema.parse(found.message), at: at.toISOString(), hash, isWhole };
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
