import { expect, test } from 'vitest';
import { z } from 'zod';
import { allManifests } from '../../manifests/all.ts';
import { celType } from '../../src/core/condition.ts';
import { fieldInfo, unwrap } from '../../src/core/fields.ts';

test('the vocabulary is complete, each tool once, and reads and writes are what they are called', () => {
  const byEffect = (effect: string) =>
    allManifests.filter((manifest) => manifest.effect === effect).map((manifest) => manifest.name);
  expect(byEffect('write').sort()).toEqual([
    'jira.comment',
    'jira.create',
    'jira.transition',
    'pagerduty.ack',
    'pagerduty.note',
    'pagerduty.page',
    'pagerduty.resolve',
    'slack.post',
  ]);
  expect(byEffect('read')).toHaveLength(13);
  expect(new Set(allManifests.map((manifest) => manifest.name)).size).toBe(allManifests.length);
  for (const manifest of allManifests) {
    if (manifest.effect !== 'write') continue;
    // It is read in the question before the yes, where "Delete the message" would be an order.
    expect(manifest.undo, manifest.name).toMatch(/^(?:A|An|The) .*\.$/);
    expect(manifest.limits.attempts, manifest.name).toBe(1);
  }
});

test('every sentence and noun is said in words, with all arguments and with none', () => {
  for (const manifest of allManifests) {
    const names = Object.keys(manifest.args.shape);
    const full = Object.fromEntries(
      names.map((name) => [name, name === 'window' || name === 'within' ? 'PT45M' : `some ${name}`]),
    );
    for (const args of [full, {}]) {
      const said = [manifest.sentence(args), ...Object.values(manifest.nouns).map((noun) => noun(args))];
      for (const words of said) {
        expect(words.trim(), manifest.name).not.toBe('');
        expect(words, manifest.name).not.toMatch(/ {2}|\.$/);
      }
    }
    for (const name of Object.keys(manifest.nouns))
      expect(Object.hasOwn(manifest.result.shape, name), `${manifest.name}.${name}`).toBe(true);
    if (manifest.main !== undefined)
      expect(Object.hasOwn(manifest.result.shape, manifest.main), manifest.name).toBe(true);
  }
});

test('every argument and result is described, and no free text can decide anything', () => {
  for (const manifest of allManifests) {
    for (const [name, schema] of [
      ...Object.entries(manifest.args.shape),
      ...Object.entries(manifest.result.shape),
    ]) {
      expect(described(schema), `${manifest.name}.${name}`).toBeTruthy();
      if (fieldInfo(schema).kind === 'text') expect(celType(schema), `${manifest.name}.${name}`).toBeNull();
    }
  }
});

function described(schema: z.core.$ZodType): string | undefined {
  const inner = unwrap(schema);
  const own = schema instanceof z.ZodType ? schema.description : undefined;
  return own ?? (inner instanceof z.ZodType ? inner.description : undefined);
}

test('rows of a database are confidential, and the model takes internal data at most', () => {
  const levelOf = (name: string) => allManifests.find((manifest) => manifest.name === name);
  expect(levelOf('sql.query')?.yields).toBe('confidential');
  expect(levelOf('llm.summarize')?.accepts).toBe('internal');
  expect(levelOf('slack.post')?.accepts).toBe('internal');
});
