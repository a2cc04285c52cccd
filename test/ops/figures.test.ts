import { describe, expect, test } from 'vitest';
import { VendorError } from '../../src/core/errors.ts';
import { type CurrentFigures, createFigures } from '../../src/ops/figures.ts';
import { createMeter, metered } from '../../src/ops/meter.ts';
import { createReadiness } from '../../src/ops/readiness.ts';
import { openOpsServer } from '../../src/ops/server.ts';

const current: CurrentFigures = {
  open: { decision: { count: 2, oldestSeconds: 90 } },
  ticks: { missed: 1 },
  areWritesStopped: true,
  week: {
    byPlanner: {
      model: {
        planned: 8,
        right: 6,
        unaided: 5,
        questioned: 0,
        edited: 1,
        rejected: 1,
        expired: 0,
        helpful: 2,
        unhelpful: 1,
      },
    },
    to: { evidence: { median: 0.5, p95: 2 }, decision: null },
    steps: [{ tool: 'jira.count', failed: 3 }],
    second: [],
    totals: { runs: 4, writes: 6 },
  },
};
const known = () => Promise.resolve(current);
const ready = () => Promise.resolve({ database: true, slack: false });
const lines = async (figures: ReturnType<typeof createFigures>, ask = known) =>
  (await figures.exposition(ask, ready)).split('\n').filter((line) => line.startsWith('countersign_'));

describe('figures', () => {
  test('a write under a used key is a repeat, and without one the count is 0 and not missing', async () => {
    const figures = createFigures('1.2.3', 'front');
    expect(await lines(figures)).toContain('countersign_repeated_writes_total{tool=""} 0');
    figures.wrote('pagerduty.page', 'one');
    figures.wrote('pagerduty.page', 'two');
    expect(await lines(figures)).not.toContain('countersign_repeated_writes_total{tool="pagerduty.page"} 1');
    figures.wrote('pagerduty.page', 'one');
    expect(await lines(figures)).toContain('countersign_repeated_writes_total{tool="pagerduty.page"} 1');
  });

  test('the first event of a kind adds one, because its series started at 0', async () => {
    const figures = createFigures('1.2.3', 'front');
    figures.willRun('pagerduty.page', 'write');
    figures.willCall('jira');
    figures.willAsk('gpt-5-mini');
    expect(await lines(figures)).toEqual(
      expect.arrayContaining([
        'countersign_requests_total{via="mention"} 0',
        'countersign_plans_total{planner="model",outcome="refuse"} 0',
        'countersign_plans_total{planner="none",outcome="failed"} 0',
        'countersign_refusals_total{reason="no_tool"} 0',
        'countersign_decisions_total{decision="expired",planner="playbook"} 0',
        'countersign_decision_seconds_count{decision="rejected"} 0',
        'countersign_runs_total{mode="run",outcome="partly"} 0',
        'countersign_steps_total{mode="run",tool="pagerduty.page",effect="write",status="unknown"} 0',
        'countersign_vendor_call_seconds_count{vendor="jira",outcome="error"} 0',
        'countersign_model_tokens_total{model="gpt-5-mini",kind="prompt"} 0',
        'countersign_model_usd_total{model="gpt-5-mini"} 0',
      ]),
    );
  });

  test('the week is shown by planner and result, and left out while it is unknown', async () => {
    const figures = createFigures('1.2.3', 'front');
    const shown = [
      'countersign_week_plans{planner="model",result="unaided"} 5',
      'countersign_week_seconds{to="evidence",quantile="0.95"} 2',
      'countersign_week_failed_steps{tool="jira.count"} 3',
      'countersign_week_writes_per_run 1.5',
    ];
    expect(await lines(figures)).toEqual(expect.arrayContaining(shown));
    const unknown = await lines(figures, () => Promise.resolve({ ...current, week: null }));
    expect(unknown.filter((line) => line.startsWith('countersign_week_'))).toEqual([]);
  });

  test('edits are counted by tool and argument, without their text', async () => {
    const figures = createFigures('1.2.3', 'front');
    figures.edited([{ tool: 'pagerduty.page', slot: 'service', from: 'ops', to: 'checkout' }]);
    expect(await lines(figures)).toContain('countersign_edits_total{tool="pagerduty.page",slot="service"} 1');
  });

  test('time to a decision counts people, not expiry', async () => {
    const figures = createFigures('1.2.3', 'front');
    const at = (seconds: number) => new Date(seconds * 1_000);
    figures.decided({ state: 'approved', planner: 'offline', createdAt: at(0), decidedAt: at(42) });
    figures.decided({ state: 'expired', planner: 'offline', createdAt: at(0), decidedAt: at(900) });
    const found = await lines(figures);
    expect(found).toContain('countersign_decisions_total{decision="expired",planner="offline"} 1');
    expect(found).toContain('countersign_decision_seconds_sum{decision="approved"} 42');
    expect(found.join()).not.toContain('countersign_decision_seconds_sum{decision="expired"}');
  });

  test('the current state is omitted while the database is unavailable, and then returns', async () => {
    const figures = createFigures('1.2.3', 'front');
    expect(await lines(figures)).toEqual(
      expect.arrayContaining([
        'countersign_open{what="decision"} 2',
        'countersign_oldest_seconds{what="decision"} 90',
        'countersign_schedule_ticks_day{state="missed"} 1',
        'countersign_writes_stopped 1',
      ]),
    );
    const without = await lines(figures, () => Promise.reject(new Error('away')));
    expect(without.join()).not.toMatch(/countersign_(open|oldest|schedule|writes_stopped)/);
    expect(without).toEqual(
      expect.arrayContaining([
        'countersign_build_info{version="1.2.3",role="front"} 1',
        'countersign_ready{part="database"} 1',
        'countersign_ready{part="slack"} 0',
      ]),
    );
    expect(await lines(figures)).toContain('countersign_writes_stopped 1');
  });
});

test('a watched port answers and fails as before, and each call is reported with its failure code', async () => {
  const told: [string, string | null][] = [];
  const about = { retryable: false, mayHaveHappened: false };
  const port = {
    name: 'jira',
    count: async (project: string) => project.length,
    search: () => Promise.reject(new VendorError('forbidden', 'no', about)),
  };
  const seen = metered(
    port,
    createMeter((call, _seconds, code) => void told.push([call, code])),
  );
  expect(seen.name).toBe('jira');
  expect(await seen.count('OPS')).toBe(3);
  await expect(seen.search()).rejects.toMatchObject({ code: 'forbidden' });
  expect(told).toEqual([
    ['count', null],
    ['search', 'forbidden'],
  ]);
});

describe('the port', () => {
  const readiness = createReadiness(['database', 'slack']);
  const open = (port = 0) =>
    openOpsServer({
      ...{ port, host: '127.0.0.1', readiness, contentType: 'text/plain' },
      metrics: () => Promise.resolve('figures\n'),
    });

  test('it says what is not ready and why, and a stopping process is not ready', async () => {
    const server = await open();
    const ask = async (path: string, method = 'GET') => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
      return [response.status, await response.text()] as const;
    };
    expect(await ask('/healthz')).toEqual([200, 'ok\n']);
    expect(await ask('/readyz')).toEqual([503, '{"ready":false,"database":"starting","slack":"starting"}\n']);
    readiness.set('database', () => Promise.reject(new Error('postgres://u:secret@host')));
    readiness.set('slack', () => null);
    expect(await ask('/readyz')).toEqual([503, '{"ready":false,"database":"failed","slack":"ok"}\n']);
    readiness.set('database', () => Promise.resolve(null));
    expect(await ask('/readyz?verbose')).toEqual([200, '{"ready":true,"database":"ok","slack":"ok"}\n']);
    readiness.stopping();
    expect(await ask('/readyz')).toEqual([503, '{"ready":false,"database":"stopping","slack":"stopping"}\n']);
    expect(await ask('/metrics')).toEqual([200, 'figures\n']);
    expect((await ask('/'))[0]).toBe(404);
    expect((await ask('/metrics', 'POST'))[0]).toBe(405);
    await server.close();
  });

  test('a port in use is reported in one line', async () => {
    const first = await open();
    await expect(open(first.port)).rejects.toThrow(
      `OPS_PORT ${first.port} is taken by another program. Stop it or set OPS_PORT to a free one.`,
    );
    await first.close();
  });
});
