import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { installedManifests, installedTools } from '../../src/app/installed.ts';
import { actionsSchema } from '../../src/core/actions.ts';
import { celType } from '../../src/core/cel.ts';
import { compileCondition } from '../../src/core/condition.ts';
import { VendorError } from '../../src/core/errors.ts';
import { fieldInfo, unwrap } from '../../src/core/fields.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { planLimits } from '../../src/core/plan.ts';
import type { Readers, Writers } from '../../src/core/ports.ts';
import type { StepResult } from '../../src/core/run.ts';
import { vocabularyOf } from '../../src/core/step-words.ts';
import type { Origin } from '../../src/core/tool.ts';
import { stepReply } from '../../src/report/thread.ts';
import { everydayPlanner } from '../support/everyday.ts';
import { pinnedServer, standIn } from '../support/mcp.ts';
import { planningInput, testCatalogue } from '../support/planning.ts';
import { revisionOf } from '../support/revisions.ts';
import { sampleArgs, sampleOf } from '../support/sample.ts';

/** The contract of every tool: ours, and those of MCP servers. */

const search = { verbs: ['search'], nouns: ['notes'], examples: ['search the notes for checkout'] };
const say = {
  verbs: ['jot down'],
  nouns: ['notes'],
  examples: ['jot down in the notes that search is back'],
};
const about = { cues: ['for', 'about'] };
const words = { cues: ['that'] };
const notes = await pinnedServer(
  { command: standIn('well') },
  {
    find: {
      tool: 'say',
      effect: 'read',
      ask: { ...search, args: { text: about } },
      results: { length: 'whole' },
    },
    say: { ask: { ...say, args: { text: words } } },
  },
);
const mcp = { notes };
const actions = actionsSchema.parse({
  'deploys.rollback': {
    about: 'Roll back a service.',
    ask: { verbs: ['revert'], nouns: ['deploy'], examples: ['revert the deploy of checkout'] },
    parameters: { service: { type: 'service' }, version: { optional: true, cues: ['to version'] } },
    url: 'https://deploys.example.com/services/{service}/rollback',
    body: { to: '{version}' },
    hosts: ['deploys.example.com'],
    results: { id: '/id', link: '/url' },
    undo: 'A version can be deployed again.',
  },
});
const manifests = installedManifests({ mcp, actions });
const tools = installedTools({ mcp, actions });
const names = manifests.map((manifest) => [manifest.name, manifest] as const);

function fieldsOf(schema: z.core.$ZodType, at: string): [string, z.core.$ZodType][] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return fieldsOf(inner.element, `${at}[]`);
  if (!(inner instanceof z.ZodObject)) return [[at, inner]];
  return Object.entries(inner.shape).flatMap(([name, field]) =>
    fieldsOf(field as z.ZodType, `${at}.${name}`),
  );
}

describe.each(names)('%s', (name, manifest) => {
  const { args, result, shows, asked } = manifest;

  test('adds what its vendor may leave out, and nothing where its manifest says of none', () => {
    const found = tools.get(name);
    const complete = found?.effect === 'write' ? found.tool.complete : undefined;
    expect(typeof complete).toBe(typeof manifest.lacks);
  });

  test('says what it does to the world, within limits, and a write says how it is undone', () => {
    expect(['read', 'write']).toContain(manifest.effect);
    // A tool without code is not declared.
    expect(tools.get(name)?.effect).toBe(manifest.effect);
    expect(manifest.limits.timeoutMs).toBeGreaterThanOrEqual(100);
    expect(manifest.limits.timeoutMs).toBeLessThanOrEqual(60_000);
    expect(manifest.limits.attempts).toBeLessThanOrEqual(manifest.effect === 'write' ? 1 : 5);
    // It is read in the question before the yes, where "Delete the message" would be an order.
    if (manifest.effect === 'write') expect(manifest.undo).toMatch(/^(?:A|An|The|Nobody) .*\.$/);
  });

  test('a write says when it took effect and which read shows that, or why none does', () => {
    const { success } = manifest;
    expect(success === undefined).toBe(manifest.effect === 'read');
    if (success === undefined) return;
    if ('unread' in success) return expect(success.unread).toMatch(/^[A-Z].*\.$/);
    expect(success.words(sampleArgs(manifest) as Record<string, string>)).toMatch(/^[a-zA-Z].*[^.]$/);
    const read = manifests.find((one) => one.name === success.read?.tool);
    // Without a read its own result has to be what its vendor shows of it.
    if (read === undefined) expect(manifest.takenFirst).toBe(true);
    else {
      expect(read.effect).toBe('read');
      expect(read.args.safeParse(success.read?.args(sampleOf(result) as JsonObject)).error).toBeUndefined();
    }
    const scope = new Map([['made', manifest], ...(read ? [['after', read] as const] : [])]);
    expect(compileCondition(success.holds, scope).steps).toContain(read ? 'after' : 'made');
  });

  test('takes and gives exactly what it declares, described and bounded', () => {
    expect(args.safeParse({ ...sampleArgs(manifest), not_declared: 1 }).success).toBe(false);
    expect(args.safeParse(sampleArgs(manifest)).error).toBeUndefined();
    expect(result.safeParse({ ...sampleOf(result), not_declared: 1 }).success).toBe(false);
    expect(result.safeParse(sampleOf(result)).error).toBeUndefined();
    for (const [at, field] of [...fieldsOf(args, 'args'), ...fieldsOf(result, 'result')]) {
      const inner = unwrap(field);
      const described = inner instanceof z.ZodType ? inner.description : undefined;
      expect(described ?? '', at).not.toBe('');
      if (!(inner instanceof z.ZodString)) continue;
      expect(inner.maxLength ?? (fieldInfo(inner).target ? 100 : Infinity), at).toBeLessThanOrEqual(
        planLimits.bytes,
      );
      // Words of a vendor decide nothing; a short name of a state that nobody types freely may.
      if (fieldInfo(inner).kind === 'text') expect(celType(inner), at).toBeNull();
    }
  });

  test('shows fields that it has, and only addresses as links', () => {
    for (const { field, names: of = field } of shows?.links ?? []) {
      expect(fieldInfo(result.shape[field] as z.ZodType).address, field).toBe(true);
      expect(Object.hasOwn({ ...args.shape, ...result.shape }, of), of).toBe(true);
    }
    const tables = shows?.tables ?? [];
    const ofTables = tables.flatMap(({ rows, total }) => [rows, total]);
    for (const field of [shows?.prose, ...ofTables, asked?.tells, manifest.main])
      if (field !== undefined) expect(Object.hasOwn(result.shape, field), field).toBe(true);
    for (const { rows: field, columns } of tables) {
      const rows = unwrap(result.shape[field] as z.ZodType);
      const row = rows instanceof z.ZodArray ? unwrap(rows.element) : null;
      if (!(row instanceof z.ZodObject)) throw new TypeError(`${name} has no rows of records`);
      if (!('length' in columns)) {
        expect(Object.hasOwn(result.shape, columns.names), columns.names).toBe(true);
        expect(Object.hasOwn(row.shape, columns.cells), columns.cells).toBe(true);
        continue;
      }
      for (const { field, link = field } of columns) {
        expect(Object.hasOwn(row.shape, field), field).toBe(true);
        if (link !== field) expect(fieldInfo(row.shape[link] as z.ZodType).address, link).toBe(true);
      }
    }
  });

  test('tells what it read as text: no mention, no strange link, no character that nobody sees', () => {
    const shown = JSON.stringify(stepReply(toldOf(manifest), resultOf(manifest)));
    expect(shown).not.toMatch(/"type":"(user|usergroup|channel|broadcast|link|mrkdwn)"/);
    expect(shown).not.toContain('\u202E');
    expect(JSON.parse(shown).message.text).not.toMatch(/<|@here|:\/\//);
  });

  test('says how people ask for it, unless only a model does', () => {
    expect((asked?.examples ?? []).length > 0).toBe(manifest.written === undefined);
  });
});

test.each(['notes.find', 'notes.say'])('people who ask for %s in words get it', async (name) => {
  const catalogue = testCatalogue({ open: true }, manifests);
  const planner = everydayPlanner;
  for (const example of manifests.find((one) => one.name === name)?.asked?.examples ?? []) {
    const { answer } = await planner.plan(planningInput(example, { catalogue }));
    expect(answer.kind === 'plan' && answer.plan.steps.map(({ tool }) => tool), example).toEqual([name]);
  }
});

/** Readers and writers that fail, and which of them were asked. */
function failing(error: Error) {
  const asked: string[] = [];
  const port = (vendor: string) =>
    new Proxy(
      {},
      {
        get: (_port, method) => () => {
          asked.push(`${vendor}.${String(method)}`);
          throw error;
        },
      },
    );
  const vendors = new Proxy({}, { get: (_all, vendor) => port(String(vendor)) });
  return { asked, readers: vendors as Readers, writers: vendors as Writers };
}

const origin: Origin = {
  ...{ requester: 'Ben', approver: 'Ana', goal: 'a goal', threadLink: null },
  startedAt: new Date('2026-03-02T03:00:00Z'),
};

describe.each([...tools])('%s', (name, { effect, tool }) => {
  const down = new VendorError('vendor_down', 'It is down.', { retryable: true, mayHaveHappened: false });

  test('fails when its vendor does, or says what it gives instead', async () => {
    const { asked, readers, writers } = failing(down);
    const { signal } = new AbortController();
    const context = { readers, signal, asker: 'U0ANA', now: () => new Date('2026-03-02T03:00:00Z') };
    const args = sampleArgs(tool.manifest);
    const call = async () =>
      effect === 'read'
        ? tool.run(args, context)
        : tool.run(args, { ...context, writers, key: 'k', problem: null, origin });
    const { instead, outcome } = tool.manifest;
    const words = instead === undefined ? null : outcome;
    const ended = await call().then(
      (result) => words?.(result, {}, []) ?? 'answered',
      (error: unknown) => error,
    );
    if (asked.length > 0) expect(ended).toBe(instead ?? down);
  });

  test('has a declaration, and its file reaches for nothing but what it is handed', () => {
    expect(manifests.map((manifest) => manifest.name)).toContain(name);
    const file = `tools/${effect}/${name}.ts`;
    if (/^(?:notes|deploys)\./.test(name)) return;
    expect(existsSync(file), file).toBe(true);
    expect(readFileSync(file, 'utf8')).not.toMatch(/\bfetch\(|['"]node:|process\.env|https?:\/\//);
  });
});

function planOf(manifest: Manifest) {
  const step = {
    id: 'one',
    tool: manifest.name,
    why: 'It is asked for.',
    args: sampleArgs(manifest) as never,
  };
  return { goal: 'a goal', summary: 'a plan', steps: [step] };
}

function toldOf(manifest: Manifest) {
  const { sealed } = revisionOf(planOf(manifest));
  const all = new Map(manifests.map((one) => [one.name, one]));
  return { sealed, words: vocabularyOf(sealed.plan.steps, all), hosts: ['acme.example'] };
}

function resultOf(manifest: Manifest): StepResult {
  const at = '2026-03-02T12:05:00.000Z';
  const result = manifest.result.parse(sampleOf(manifest.result)) as JsonObject;
  const about = {
    stepId: 'one',
    tool: manifest.name,
    reason: null,
    attempts: 1,
    startedAt: at,
    finishedAt: at,
  };
  return { ...about, status: 'succeeded', result };
}

test('no two tools have one name', () => {
  expect(new Set(names.map(([name]) => name)).size).toBe(names.length);
});
