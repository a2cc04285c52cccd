import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { cli } from '../support/cli.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

function withConfig(text: string): Readonly<Record<string, string>> {
  const file = join(mkdtempSync(join(tmpdir(), 'services-')), 'countersign.yml');
  writeFileSync(file, text);
  return { ...sandbox.env, COUNTERSIGN_CONFIG: file };
}

test('services import prints an entry for each service that the file lacks, ready to paste', async () => {
  const env = withConfig('services:\n  ops: { pagerduty: PSOPS01 }\n');
  const { code, out, error } = await cli(['services', 'import'], { env });
  expect(code).toBe(0);
  expect(out).not.toContain('PSOPS01');
  expect(out).toMatch(/^ {2}payments-api: \{ pagerduty: [A-Z0-9]+ \} {2}# payments-api$/m);
  const total = sandbox.world.pagerduty.services.length;
  expect(error).toContain(`${total - 1} of ${total} services are not in countersign.yml yet.`);
  const pasted = await cli(['config', 'check'], {
    env: withConfig(`rules: [{ approvers: [U0ANA] }]\nservices:\n  ops: { pagerduty: PSOPS01 }\n${out}`),
  });
  expect(pasted.out).toContain('is fine');
});
