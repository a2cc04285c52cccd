/** Why: one trace shows a request from the command to the page, across processes, without any user text. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOtlp } from '../../../src/ops/otlp.ts';
import { type Collector, openCollector, type SentSpan } from '../../support/collector.ts';
import { breach, finish } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let collector: Collector;
let workspace: Workspace;
beforeAll(async () => {
  collector = await openCollector();
  workspace = await Workspace.start({
    env: {
      ...{ COUNTERSIGN_ROLE: 'front', SHOP_DATABASE_URL: '', PD_ROUTING_KEY_OPS: '' },
      ...{ PD_ROUTING_KEY_PAYMENTS_API: '', PD_ROUTING_KEY_CHECKOUT: '' },
      ...{ DEPLOYS_URL: '', DEPLOYS_TOKEN: '' },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a-secret-key' },
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=on%20call',
    },
  });
});
afterAll(() => collector?.close());

test('one trace spans the command to the page, and its log lines carry its id', async () => {
  const { env } = workspace.sandbox;
  const keys = Object.entries(env).filter(([name]) => /^(?:PD_ROUTING_KEY|SHOP|DEPLOYS)_/.test(name));
  const executor = await workspace.startProcess({
    ...{ COUNTERSIGN_ROLE: 'executor', SLACK_APP_TOKEN: '' },
    ...Object.fromEntries(keys),
  });
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  // The stop flushes the remaining spans.
  expect(await executor.stop()).toBe(0);
  await finish(workspace);

  const { spans } = collector;
  const [root] = spans.filter(({ name }) => name === 'request');
  if (root === undefined) throw new Error('there is no request');
  const ours = spans.filter(({ traceId }) => traceId === root.traceId);
  const found = (name: string) => ours.filter((span) => span.name === name);
  const byId = new Map(ours.map((span) => [span.spanId, span]));
  const above = (span: SentSpan | undefined): SentSpan | undefined => byId.get(span?.parent ?? '');
  expect(root).toMatchObject({ parent: '', role: 'front', facts: { via: 'command' } });
  for (const name of ['plan', 'review', 'card', 'decision']) {
    expect(found(name).map((span) => [span.role, above(span)?.name])).toEqual([['front', 'request']]);
  }
  expect(found('plan')[0]?.facts).toMatchObject({ planner: 'playbook', outcome: 'plan' });
  expect(found('run').map(({ role, facts }) => [role, facts.mode])).toEqual([
    ['executor', 'read'],
    ['executor', 'run'],
  ]);
  const page = found('step').find(({ facts }) => facts.tool === 'pagerduty.page');
  expect(above(page)).toMatchObject({ name: 'run', facts: { mode: 'run' } });
  const calls = ours.filter((span) => above(span) === page).map(({ name }) => name);
  expect(calls).toContain('pagerduty page');
  // The run that read for the card may be what sends it.
  expect(found('report').map((span) => above(span)?.name)).toEqual([
    expect.stringMatching(/^(?:request|run)$/),
  ]);
  const [server, client] = [2, 3];
  expect([root, ...found('decision')].map(({ kind }) => kind)).toEqual([server, server]);
  const { JIRA_HOST = '', PAGERDUTY_EVENTS_HOST = '' } = env;
  const jira = ours.filter(({ name }) => name.startsWith('jira '));
  expect(jira[0]).toMatchObject({ kind: client, facts: { 'server.address': new URL(JIRA_HOST).hostname } });
  expect(jira[0]?.facts['server.port']).toBe(Number(new URL(JIRA_HOST).port));
  const [sent] = found('pagerduty page');
  const events = new URL(`https://${PAGERDUTY_EVENTS_HOST}`);
  expect(sent).toMatchObject({
    kind: client,
    facts: { 'server.address': events.hostname, 'server.port': Number(events.port) },
  });
  const others = ours.filter((span) => !/^(jira|pagerduty|slack) |^(request|decision)$/.test(span.name));
  expect(new Set(others.map(({ kind }) => kind))).toEqual(new Set([1]));
  const given = { 'service.name': 'countersign', 'deployment.environment.name': 'test', team: 'on call' };
  expect(ours.every(({ from }) => Object.entries(given).every(([name, value]) => from[name] === value))).toBe(
    true,
  );
  expect(new Set(ours.map(({ from }) => from['service.instance.id'])).size).toBe(2);
  // Every span but the first has a parent in the same trace.
  expect(ours.filter((span) => span !== root && above(span) === undefined)).toEqual([]);
});

test('a sampler keeps whole traces, whichever process asks it', async () => {
  const about = { headers: '', service: 'countersign', version: '1', role: 'all', attributes: '' };
  const kept = async (share: number, names: readonly string[]): Promise<readonly string[]> => {
    const own = await openCollector();
    const processes = [0, 1].map(() => openOtlp({ ...about, endpoint: own.url, share }));
    for (const tracing of processes) {
      for (const requestId of names)
        await tracing.of({ teamId: 'T', requestId }, 'plan', {}, async () => undefined);
      await tracing.close();
    }
    own.close();
    return own.spans.map(({ facts }) => String(facts.request));
  };
  const names = Array.from({ length: 200 }, (_, index) => `request-${index}`);
  expect(await kept(0, names)).toEqual([]);
  expect(await kept(1, names)).toHaveLength(400);
  const some = await kept(0.5, names);
  expect(some.length).toBeGreaterThan(100);
  expect(some.length).toBeLessThan(300);
  expect(some.slice(0, some.length / 2)).toEqual(some.slice(some.length / 2));
});

test('it contains neither secrets nor user text', () => {
  const all = collector.raw.join('\n');
  const { slack, jira, pagerduty } = workspace.sandbox.world;
  const secrets = [slack.botToken, slack.appToken, jira.apiToken, pagerduty.apiToken, 'a-secret-key', breach];
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  expect(new Set(collector.keys)).toEqual(new Set(['a-secret-key']));
  expect(collector.records.map(({ body }) => body)).toContain('Countersign is ready');
});
