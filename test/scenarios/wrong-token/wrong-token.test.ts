/** Why: a token that Jira or PagerDuty does not take is found out before somebody needs a page. */
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/port.ts';
import { Workspace } from '../../support/workspace.ts';

async function started(env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const workspace = await Workspace.start({ env: { OPS_PORT: String(port), ...env } });
  onTestFinished(() => workspace.stop());
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}/${path}`);
  return {
    workspace,
    ready: async (): Promise<unknown> => (await ask('readyz')).json(),
    metrics: async () => (await (await ask('metrics')).text()).split('\n'),
  };
}

test('the bot starts, and its log, its readiness and its figures say which token is wrong', async () => {
  const { workspace, ready, metrics } = await started({
    JIRA_API_TOKEN: 'hidden-word',
    PAGERDUTY_API_TOKEN: 'hidden-word',
  });
  const log = workspace.bot.log();
  for (const said of [
    /"level":"?(50|error)"?[^\n]*"system":"jira"[^\n]*the token is not valid: check JIRA_EMAIL and JIRA_API_TOKEN/,
    /"level":"?(50|error)"?[^\n]*"system":"pagerduty"[^\n]*the token is not valid: check PAGERDUTY_API_TOKEN/,
  ]) {
    expect(log).toMatch(said);
  }
  expect(log.indexOf('"system":"jira"')).toBeLessThan(log.indexOf('Countersign is ready'));
  expect(await ready()).toMatchObject({
    ready: true,
    jira: expect.stringMatching(/^Jira says the token is not valid: check JIRA_EMAIL and JIRA_API_TOKEN/),
    pagerduty: expect.stringMatching(/^PagerDuty says the token is not valid: check PAGERDUTY_API_TOKEN/),
  });
  expect(await metrics()).toEqual(
    expect.arrayContaining(['countersign_ready{part="jira"} 0', 'countersign_ready{part="pagerduty"} 0']),
  );
  expect(log).not.toContain('hidden-word');
  await workspace.plan('ben', 'help');
  await workspace.whisper('ben', '/plan');
});

test('tokens that are right are ready, and what is not set up is not asked', async () => {
  const { ready, metrics } = await started({ PAGERDUTY_API_TOKEN: '', PAGERDUTY_FROM_EMAIL: '' });
  expect(await ready()).toMatchObject({ ready: true, jira: 'ok' });
  expect(await ready()).not.toHaveProperty('pagerduty');
  expect(await metrics()).toContain('countersign_ready{part="jira"} 1');
});
