import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { sandboxConfig } from '../../sandbox/config.ts';
import { plan } from '../../src/commands/plan.ts';

test('a plan that the review would refuse is shown with what is wrong with it, in words as in JSON', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'countersign-plan-')), 'countersign.yml');
  const config = stringify(sandboxConfig());
  await writeFile(file, config.replace('id: C0GENERAL\n', 'id: C0GENERAL\n    clearance: public\n'));
  const goal = 'list open P1 tickets in OPS and post them to #general';
  for (const args of [[goal], ['--json', goal]]) {
    const said: string[] = [];
    const out = (line: string) => said.push(line);
    expect(await plan(args, { variables: { COUNTERSIGN_CONFIG: file }, out, error: out })).toBe(1);
    expect(said.join('\n')).toContain(
      'search.lines is internal data, but #general may hold public data at most',
    );
  }
});
