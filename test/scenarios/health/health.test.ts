/** Why: operators see that the bot is able to serve, and what it did, without opening Slack. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/port.ts';
import { breach, finish, until } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  workspace = await Workspace.start({ env: { OPS_PORT: String(port) } });
});
// Slack’s client library logs every refusal as an error of its own.
afterAll(() => finish(workspace, /Slack client error|slack/i));

const metrics = async () => (await (await fetch(`${url}/metrics`)).text()).split('\n');

test('the metrics count a request from the command to the page', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  expect(await metrics()).toContain('countersign_open{what="decision"} 1');
  await workspace.click('ana', card, 'plan.approve');
  await until(async () => (await metrics()).includes('countersign_runs_total{mode="run",outcome="done"} 1'));
  const found = await metrics();
  expect(found).toEqual(
    expect.arrayContaining([
      'countersign_requests_total{via="command"} 1',
      'countersign_plans_total{planner="playbook",outcome="plan"} 1',
      'countersign_decisions_total{decision="approved",planner="playbook"} 1',
      'countersign_steps_total{mode="run",tool="pagerduty.page",effect="write",status="succeeded"} 1',
      'countersign_repeated_writes_total{tool=""} 0',
      'countersign_open{what="decision"} 0',
      'countersign_writes_stopped 0',
    ]),
  );
  for (const vendor of ['slack', 'jira', 'pagerduty']) {
    const calls = found.find((line) =>
      line.startsWith(`countersign_vendor_call_seconds_count{vendor="${vendor}",outcome="ok"}`),
    );
    expect(Number(calls?.split(' ').at(-1))).toBeGreaterThan(0);
  }
  const counted = (series: string) =>
    Number(
      found
        .find((line) => line.startsWith(`countersign_${series} `))
        ?.split(' ')
        .at(-1),
    );
  expect(counted('slack_acknowledgement_seconds_count')).toBeGreaterThanOrEqual(2);
  expect(counted('card_seconds_count')).toBe(1);
  expect(counted('step_seconds_count{tool="pagerduty.page"}')).toBe(1);
  expect(counted('run_seconds_count{mode="run"}')).toBe(1);
  expect(counted('run_seconds_count{mode="read"}')).toBe(1);
  expect(counted('database_seconds_count{outcome="ok"}')).toBeGreaterThan(10);
  expect(found.join('\n')).not.toContain(workspace.sandbox.world.slack.botToken);
});

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly requestId?: string;
}

function logLines(): LogLine[] {
  return workspace.bot
    .log()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

test('each request, decision, run and outcome is one log line with its ids, time and level', async () => {
  const [first] = logLines().filter(({ msg }) => msg === 'Request taken in');
  const ours = () => logLines().filter(({ requestId }) => requestId === first?.requestId);
  expect(first).toMatchObject({ level: 'info', via: 'command', requester: 'U0BEN', channel: 'C0OPS' });
  expect(new Date(first?.time ?? '').toISOString()).toBe(first?.time);
  expect(ours().map(({ msg }) => msg)).toEqual([
    ...['Request taken in', 'Request planned', 'Run started', 'Run ended'],
    ...['Plan decided', 'Run started', 'Run ended'],
  ]);
  expect(ours()).toMatchObject([
    {},
    { planner: 'playbook', outcome: 'plan' },
    { mode: 'read', number: 1 },
    { level: 'info', mode: 'read', outcome: 'done' },
    { decision: 'approved', by: 'U0ANA', number: 1, teamId: 'T0SANDBOX' },
    { mode: 'run', runId: expect.stringMatching(/^run-/) },
    { level: 'info', mode: 'run', outcome: 'done', approvedBy: 'U0ANA', how: 'clicked' },
  ]);
  const fault = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 403 });
  await workspace.plan('ben', 'jira.count project=PAY priority=P2');
  const failed = () => logLines().filter(({ level, msg }) => level === 'warn' && /^(Run|A step)/.test(msg));
  await until(async () => failed().length === 2);
  workspace.sandbox.faults.remove(fault);
  expect(failed()).toMatchObject([
    { msg: 'A step did not succeed', tool: 'jira.count', status: 'failed', code: 'forbidden' },
    { msg: 'Run ended', mode: 'read', outcome: 'failed' },
  ]);
  expect(logLines().filter(({ msg }) => /Taking up/.test(msg))).toEqual([]);
});

test('a rejected plan is counted by its planner and no longer as pending', async () => {
  const goal = 'jira.count project=OPS status=open; slack.post channel=ops text="{count} open"';
  await workspace.plan('ben', goal);
  const card = await workspace.card('Post to ops');
  await workspace.click('ana', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('ana');
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values: { reason: { v: 'not now' } } });
  await until(async () =>
    (await metrics()).includes('countersign_decisions_total{decision="rejected",planner="person"} 1'),
  );
  expect(await metrics()).toContain('countersign_open{what="decision"} 0');
});

test('refusals are counted by reason, from the planner and from the review', async () => {
  await workspace.plan('ben', 'restart the database');
  await until(async () =>
    (await metrics()).includes('countersign_refusals_total{reason="not_understood"} 1'),
  );
  await workspace.plan('ben', 'slack.post channel=#ops text="one"; slack.post channel=#ops text="one"');
  await until(async () =>
    (await metrics()).includes('countersign_refusals_total{reason="repeated_write"} 1'),
  );
});

test('a watch is counted while it is active', async () => {
  expect(await metrics()).toContain('countersign_open{what="watch"} 0');
  const goal =
    'watch: every 10m; count = jira.count project=PAY priority=P1 status=open; success: count.total <= 500';
  await workspace.plan('ben', goal);
  await until(async () => (await metrics()).includes('countersign_open{what="watch"} 1'));
});

test('a revoked Slack token is named without a restart, and queued messages go out once it works', async () => {
  const ready = async (): Promise<unknown> => (await fetch(`${url}/readyz`)).json();
  const body = { ok: false, error: 'token_revoked' };
  const revoked = workspace.sandbox.faults.add({
    ...{ vendor: 'slack', kind: 'status', status: 200, match: { path: '/api/' }, body },
  });
  await workspace.plan('ben', 'jira.count project=WEB priority=P2');
  const slack = expect.stringMatching(
    /^SLACK_BOT_TOKEN was revoked: install the app .*copy its Bot User OAuth Token/,
  );
  await expect.poll(ready, { timeout: 20_000 }).toMatchObject({ ready: false, slack, database: 'ok' });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  workspace.sandbox.faults.remove(revoked);
  await workspace.card('WEB', 'ops', 30_000);
  expect(await ready()).toMatchObject({ ready: true, slack: 'ok' });
});

test('readiness lists every part, and a lost Slack connection is named', async () => {
  const ready = async (): Promise<unknown> => (await fetch(`${url}/readyz`)).json();
  const systems = {
    jira: 'ok',
    pagerduty: 'ok',
    confluence: 'ok',
    azure: 'ok',
    splunk: 'ok',
    prometheus: 'ok',
  };
  const fine = { database: 'ok', executor_lock: 'ok', clock: 'ok', ...systems };
  expect(await ready()).toEqual({ ready: true, slack: 'ok', ...fine });
  const match = { path: '/api/apps.connections.open' };
  workspace.sandbox.faults.add({ vendor: 'slack', match, kind: 'status', status: 503 });
  workspace.sandbox.slack.dropSockets();
  expect(await metrics()).toContain('countersign_ready{part="slack"} 1');
  const away = { ready: false, slack: 'not connected', ...fine };
  await expect.poll(ready, { timeout: 20_000 }).toEqual(away);
  expect(await metrics()).toEqual(
    expect.arrayContaining(['countersign_ready{part="slack"} 0', 'countersign_ready{part="database"} 1']),
  );
  // The process is alive and reconnects by itself: nothing should restart it for that.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  workspace.sandbox.faults.clear();
  await expect.poll(ready, { timeout: 20_000 }).toMatchObject({ ready: true });
});
