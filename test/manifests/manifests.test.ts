import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { allTools } from '../../tools/all.ts';

test('every declared tool has code, and all code is declared, with the same effect', () => {
  const code = [...allTools].map(([name, { effect }]) => [name, effect]);
  const declared = allManifests.map(({ name, effect }) => [name, effect]);
  expect(code.sort()).toEqual(declared.sort());
});

test('every sentence and noun reads well with all arguments and with none', () => {
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

test('database rows are confidential, and the model accepts internal data at most', () => {
  const levelOf = (name: string) => allManifests.find((manifest) => manifest.name === name);
  expect(levelOf('sql.query')?.yields).toBe('confidential');
  expect(levelOf('llm.summarize')?.accepts).toBe('internal');
  expect(levelOf('slack.post')?.accepts).toBe('internal');
});
