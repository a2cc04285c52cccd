import type { NewTool } from './tool-register.ts';

/** The files of a new tool, by path. They work, and are a starting point for changes. */
export function filesFor(tool: NewTool): Record<string, string> {
  const { name, effect } = tool;
  const isRead = effect === 'read';
  return {
    [`manifests/${name}.ts`]: isRead ? readManifest(tool) : writeManifest(tool),
    [`tools/${effect}/${name}.ts`]: isRead ? readTool(tool) : writeTool(tool),
    [`test/tools/${name}.test.ts`]: isRead ? readTest(tool) : writeTest(tool),
    [`planner/cases/tools/${name}.jsonl`]: cases(tool),
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function readManifest({ name, id, system, verb }: NewTool): string {
  return `import { z } from 'zod';
import { address, freeText, target } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';

export const ${id} = defineManifest({
  name: '${name}',
  effect: 'read',
  system: '${system}',
  summary: '${capital(verb)} ${system} of a service.',
  asked: {
    verbs: ['${verb}'],
    nouns: ['${system}'],
    examples: ['${verb} ${system} of ops', '${verb} ${system} for ops'],
    compares: { number: 'total' },
    tells: 'lines',
  },
  args: z.object({ service: target('service', 'service name').optional() }),
  result: z.object({
    total: z.int().min(0).describe('number of ${system}'),
    rows: z
      .array(
        z.strictObject({
          name: freeText(200, 'what it is called'),
          link: address('where it is shown'),
          state: freeText(60, 'how it stands'),
        }),
      )
      .describe('the ${system} in order'),
    lines: freeText(8_000, 'one line for each'),
  }),
  main: 'total',
  yields: 'internal',
  sentence: (args) => \`${capital(verb)} \${things(args)}\`,
  outcome: ({ total }, args) => \`\${total} \${things(args)}\`,
  shows: {
    table: {
      rows: 'rows',
      total: 'total',
      columns: [
        { field: 'name', title: 'Name', link: 'link' },
        { field: 'state', title: 'State' },
      ],
    },
  },
  nouns: {
    total: (args) => \`the number of \${things(args)}\`,
    lines: (args) => \`the list of \${things(args)}\`,
  },
});

function things({ service }: ArgWords): string {
  return service ? \`${system} of \${service}\` : '${system}';
}
`;
}

function readTool({ name, id, system }: NewTool): string {
  return `import { ${id} as manifest } from '../../manifests/${name}.ts';
import type { ResultOf } from '../../src/core/manifest.ts';
import { defineRead } from '../../src/core/tool.ts';

type Row = ResultOf<typeof manifest>['rows'][number];

export const ${id} = defineRead(manifest, async ({ service }, { signal }) => {
  const rows = await found(service, signal);
  return {
    total: rows.length,
    rows,
    lines: rows.map(({ name, state }) => \`\${name}  \${state}\`).join('\\n'),
  };
});

/** An example. What is really there comes from a port of src/vendors/${system}/, out of \`readers\` (docs/tools.md). */
async function found(service: string | undefined, signal: AbortSignal): Promise<Row[]> {
  signal.throwIfAborted();
  return [{ name: \`an example\${service === undefined ? '' : \` of \${service}\`}\`, link: '', state: 'new' }];
}
`;
}

function readTest({ name, id }: NewTool): string {
  return `import { expect, test } from 'vitest';
import type { Readers } from '../../src/core/ports.ts';
import { ${id} } from '../../tools/read/${name}.ts';
import { vendorsWith } from '../support/vendors.ts';

const now = () => new Date('2026-03-10T12:00:00Z');

test('${name} gives what it found, as it declares it', async () => {
  const { signal } = new AbortController();
  const context = { readers: vendorsWith<Readers>({}), asker: 'U0ANA', now, signal };
  const result = await ${id}.run({ service: 'ops' }, context);
  expect(${id}.manifest.result.safeParse(result).error).toBeUndefined();
  expect(result).toMatchObject({ total: 1, rows: [{ name: 'an example of ops' }] });
});
`;
}

function writeManifest({ name, id, system, verb }: NewTool): string {
  return `import { z } from 'zod';
import { address, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const ${id} = defineManifest({
  name: '${name}',
  effect: 'write',
  system: '${system}',
  summary: '${capital(verb)} ${system}, and say so in a channel.',
  asked: {
    verbs: ['${verb}'],
    nouns: ['${system}'],
    cues: { text: ['because', 'saying'] },
    examples: ['${verb} ${system} in #ops', '${verb} ${system} in #ops because the disk is full'],
    tells: 'link',
  },
  args: z.object({
    channel: target('channel', 'channel such as #ops'),
    text: text(1_000, 'why').optional(),
  }),
  result: z.object({
    id: text(80, 'what it is found by'),
    link: address('where it is shown'),
  }),
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => \`${capital(verb)} ${system} in \${args.channel}\${args.text ? \`: “\${args.text}”\` : ''}\`,
  outcome: (_result, args) => \`${verb}: ${system} in \${args.channel}\`,
  said: ['id'],
  shows: { links: [{ field: 'link', words: 'Open it', names: 'channel' }] },
  notDone: (args) => \`nothing was done in \${args.channel}\`,
  nouns: { link: (args) => \`the link to it in \${args.channel}\` },
  inDoubt: 'look',
  undo: 'The message can be deleted in Slack; people may already have read it.',
});
`;
}

function writeTool({ name, id, system, verb }: NewTool): string {
  return `import { ${id} as manifest } from '../../manifests/${name}.ts';
import type { ArgsOf } from '../../src/core/manifest.ts';
import { defineWrite } from '../../src/core/tool.ts';

type Args = ArgsOf<typeof manifest>;

/** It tells a channel. What it is to do goes through a port of src/vendors/${system}/, out of \`writers\` (docs/tools.md). */
export const ${id} = defineWrite(manifest, {
  async run(args, { writers, key, origin, signal }) {
    const { requester, approver, threadLink } = origin;
    const context = \`Asked for by \${requester}, approved by \${approver}\`;
    const message = { to: receiver(args), text: words(args), key, context, threadLink };
    const { ts, link } = await writers.slack.post(message, signal);
    return { id: ts, link };
  },
  async find(args, { readers, key, origin, signal }) {
    const found = await readers.slack.postByKey(receiver(args), key, origin.startedAt, signal);
    return found === null ? null : { id: found.ts, link: found.link };
  },
  async resolve({ channel }) {
    if (channel === undefined) return [];
    const name = receiver({ channel });
    return [{ arg: 'channel', kind: 'channel', value: channel, label: \`${verb} in \${name}\`, identity: name }];
  },
  preview: (args) => \`would say in \${receiver(args)}: “\${words(args)}”\`,
});

function receiver({ channel }: Pick<Args, 'channel'>): string {
  return \`#\${channel.replace(/^#/, '')}\`;
}

function words({ text }: Args): string {
  return \`${capital(verb)} ${system}\${text === undefined ? '' : \`: \${text}\`}\`;
}
`;
}

function writeTest({ name, id, verb, system }: NewTool): string {
  return `import { expect, test } from 'vitest';
import { ${id} } from '../../tools/write/${name}.ts';
import { createVendors } from '../support/vendors.ts';

const origin = {
  ...{ requester: 'Ben', approver: 'Ana', goal: 'a goal', threadLink: null },
  startedAt: new Date('2026-03-10T12:00:00Z'),
};

test('${name} does it once under its key, and finds what it has done', async () => {
  const { readers, writers, posts } = createVendors();
  const { signal } = new AbortController();
  const around = { readers, writers, asker: 'U0ANA', now: () => origin.startedAt, signal };
  const context = { ...around, key: 'k', problem: null, origin };
  const args = { channel: '#ops', text: 'a reason' };
  expect(await ${id}.find(args, context)).toBeNull();
  const result = await ${id}.run(args, context);
  expect(${id}.manifest.result.safeParse(result).error).toBeUndefined();
  expect(posts).toMatchObject([{ to: '#ops', text: '${capital(verb)} ${system}: a reason', key: 'k' }]);
  expect(await ${id}.find(args, context)).toEqual(result);
  expect(${id}.preview(args)).toContain('a reason');
});
`;
}

/** Example requests, and the plans they should lead to; in the format of planner/cases. */
function cases({ name, effect, system, verb }: NewTool): string {
  const write = effect === 'write';
  const asked: [string, Record<string, string>][] = write
    ? [
        [`${verb} ${system} in #ops`, { channel: '#ops' }],
        [
          `please ${verb} ${system} in #ops because the disk is full`,
          { channel: '#ops', text: 'the disk is full' },
        ],
      ]
    : [
        [`${verb} ${system} of ops`, { service: 'ops' }],
        [`please ${verb} the ${system} for ops`, { service: 'ops' }],
      ];
  const lines = asked.map(([text, args], index) => ({
    ...{
      id: `${name}-${index + 1}`,
      set: 'tools',
      text,
      class: 'plan',
      accept: ['plan'],
      difficulty: 'easy',
    },
    steps: [{ id: 's1', tool: name, write, args, needs: [] }],
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
