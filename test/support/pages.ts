import type { Message, Workspace } from './workspace.ts';

/** Pages the on-call of ops with a plan that one person asks for and Ana approves; resolves with its card when that is done. */
export async function paged(workspace: Workspace, text: string, by = 'ben'): Promise<Message> {
  await workspace.plan(by, `pagerduty.page service=ops text="${text}"`);
  const card = await workspace.card(text);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done: .*was paged/s);
  return workspace.becomes(card, /Done/);
}

/** The incident of the newest page. */
export function newestPage(workspace: Pick<Workspace, 'pages'>) {
  const incident = workspace.pages().at(-1);
  if (incident === undefined) throw new Error('nobody was paged');
  return incident;
}
