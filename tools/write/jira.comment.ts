import { jiraComment as manifest } from '../../manifests/jira.comment.ts';
import { defineWrite } from '../../src/core/tool.ts';

export const jiraComment = defineWrite(manifest, {
  async run({ key, text }, { writers, key: mark, origin, signal }) {
    const by = `(asked for by ${origin.requester}, approved by ${origin.approver})`;
    const { id, url } = await writers.jira.comment({ key, text: `${text}\n${by}`, mark }, signal);
    return { id, link: url };
  },
  async find({ key }, { readers, key: mark, origin, signal }) {
    const found = await readers.jira.commentByMark({ key, mark, since: origin.startedAt }, signal);
    return found === null ? null : { id: found.id, link: found.url };
  },
  async resolve({ key }) {
    if (key === undefined) return [];
    return [{ arg: 'key', kind: 'issue', value: key, label: `comments on ${key}`, identity: key }];
  },
  preview: ({ key, text }) => `would comment on ${key}: “${text}”`,
});
