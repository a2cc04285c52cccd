import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plan } from '../../src/commands/plan.ts';

test('a plan that the review would refuse is shown with what is wrong with it, in words as in JSON', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'countersign-plan-')), 'countersign.yml');
  const config = await readFile('sandbox/countersign.yml', 'utf8');
  await writeFile(file, config.replace('{ id: C0GENERAL }', '{ id: C0GENERAL, clearance: public }'));
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
