import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Faults } from '../../../sandbox/faults.ts';
import { logEntries } from '../../../sandbox/incident.ts';
import { Journal } from '../../../sandbox/journal.ts';
import { startSplunk } from '../../../sandbox/splunk/server.ts';
import { world } from '../../../sandbox/world.ts';
import { createSplunk } from '../../../src/vendors/splunk/search.ts';
import { splText } from '../../../src/vendors/splunk/spl.ts';
import { startOddServer } from '../../support/odd-server.ts';
import { bound, queryNow, template, written } from '../../support/queries.ts';

const closers: (() => unknown)[] = [];
const signal = () => AbortSignal.timeout(20_000);
const now = () => queryNow;
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

function splunkAt(url: string, token = world.splunk.token) {
  return createSplunk({ url, token, maxSeconds: 25, fetch, now });
}

async function withSplunk() {
  const faults = new Faults();
  const journal = new Journal(now);
  const server = await startSplunk({ world, faults, journal, now, log: () => logEntries(now()) });
  closers.push(() => server.close());
  return { faults, journal, url: server.url };
}

const errors = template(
  'spl',
  'index=shop service={service} level=ERROR | stats count by code | sort - count',
  { service: 'service' },
);
const entries = template('spl', 'index=shop service={service} {about}', {
  service: 'service',
  about: 'text',
});

test('entries keep their time while the clock goes on', async () => {
  let clock = queryNow.getTime();
  const moving = () => new Date(clock);
  const past = logEntries(moving());
  const server = await startSplunk({
    world,
    faults: new Faults(),
    journal: new Journal(moving),
    now: moving,
    log: () => past,
  });
  closers.push(() => server.close());
  const last = async () => {
    const query = { ...bound(entries, { service: 'checkout', about: 'exhausted' }), to: new Date(clock) };
    const { columns, rows } = await splunkAt(server.url).run(query, 1_000, signal());
    return rows
      .map((row) => String(row[columns.indexOf('_time')]))
      .toSorted()
      .at(-1);
  };
  const before = await last();
  clock += 10 * 60_000;
  expect(before).toMatch(/^2026-03-10T11:/);
  expect(await last()).toBe(before);
});

test('a vetted search goes to the export endpoint with its time range, and returns a table', async () => {
  const { url, journal } = await withSplunk();
  const answer = await splunkAt(url).run(
    bound(errors, { service: 'checkout', window: 'PT30M' }),
    10,
    signal(),
  );
  expect(answer.columns).toEqual(['code', 'count']);
  expect(answer.rows[0]?.[0]).toBe('PAY-E-2201');
  expect(answer.exact).toBe(true);
  const form = new URLSearchParams(
    journal
      .list({ vendor: 'splunk' })
      .map(({ body }) => new URLSearchParams(body as Record<string, string>).toString())[0],
  );
  expect(Object.fromEntries(form)).toMatchObject({
    search: 'search index=shop service="checkout" level=ERROR | stats count by code | sort - count',
    output_mode: 'json',
    preview: 'false',
    earliest_time: String(Date.parse('2026-03-10T11:30:00Z') / 1_000),
    latest_time: String(Date.parse('2026-03-10T12:00:00Z') / 1_000),
  });
});

test('a past day is searched from its start to its end', async () => {
  const { url, journal } = await withSplunk();
  await splunkAt(url).run(bound(errors, { service: 'checkout', during: 'yesterday' }), 10, signal());
  expect(journal.list({ vendor: 'splunk' })[0]?.body).toMatchObject({
    earliest_time: String(Date.parse('2026-03-09T00:00:00Z') / 1_000),
    latest_time: String(Date.parse('2026-03-10T00:00:00Z') / 1_000),
  });
});

test('pipes, quotes and brackets stay inside a value; what quotes cannot hold is refused by name', () => {
  const text = (about: string) => splText(bound(entries, { service: 'checkout', about }));
  expect(text('x" | delete')).toBe('search index=shop service="checkout" "x\\" | delete"');
  expect(text('a\\')).toBe('search index=shop service="checkout" "a\\\\"');
  for (const bad of ['*', '`drop`', 'two\nlines', 'x\u202e']) {
    expect(() => text(bad), bad).toThrow(/^about must be plain words/);
  }
});

test("a person's search can only read", () => {
  expect(splText(written('spl', 'index=edge status=503 | stats count by host'))).toBe(
    'search index=edge status=503 | stats count by host',
  );
  for (const fine of [
    'index=a "it is | delete \\" [" | eval \'my field\'=1 | rex "(?<n>\\d+)"',
    'index=a source=C:\\logs\\x earliest=-5m | tstats count',
  ]) {
    expect(splText(written('spl', fine))).toBe(`search ${fine}`);
  }
  for (const bad of [
    'index=a | delete',
    'index=a | outputlookup x.csv',
    'index=a | collect index=b',
    'index=a | map search="search index=b"',
    '| rest /services/server/info',
    'index=a [search index=b]',
    'index=a `macro`',
    'index=a "open | delete',
    'index=a | sendemail to=x',
    'index=a | | delete',
    'index=a \\" | delete | eval x="',
    'index=a | eval \'a"b\'=1 | delete | eval c="x"',
    'index=a "x\\\\" | delete | eval y="',
    'index=a | stats-x count',
    'index=a | "delete"',
    'index=a ```"``` | delete',
    'index=a | loadjob x',
    'index=a | dbxquery query="x"',
    'index=a\u2028| delete',
  ]) {
    expect(() => splText(written('spl', bad)), bad).toThrow(/by hand/);
  }
});

test('an error from Splunk is quoted, without the token', async () => {
  const { url, faults } = await withSplunk();
  const bad = template('spl', 'index=shop | explode');
  await expect(splunkAt(url).run(bound(bad), 5, signal())).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining("Unknown search command 'explode'"),
  });
  await expect(
    splunkAt(url, 'wrong-token').run(bound(errors, { service: 'ops' }), 5, signal()),
  ).rejects.toMatchObject({
    code: 'token_invalid',
    message: expect.not.stringContaining('wrong-token'),
  });
  faults.add({ vendor: 'splunk', kind: 'status', status: 503, times: 1 });
  await expect(splunkAt(url).run(bound(errors, { service: 'ops' }), 5, signal())).rejects.toMatchObject({
    code: 'vendor_down',
    retryable: true,
  });
});

/** A search head that writes whatever the test sends. */
async function writing(write: (send: (text: string) => boolean) => Promise<void> | void): Promise<string> {
  const server = createServer(async (_request, response) => {
    await write((text) => response.write(text));
    response.end();
  }).listen(0, '127.0.0.1');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const event = (offset: number) =>
  `${JSON.stringify({ preview: false, offset, result: { _time: '2026-03-10T11:59:00Z', _raw: `line ${offset} ${'x'.repeat(1_000)}`, _cd: '1', linecount: '1' } })}\n`;

test('ten megabytes of events are counted in passing, and the first ones kept', async () => {
  const url = await writing((send) => {
    for (let offset = 0; offset < 10_000; offset += 1) send(event(offset));
    send(`${JSON.stringify({ preview: false, offset: 10_000, lastrow: true })}\n`);
  });
  const { rows, columns, total, exact } = await splunkAt(url).run(
    bound(errors, { service: 'ops' }),
    200,
    signal(),
  );
  expect({ kept: rows.length, columns, total, exact }).toEqual({
    kept: 200,
    columns: ['_time', '_raw'],
    total: 10_000,
    exact: true,
  });
});

test('a search that fails during its answer has failed, and malformed lines are not an empty answer', async () => {
  const failing = await writing((send) => {
    send(event(1));
    send('{"messages":[{"type":"FATAL","text":"Search was cancelled"}]}\n');
  });
  const ask = (url: string) => splunkAt(url).run(bound(errors, { service: 'ops' }), 5, signal());
  await expect(ask(failing)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('cancelled'),
  });
  await expect(ask(await writing((send) => void send('<html>\n')))).rejects.toMatchObject({
    code: 'bad_answer',
  });
  await expect(
    ask(await writing((send) => void send('{"result":'))).catch((e: unknown) => e),
  ).resolves.toMatchObject({ code: 'bad_answer' });
  expect(await ask(await writing(() => {}))).toMatchObject({ rows: [], total: 0 });
});

test('a redirect is not followed, so the token stays on the configured host', async () => {
  const elsewhere = await startOddServer((_request, response) => response.end());
  const asked = await startOddServer((_request, response) =>
    response.writeHead(307, { location: `${elsewhere.url}/services` }).end(),
  );
  closers.push(elsewhere.close, asked.close);
  const run = splunkAt(asked.url).run(bound(errors, { service: 'ops' }), 5, signal());
  await expect(run).rejects.toMatchObject({ code: 'redirected' });
  expect([asked.requests.length, elsewhere.requests]).toEqual([1, []]);
});
