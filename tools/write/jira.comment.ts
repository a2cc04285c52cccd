import { jiraComment as manifest } from '../../manifests/jira.comment.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import { defineWrite } from '../../src/core/tool.ts';
import { withOrigin } from '../origin-words.ts';

const maxSummary = 80;

export const jiraComment = defineWrite(manifest, {
  async run({ key, text }, { writers, key: mark, origin, signal }) {
    const { id, url } = await writers.jira.comment({ key, text: withOrigin(text, origin), mark }, signal);
    return { id, link: url };
  },
  async find({ key }, { readers, key: mark, origin, signal }) {
    const found = await readers.jira.commentByMark({ key, mark, since: origin.startedAt }, signal);
    return found === null ? null : { id: found.id, link: found.url };
  },
  async resolve({ key }, { readers, signal }) {
    if (key === undefined) return [];
    const { summary, isRequest } = await readers.jira.issue(key, signal);
    const audience = isRequest ? ', for the team and not for customers' : '';
    const label = `comments on ${key} (“${cut(oneLine(summary), maxSummary)}”)${audience}`;
    return [{ arg: 'key', kind: 'issue', value: key, label, identity: key }];
  },
  preview: ({ key, text }) => `would comment on ${key}: “${text}”`,
});
