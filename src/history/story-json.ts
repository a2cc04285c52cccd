import { piecesOf } from '../blocks/code-block.ts';
import { fallbackText } from '../blocks/escape.ts';
import { sizeOf } from '../blocks/fit.ts';
import type { Block, Message } from '../blocks/message.ts';
import { bold, line, preformatted, rich } from '../blocks/rich.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Story, StoryRun } from './story-words.ts';

/** Maximum JSON characters of the message. */
const room = 12_000;

/** A longer line would be broken, in the middle of a text. */
const maxLine = 2_000;

/** The same story for a program. Results that do not fit are left out, the largest first, and marked. */
export function storyJson(story: Story): Message {
  const steps = story.runs.flatMap(({ results }) => results);
  const bySize = steps.toSorted((a, b) => textOf(b.result).length - textOf(a.result).length);
  const broken = steps.filter(({ result }) =>
    textOf(result)
      .split('\n')
      .some((one) => one.length > maxLine),
  );
  let left = 0;
  let block = blockOf(story, new Set(broken));
  while (sizeOf([block]) > room && left < bySize.length) {
    left += 1;
    block = blockOf(story, new Set([...broken, ...bySize.slice(0, left)]));
  }
  const { requestId, number } = story.plan;
  return { text: fallbackText(`Plan ${requestId}, revision ${number}, as JSON`), blocks: [block] };
}

function blockOf(story: Story, leftOut: ReadonlySet<Result>): Block {
  const pieces = piecesOf(textOf(documentOf(story, leftOut)));
  return rich([line(bold('The plan as JSON')), ...pieces.map(preformatted)], 'json');
}

const textOf = (value: Json): string => JSON.stringify(value, null, 1);

type Result = StoryRun['results'][number];

function documentOf({ plan, goal, runs, problems }: Story, leftOut: ReadonlySet<Result>): JsonObject {
  const { requestId, number, digest, requester, state, askedAt, revision } = plan;
  return {
    ...{ request: requestId, revision: number, digest, requester, goal, asked_at: askedAt },
    title: revision?.sealed.plan.summary ?? null,
    state: state.kind,
    proven: problems.length === 0,
    runs: runs.map((run) => runDocument(run, leftOut)),
  };
}

function runDocument(
  { number, mode, outcome, results, checks }: StoryRun,
  leftOut: ReadonlySet<Result>,
): Json {
  return {
    ...{ revision: number, mode, outcome },
    steps: results.map((step) => ({
      ...{ id: step.stepId, tool: step.tool, status: step.status, reason: step.reason },
      ...(leftOut.has(step) ? { result: null, result_left_out: true } : { result: step.result }),
      ...{ started_at: step.startedAt, finished_at: step.finishedAt },
    })),
    checks: checks.map(({ outcome: helped, words, endedAt }) => ({
      ...{ outcome: helped, found: words, ended_at: endedAt?.toISOString() ?? null },
    })),
  };
}
