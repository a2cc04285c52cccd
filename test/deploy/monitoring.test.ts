import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { toolEffects } from '../../manifests/all.ts';
import { createFigures } from '../../src/ops/figures.ts';

/** The metrics before anything has happened. */
function atStart(): Promise<string> {
  const figures = createFigures('0', 'all');
  for (const [name, effect] of toolEffects) figures.willRun(name, effect);
  for (const vendor of ['slack', 'jira', 'pagerduty', 'model', 'azure', 'splunk', 'sql', 'mcp'])
    figures.willCall(vendor);
  figures.willAsk('gpt-5-mini');
  return figures.exposition(
    () => Promise.reject(new Error('not asked')),
    () => Promise.resolve({}),
  );
}

/** The names of all series of the bot, with those that Prometheus makes of a histogram. */
async function shown(): Promise<Set<string>> {
  const text = await atStart();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
}

const named = (expressions: readonly string[]): string[] =>
  expressions.flatMap((each) => each.match(/\b(countersign|process|nodejs)_[a-z_]+/g) ?? []);

const override = z.strictObject({
  matcher: z.strictObject({ id: z.literal('byName'), options: z.string() }),
  properties: z.array(z.strictObject({ id: z.string(), value: z.unknown() })).min(1),
});
const source = z.strictObject({ type: z.literal('prometheus'), uid: z.literal(`\${datasource}`) });
const row = z.object({ id: z.number(), type: z.literal('row'), title: z.string(), gridPos: z.unknown() });
const panel = z.object({
  id: z.number(),
  title: z.string(),
  type: z.enum(['stat', 'timeseries', 'table']),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number().max(24), h: z.number() }),
  datasource: source,
  targets: z
    .array(
      z.object({
        refId: z.string(),
        expr: z.string(),
        legendFormat: z.string().optional(),
        format: z.literal('table').optional(),
      }),
    )
    .min(1),
  fieldConfig: z.strictObject({
    defaults: z.object({ unit: z.string(), noValue: z.string().optional() }),
    overrides: z.array(override),
  }),
});
type Panel = z.infer<typeof panel>;
const dashboard = z.object({
  schemaVersion: z.literal(42),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
  panels: z.array(z.union([row, panel])).min(1),
});

const file = () => readFileSync('deploy/grafana/countersign.json', 'utf8');
const isPanel = (each: z.infer<typeof dashboard>['panels'][number]): each is Panel => each.type !== 'row';
const panels = (): Panel[] => dashboard.parse(JSON.parse(file())).panels.filter(isPanel);

const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          labels: z.object({ severity: z.enum(['info', 'warning', 'critical']) }),
          annotations: z.object({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});

const alerts = () =>
  rules
    .parse(parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')))
    .groups.flatMap((group) => group.rules);

function expressions(): string[] {
  return [
    ...panels().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts().map(({ expr }) => expr),
  ];
}

type Labels = Readonly<Record<string, string>>;

const labelsOf = (text: string): Labels =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );

/** Whether a selector matches a series; its job is known only to Prometheus. */
function fits(labels: Labels, selector: string): boolean {
  const wanted = [...selector.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)];
  return wanted.every(([, name = '', how = '', value = '']) => {
    if (name === 'job') return true;
    const isThat = how.includes('~')
      ? new RegExp(`^(?:${value})$`).test(labels[name] ?? '')
      : labels[name] === value;
    return isThat !== how.startsWith('!');
  });
}

/** Prometheus takes the first value it sees of a series as its start, so the first event would not count. */
test('every series with a rate or increase starts at 0 before anything has happened', async () => {
  const lines = (await atStart()).split('\n').filter((line) => line.endsWith(' 0'));
  const zeros = lines.map((line) => ({ name: line.split('{')[0], labels: labelsOf(line) }));
  const looked = expressions().flatMap((expr) =>
    [...expr.matchAll(/(?:increase|rate)\((\w+)(?:\{([^}]*)\})?\[/g)].map(([, name = '', selector = '']) => ({
      ...{ expr, name, selector },
      // Such a query counts a new series from 0.
      fromNothing: expr.includes(`unless ${name}{`),
    })),
  );
  expect(looked.length).toBeGreaterThan(15);
  const missing = looked.filter(
    ({ name, selector, fromNothing }) =>
      !(fromNothing || name.startsWith('process_')) &&
      !zeros.some((each) => each.name === name && fits(each.labels, selector)),
  );
  expect(missing.map(({ expr }) => expr)).toEqual([]);
});

test('every metric in the dashboard and the alerts exists', async () => {
  const metrics = await shown();
  const names = named(expressions());
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !metrics.has(name))).toEqual([]);
});

test('every figure of the bot is on the dashboard', async () => {
  const text = file();
  const metrics = [...(await shown())].filter((name) => /^countersign_(?!.*_(sum|count)$)/.test(name));
  expect(metrics.filter((name) => !text.includes(name))).toEqual([]);
});

/** Whether a query keeps a label: the ones it sums by, or all if it does not sum. */
function isLeft(expr: string, label: string): boolean {
  const by = [...expr.matchAll(/\bby \(([^)]*)\)/g)].map(([, names = '']) => names.split(/,\s*/));
  return by.length === 0 || by.some((names) => names.includes(label));
}

/** In Kubernetes the job is that of the service discovery, and includes other programs. */
test("nothing depends on the job's name or counts other programs in it", () => {
  expect(alerts().filter(({ expr }) => /\bjob=|\bup\b/.test(expr))).toEqual([]);
  const foreign = expressions().filter((expr) => /\b(up|process_\w+)\b/.test(expr));
  expect(foreign.filter((expr) => !/ and on \(job, instance\) countersign_/.test(expr))).toEqual([]);
});

test('every label in a legend or an alert is kept by its query', () => {
  const spoken = [
    ...panels().flatMap(({ targets }) =>
      targets.flatMap(({ expr, legendFormat = '' }) =>
        [...legendFormat.matchAll(/{{(\w+)}}/g)].map(([, label = '']) => [expr, label] as const),
      ),
    ),
    ...alerts().flatMap(({ expr, annotations }) =>
      [
        ...Object.values(annotations)
          .join(' ')
          .matchAll(/\$labels\.(\w+)/g),
      ].map(([, label = '']) => [expr, label] as const),
    ),
  ];
  expect(spoken.length).toBeGreaterThan(10);
  expect(spoken.filter(([expr, label]) => !isLeft(expr, label))).toEqual([]);
});

test('every series that a panel renames exists', async () => {
  const values = new Set([...(await atStart()).matchAll(/="([^"]*)"/g)].map(([, value]) => value));
  for (const what of ['decision', 'run', 'message', 'arrival', 'watch', 'check', 'fired', 'missed'])
    values.add(what);
  const renamed = panels().filter(({ type }) => type === 'timeseries');
  const strange = renamed.flatMap(({ title, targets, fieldConfig }) =>
    fieldConfig.overrides
      .map(({ matcher }) => matcher.options)
      .filter((name) => !values.has(name) && !targets.some(({ legendFormat }) => legendFormat === name))
      .map((name) => `${title}: ${name}`),
  );
  expect(strange).toEqual([]);
});

test('panels have unique ids, do not overlap, and use existing variables', () => {
  const { panels: all, templating } = dashboard.parse(JSON.parse(file()));
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const cells = panels().flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)}:${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  const variables = new Set(templating.list.map(({ name }) => name));
  const asked = expressions().flatMap((each) =>
    [...each.matchAll(/\$(?!__)(\w+)/g)].map(([, name = '']) => name),
  );
  expect([...new Set(asked)].filter((name) => !variables.has(name))).toEqual([]);
});
