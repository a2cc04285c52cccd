import { expect, onTestFinished, test } from 'vitest';
import { Faults } from '../../../sandbox/faults.ts';
import { logEntries } from '../../../sandbox/incident.ts';
import { Journal } from '../../../sandbox/journal.ts';
import { startPrometheus } from '../../../sandbox/prometheus/server.ts';
import { world } from '../../../sandbox/world.ts';
import {
  createPrometheus,
  probePrometheus,
  promqlText,
  stepFor,
} from '../../../src/vendors/prometheus/query.ts';
import { startOddServer } from '../../support/odd-server.ts';
import { bound, queryNow, template } from '../../support/queries.ts';

const signal = () => AbortSignal.timeout(20_000);
const now = () => queryNow;

function prometheusAt(url: string, token = world.prometheus.token) {
  return createPrometheus(optionsFor(url, token));
}

function optionsFor(url: string, token = world.prometheus.token) {
  return { url, authorization: `Bearer ${token}`, maxSeconds: 25, fetch, now };
}

async function sandbox() {
  const [faults, journal] = [new Faults(), new Journal(now)];
  const server = await startPrometheus({ world, faults, journal, now, log: () => logEntries(now()) });
  onTestFinished(() => server.close());
  return { journal, url: server.url };
}

/** A server with this answer to every query. */
async function answering(body: object, status = 200) {
  const server = await startOddServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  onTestFinished(() => server.close());
  return prometheusAt(server.url);
}

const latency = template('promql', 'shop:latency_seconds:p95{service={service}}', { service: 'service' });
const end = queryNow.getTime() / 1_000;
const matrix = (...values: [number, string][]) => ({
  status: 'success',
  data: { resultType: 'matrix', result: [{ metric: { __name__: 'x', job: 'shop' }, values }] },
});

test('a time is asked as a range whose last point is its end', async () => {
  const { url, journal } = await sandbox();
  const query = bound(latency, { service: 'checkout', window: 'PT1H' });
  const { series, stepSeconds } = await prometheusAt(url).read(query, signal());
  expect(stepSeconds).toBe(60);
  const [only] = series;
  expect(series).toHaveLength(1);
  expect(only?.labels).toEqual({ service: 'checkout' });
  expect(only?.points).toHaveLength(61);
  expect(only?.points.at(-1)?.at).toEqual(queryNow);
  expect(only?.last).toBe(only?.points.at(-1)?.value);
  expect(journal.list({ vendor: 'prometheus' })).toMatchObject([
    {
      body: {
        query: 'shop:latency_seconds:p95{service="checkout"}',
        ...{ start: String(end - 3_600), end: String(end), step: '60', timeout: '25s' },
      },
    },
  ]);
});

test('the step keeps every time within 120 points', () => {
  for (const seconds of [60, 1_800, 3_600, 86_400, 30 * 86_400, 366 * 86_400, 20 * 366 * 86_400])
    expect(seconds / stepFor(seconds), String(seconds)).toBeLessThan(121);
});

test('a query about the length of the time itself is asked for the end of it', async () => {
  const asked: string[] = [];
  const server = await startOddServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"status":"success","data":{"resultType":"scalar","result":[1773144000,"7"]}}');
  });
  onTestFinished(() => server.close());
  const errors = template('promql', 'scalar(sum(increase(errors_total[{window}])))');
  const query = bound(errors, { window: 'PT30M' });
  expect(promqlText(query)).toBe('scalar(sum(increase(errors_total[1800s])))');
  const { series, stepSeconds } = await prometheusAt(server.url).read(query, signal());
  expect(asked).toEqual(['/api/v1/query']);
  expect([series[0]?.last, stepSeconds]).toEqual([7, null]);
});

test('a value cannot leave its quotes, and is no pattern', () => {
  const about = template('promql', 'up{path={about},job=~{job}} > {most}', {
    ...{ about: 'text', job: 'text', most: 'number' },
  });
  const attack = String.raw`x"} or vector(1) # \ {`;
  expect(promqlText(bound(about, { about: attack, job: 'a.*|b"', most: 5 }))).toBe(
    String.raw`up{path="x\"} or vector(1) # \\ {",job=~"a\\.\\*\\|b\""} > 5`,
  );
  for (const bad of ['two\nlines', 'a\u202eb', 'tab\there'])
    expect(() => promqlText(bound(about, { about: bad, job: 'a', most: 1 })), bad).toThrow(/plain words/);
});

test('words outside of a label are refused, wherever quotes and braces seem to be', () => {
  for (const text of ['{job}_total', 'up{a="{"} == {job}', 'up # {\n == {job}', 'up{a=`{`} or {job}']) {
    const odd = template('promql', text, { job: 'text' });
    expect(() => promqlText(bound(odd, { job: 'x' })), text).toThrow(/plain words/);
  }
});

test('NaN, infinity and an end without a value are no data', async () => {
  const odd = await answering(matrix([end - 60, '0.5'], [end, 'NaN']));
  expect(await odd.read(bound(latency, { service: 'ops' }), signal())).toMatchObject({
    series: [{ labels: { job: 'shop' }, last: null, points: [{ value: 0.5 }] }],
    notes: ['the value at the end is NaN or infinite'],
  });
  const ended = await answering(matrix([end - 600, '3']));
  expect((await ended.read(bound(latency, { service: 'ops' }), signal())).series[0]?.last).toBeNull();
  const infinite = await answering(matrix([end - 60, '-Inf'], [end, '+Inf']));
  expect((await infinite.read(bound(latency, { service: 'ops' }), signal())).series[0]).toMatchObject({
    ...{ last: null, points: [] },
  });
});

test('warnings and missing stores are told, and an answer keeps 200 series', async () => {
  const result = Array.from({ length: 201 }, (_none, index) => ({
    metric: { pod: String(index) },
    values: [[end, '1']],
  }));
  const many = await answering({
    ...{ status: 'success', data: { resultType: 'matrix', result }, isPartial: true },
    warnings: ['store 2\nis away'],
  });
  const { series, more, notes } = await many.read(bound(latency, { service: 'ops' }), signal());
  expect([series.length, more, notes]).toEqual([
    ...[200, true, ['some of its stores did not answer', 'store 2 is away']],
  ]);
});

test('a refused query has the server’s own words, and a wrong token the setting', async () => {
  const { url } = await sandbox();
  const query = bound(template('promql', 'rate(x'), {});
  await expect(prometheusAt(url).read(query, signal())).rejects.toMatchObject({
    ...{ code: 'refused', message: expect.stringContaining('parse error') },
  });
  await expect(
    prometheusAt(url, 'wrong').read(bound(latency, { service: 'a' }), signal()),
  ).rejects.toMatchObject({ code: 'token_invalid', message: expect.stringContaining('PROMETHEUS_TOKEN') });
  const shapeless = await answering({ status: 'success', data: { resultType: 'string', result: [1, 'x'] } });
  await expect(shapeless.read(bound(latency, { service: 'a' }), signal())).rejects.toThrow(/another shape/);
});

test('a check asks for a time without data, and refuses what the server would', async () => {
  const { url, journal } = await sandbox();
  await prometheusAt(url).check(bound(latency, { service: 'checkout' }), signal());
  expect(journal.list({ vendor: 'prometheus' })).toMatchObject([{ body: { start: '1', end: '1' } }]);
  const wrong = prometheusAt(url).check(bound(template('promql', 'rate(x'), {}), signal());
  await expect(wrong).rejects.toMatchObject({ code: 'refused' });
});

test('the doctor sees that it answers, or what is wrong', async () => {
  const { url } = await sandbox();
  expect(await probePrometheus(optionsFor(url))).toMatchObject([{ level: 'ok' }]);
  expect(await probePrometheus(optionsFor(url, 'wrong'))).toMatchObject([{ level: 'wrong' }]);
});
