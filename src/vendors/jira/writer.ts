import { badAnswer } from '../http/no-answer.ts';
import { documentOf } from './adf.ts';
import { create } from './create.ts';
import { browseUrl } from './issue.ts';
import { checkedKey } from './issue-key.ts';
import { marked, marksIn, propertyKey } from './issue-property.ts';
import { addComment, getComments, getCommentsByIds } from './jira-types.ts';
import type { JiraOptions } from './options.ts';
import type { JiraComment, JiraWriter } from './port.ts';
import { move } from './transition.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

/** Comments searched, newest first. */
const pageSize = 100;
/** Milliseconds that Jira's clock may be behind ours. */
const clockMs = 5 * 60_000;

/** In Service Management, comments are visible to customers by default. Ours are for the team. */
const internal = { key: 'sd.public.comment', value: { internal: true } };

export function createJiraWriter(access: JiraOptions): JiraWriter {
  return {
    move: (asked, signal) => move(access, asked, signal),
    create: (asked, signal) => create(access, asked, signal),
    async comment({ key, text, mark }, signal) {
      const client = jiraTransport(access, signal, { write: true });
      const properties = [marked(mark), internal];
      const { id } = await addComment(client, {
        issueIdOrKey: checkedKey(key),
        body: documentOf(text),
        properties,
      });
      if (id === undefined) throw badAnswer('Jira', 'the comment has no id', { write: true });
      return { id, url: addressOf(access, key, id) };
    },
  };
}

/** Our comment with this mark, or null if Jira has none from `since` on. */
export async function findComment(
  access: JiraAccess,
  { key, mark, since }: { readonly key: string; readonly mark: string; readonly since: Date },
  signal: AbortSignal,
): Promise<JiraComment | null> {
  const client = jiraTransport(access, signal);
  const of = { issueIdOrKey: checkedKey(key), maxResults: pageSize, orderBy: '-created' };
  const { comments = [] } = await getComments(client, of);
  const from = since.getTime() - clockMs;
  const recent = comments.filter(({ created }) => created === undefined || created.getTime() >= from);
  const ids = recent.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  if (ids.length === 0) return null;
  const { values = [] } = await getCommentsByIds(client, { ids, expand: 'properties' });
  const found = values.find(({ properties = [] }) =>
    properties.some((one) => one.key === propertyKey && marksIn(one.value).mark === mark),
  );
  return found?.id === undefined ? null : { id: found.id, url: addressOf(access, key, found.id) };
}

function addressOf(access: JiraAccess, key: string, id: string): string {
  const url = new URL(browseUrl(access, key));
  url.searchParams.set('focusedCommentId', id);
  return url.href;
}
