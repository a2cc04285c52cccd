import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { sandboxConfig } from '../../sandbox/config.ts';
import { plan } from '../../src/commands/plan.ts';

test('a plan that the review would refuse is shown with its findings, for words and for notation', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'countersign-plan-')), 'countersign.yml');
  const config = stringify(sandboxConfig());
  await writeFile(file, config.replace('id: C0GENERAL\n', 'id: C0GENERAL\n    clearance: public\n'));
  const run = async (...args: string[]): Promise<[number, string]> => {
    const said: string[] = [];
    const out = (line: string) => said.push(line);
    const code = await plan(args, { variables: { COUNTERSIGN_CONFIG: file }, out, error: out });
    return [code, said.join('\n')];
  };
  const wrong = /search\.lines is internal data, but #general may hold public data at most/i;
  const typed = 'search = jira.search project=OPS; slack.post channel=#general text="{search.lines}"';
  for (const args of [[typed], ['--json', typed]])
    expect(await run(...args)).toEqual([1, expect.stringMatching(wrong)]);
  const [code, words] = await run('list open P1 tickets in OPS and post them to #general');
  expect([code, words]).toEqual([0, expect.stringMatching(/^refused/)]);
  expect(words).toMatch(wrong);
});
