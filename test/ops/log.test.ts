import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const module = fileURLToPath(new URL('../../src/ops/log.ts', import.meta.url));
const settings = fileURLToPath(new URL('../../src/config/env.ts', import.meta.url));
const tracing = fileURLToPath(new URL('../../src/ops/tracing.ts', import.meta.url));

test('no log line contains a secret, wherever it is and however it is escaped', () => {
  const env = {
    LOG_LEVEL: 'trace',
    SLACK_BOT_TOKEN: 'xoxb-plain-token',
    JIRA_API_TOKEN: 'to"ken\\with\u0001marks',
    DATABASE_URL: 'postgres://bot:p"ss\\word@db/x',
  };
  const code = `
    import { createLog } from ${JSON.stringify(module)};
    import { secretsIn } from ${JSON.stringify(settings)};
    import { noTracing } from ${JSON.stringify(tracing)};
    const env = ${JSON.stringify(env)};
    const named = new Set(['routing-key-1']);
    const log = createLog({ level: env.LOG_LEVEL, secrets: secretsIn(env), named, tracing: noTracing });
    const all = [...Object.values(env), 'routing-key-1'];
    log.info({ deep: { deeper: { deepest: all } } }, 'facts');
    log.warn({}, all.join(' '));
    log.error({ code: 'x', message: all.join('/') }, 'error');`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  const lines = out.trim().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line.match(/\[secret\]/g)).toHaveLength(4);
    expect(line).not.toMatch(/xoxb-|marks|word@|routing-key/);
  }
});
