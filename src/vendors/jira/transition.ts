import { browseUrl } from './issue.ts';
import { withMove } from './issue-property.ts';
import { doTransition } from './jira-types.ts';
import type { JiraOptions } from './options.ts';
import type { JiraMove, MoveAsked } from './port.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';
import { issueStatus, planMove } from './workflow.ts';

/**
 * Moves an issue; one already in that status is left alone. Our mark is sent with the move, in one request. Jira may
 * accept a move that its workflow then does not make: the manifest says how that is looked up.
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
  return { from, to, url };
}

/** Our move with this mark, or null if Jira has none. Reads the issue itself, not the search index. */
export async function moveByMark(
  access: JiraAccess,
  { key, mark }: { readonly key: string; readonly mark: string },
  signal: AbortSignal,
): Promise<JiraMove | null> {
  const { marks } = await issueStatus(access, key, signal);
  const made = marks.moves.find((one) => one.mark === mark);
  return made === undefined ? null : { from: made.from, to: made.to, url: browseUrl(access, key) };
}
