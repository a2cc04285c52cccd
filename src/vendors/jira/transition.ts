import { describeError, VendorError } from '../../core/errors.ts';
import { browseUrl } from './issue.ts';
import { withMove } from './issue-property.ts';
import { doTransition } from './jira-types.ts';
import { same, shown } from './names.ts';
import type { JiraOptions } from './options.ts';
import type { JiraMove, MoveAsked } from './port.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';
import { planMove, standingOf } from './workflow.ts';

/**
 * Moves an issue; one already in that status is left alone. Our mark is sent with the move, in one request. Jira may
 * accept a move that its workflow then does not make, so the issue is read again.
 */
export async function move(
  access: JiraOptions,
  asked: MoveAsked & { readonly mark: string },
  signal: AbortSignal,
): Promise<JiraMove> {
  const { key, mark } = asked;
  const { status: from, to, marks, transition } = await planMove(access, asked, signal);
  const url = browseUrl(access, key);
  if (transition === null) return { from, to, url };
  const { id, fields } = transition;
  await doTransition(jiraTransport(access, signal, { write: true }), {
    issueIdOrKey: key,
    transition: { id },
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    properties: withMove(marks, { mark, from, to }),
  });
  return { from, to: await reached(access, { key, from, to }, signal), url };
}

interface Way {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** Status of an issue after Jira accepted a move; its workflow may have moved it further. */
async function reached(access: JiraAccess, way: Way, signal: AbortSignal): Promise<string> {
  try {
    const { status } = await standingOf(access, way.key, signal);
    if (!same(status, way.from) || same(way.from, way.to)) return status;
  } catch (error) {
    const { code, message } = describeError(error);
    throw inDoubt(code, `Jira accepted the move, but ${way.key} could not be read afterwards: ${message}`);
  }
  throw notMoved(way);
}

/** Somebody may also have moved it back at once: only people can tell. */
function notMoved({ key, from, to }: Way): VendorError {
  return inDoubt('not_moved', `Jira accepted the move to ${shown(to)}, but ${key} is still ${shown(from)}.`);
}

function inDoubt(code: string, message: string): VendorError {
  return new VendorError(code, message, { retryable: false, mayHaveHappened: true });
}

/** Our move with this mark, or null if Jira has none. Reads the issue itself, not the search index. */
export async function moveByMark(
  access: JiraAccess,
  { key, mark }: { readonly key: string; readonly mark: string },
  signal: AbortSignal,
): Promise<JiraMove | null> {
  const { marks, status } = await standingOf(access, key, signal);
  const made = marks.moves.find((one) => one.mark === mark);
  if (made === undefined) return null;
  if (same(status, made.from) && !same(made.from, made.to)) throw notMoved({ key, ...made });
  return { from: made.from, to: made.to, url: browseUrl(access, key) };
}
