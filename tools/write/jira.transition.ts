import { jiraTransition as manifest } from '../../manifests/jira.transition.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import type { ResultOf } from '../../src/core/manifest.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineWrite } from '../../src/core/tool.ts';

type Move = NonNullable<Awaited<ReturnType<Readers['jira']['moveByMark']>>>;

const maxStatus = 60;
const maxSummary = 80;

export const jiraTransition = defineWrite(manifest, {
  async run(args, { writers, key: mark, asker, signal }) {
    return resultOf(args.key, await writers.jira.move({ ...args, asker, mark }, signal));
  },
  async find({ key }, { readers, key: mark, signal }) {
    const found = await readers.jira.moveByMark({ key, mark }, signal);
    return found === null ? null : resultOf(key, found);
  },
  async resolve({ key, status, ...rest }, { readers, asker, signal }) {
    if (key === undefined || status === undefined) return [];
    const { summary, from, to } = await readers.jira.plannedMove({ key, status, ...rest, asker }, signal);
    const what = `“${cut(oneLine(summary), maxSummary)}”`;
    const label =
      from === to
        ? `leaves ${key} as it is, ${to} already: ${what}`
        : `moves ${key} from ${from} to ${to}: ${what}`;
    const target = {
      arg: 'status',
      kind: 'transition' as const,
      value: status,
      label,
      identity: `${key} ${to}`,
    };
    if (from !== to) return [target];
    return [{ ...target, instead: { code: 'done_already', message: `${key} is “${to}” already.` } }];
  },
  preview: ({ key, status }) => `would move ${key} to ${status}`,
});

function resultOf(key: string, { from, to, url }: Move): ResultOf<typeof manifest> {
  return { key, status: cut(to, maxStatus), before: cut(from, maxStatus), link: url };
}
