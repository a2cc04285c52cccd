import { configuredUrl } from '../http/egress.ts';
import { browseUrl } from './issue.ts';
import { doTransition } from './library.ts';
import type { JiraOptions } from './options.ts';
import type { JiraMove, MoveAsked } from './port.ts';
import { withMove } from './property.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';
import { planMove, standingOf } from './workflow.ts';

/** Moves an issue; one that stands there already is left alone. Our mark goes along with the move, in one request. */
export async function move(
  access: JiraOptions,
  asked: MoveAsked & { readonly mark: string },
  signal: AbortSignal,
): Promise<JiraMove> {
  const { key, mark } = asked;
  const { status: from, to, marks, transition } = await planMove(access, asked, signal);
  const url = browseUrl(configuredUrl(access.host), key);
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

/** Our move with this mark, or null when Jira has none. An issue is read from its row, not from the search's index. */
export async function moveByMark(
  access: JiraAccess,
  { key, mark }: { readonly key: string; readonly mark: string },
  signal: AbortSignal,
): Promise<JiraMove | null> {
  const { marks } = await standingOf(access, key, signal);
  const made = marks.moves.find((one) => one.mark === mark);
  if (made === undefined) return null;
  return { from: made.from, to: made.to, url: browseUrl(configuredUrl(access.host), key) };
}
