import { jiraCreate as manifest, ticketWords } from '../../manifests/jira.create.ts';
import type { ArgsOf } from '../../src/core/manifest.ts';
import { defineWrite, type Origin } from '../../src/core/tool.ts';
import { withOrigin } from '../origin-words.ts';

type Args = ArgsOf<typeof manifest>;

export const jiraCreate = defineWrite(manifest, {
  async run(args, { writers, key: mark, asker, origin, signal }) {
    const asked = { ...args, text: description(args, origin), asker, mark };
    const { url, ...made } = await writers.jira.create(asked, signal);
    return { ...made, link: url };
  },
  async find({ project }, { readers, key: mark, origin, signal }) {
    const found = await readers.jira.issueByMark({ project, mark, since: origin.startedAt }, signal);
    return found === null ? null : { key: found.key, linked: found.linked, link: found.url };
  },
  async resolve({ project, summary = '', text = '', ...rest }, { readers, asker, signal }) {
    if (project === undefined) return [];
    const asked = { project, summary, text, ...rest, asker };
    const { type, assignee } = await readers.jira.plannedIssue(asked, signal);
    const follows = rest.follows === undefined ? '' : `, linked to ${rest.follows}`;
    const { priority } = rest;
    const what = ticketWords(priority === undefined ? { type } : { type, priority });
    const whose = assignee === null ? '' : `, assigned to ${assignee}`;
    const label = `creates ${what} in ${project}${whose}${follows}`;
    return [
      { arg: 'project', kind: 'project', value: project, label, identity: `${project} ${assignee ?? ''}` },
    ];
  },
  preview: ({ project, summary }) => `would create a ticket in ${project}: “${summary}”`,
});

/** The words that people wrote, and below them where they come from. */
function description({ text, follows }: Args, origin: Origin): string {
  const said = [text, follows === undefined ? '' : `Follow-up of ${follows}.`].filter(Boolean).join('\n');
  return [withOrigin(said, origin), origin.threadLink ?? ''].filter(Boolean).join('\n').trim();
}
