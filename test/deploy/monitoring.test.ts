import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { toolEffects } from '../../manifests/all.ts';
import { createFigures } from '../../src/ops/figures.ts';

/** What a bot shows before anything has happened. */
function atStart(): Promise<string> {
  const figures = createFigures('0');
  for (const [name, effect] of toolEffects) figures.willRun(name, effect);
  figures.willCall('jira');
  figures.willAsk('gpt-5-mini');
  return figures.exposition(() => Promise.reject(new Error('not asked')));
}

/** Names of all series that the bot shows, with those that Prometheus makes of a histogram. */
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

const dashboard = z.object({
  panels: z
    .array(
      z.object({
        id: z.number(),
        title: z.string(),
        gridPos: z.object({ x: z.number(), y: z.number(), w: z.number().max(24), h: z.number() }),
        targets: z.array(z.object({ expr: z.string() })).min(1),
      }),
    )
    .min(1),
});
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

function expressions(): string[] {
  const { panels } = dashboard.parse(JSON.parse(readFileSync('deploy/grafana/countersign.json', 'utf8')));
  const alerts = rules.parse(parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')));
  return [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
  ];
}

/** Prometheus takes the first value that it sees of a series for its beginning, so the first event would not count. */
test('every series whose growth is looked at is there with 0 before anything has happened', async () => {
  const zeros = (await atStart()).split('\n').filter((line) => line.endsWith(' 0'));
  const looked = expressions().flatMap((each) => [
    ...each.matchAll(/(?:increase|rate)\((\w+)(?:\{([^}]*)\})?\[/g),
  ]);
  expect(looked.length).toBeGreaterThan(15);
  const missing = looked.filter(([, name = '', labels = '']) => {
    const wanted = labels.split(',').filter((label) => label !== '');
    return !zeros.some(
      (line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)),
    );
  });
  expect(missing.map(([each]) => each)).toEqual([]);
});

test('every metric that the dashboard and the alerts name is one that the bot shows', async () => {
  const metrics = await shown();
  const names = named(expressions());
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !metrics.has(name))).toEqual([]);
});

test('every figure of the bot stands on the dashboard', async () => {
  const source = readFileSync('deploy/grafana/countersign.json', 'utf8');
  const metrics = [...(await shown())].filter((name) => /^countersign_(?!.*_(sum|count)$)/.test(name));
  expect(metrics.filter((name) => !source.includes(name))).toEqual([]);
});

test('panels have ids of their own and do not lie on each other', () => {
  const { panels } = dashboard.parse(JSON.parse(readFileSync('deploy/grafana/countersign.json', 'utf8')));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)}:${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});
