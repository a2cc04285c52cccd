import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';
import { expect, test } from 'vitest';
import { attackOn } from './support/pattern-attacks.ts';

const root = path.resolve(import.meta.dirname, '..');
/** Patterns that meet foreign text. `eval` measures planners on our own cases. */
const folders = ['src', 'tools', 'manifests'];
const leftOut = ['tools/eval/', 'tools/train/'];

/** A slash where a pattern may begin; without one a file need not be parsed. */
const mayHavePattern = /(?<![\w.'"`*/])\/(?![/*])/;

interface Found {
  readonly literal: string;
  readonly file: string;
}

function patternsIn(folder: string): Found[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((file) => file.endsWith('.ts') && !leftOut.some((left) => file.startsWith(left)))
    .flatMap((file) => {
      const source = readFileSync(path.join(root, file), 'utf8');
      if (!mayHavePattern.test(source)) return [];
      return literalsIn(parseSync(source, { syntax: 'typescript' })).map((literal) => ({ literal, file }));
    });
}

function literalsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('type' in node && node.type === 'RegExpLiteral' && 'pattern' in node && 'flags' in node)
    return [`/${String(node.pattern)}/${String(node.flags)}`];
  return Object.values(node).flatMap(literalsIn);
}

const found = folders.flatMap(patternsIn);

test('the search for attacks finds the known kinds', () => {
  const bad = [
    /[ \t]+#+[ \t]*$/,
    /^(a+)+$/,
    /\s+$/,
    /<@[UW][A-Z0-9]+\|([^>]*)>/g,
    /"(?:[^"\\]|\\.)*"/g,
    /^((?:\s+[a-z]\w*\s*=\s*(?:"[^"]*"|\S+))*)\s*$/,
    /^\s*([^:]{1,800}?)\s*:\s*(.+?)\s*$/,
    / at line \d+.*$/,
    /(\d+)([WDHMS])/g,
  ].map(String);
  expect(bad.filter((literal) => attackOn(literal) === null)).toEqual([]);
});

test('every pattern takes time proportional to the text', { timeout: 120_000 }, () => {
  const files = Map.groupBy(found, ({ literal }) => literal);
  const bad = [...files].flatMap(([literal, at]) => {
    const attack = attackOn(literal);
    return attack === null ? [] : [{ literal, attack, files: at.map(({ file }) => file) }];
  });
  expect(files.size).toBeGreaterThan(300);
  expect(bad).toEqual([]);
});

test('only a few listed files build patterns at run time', () => {
  const making = folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((file) => file.endsWith('.ts') && !leftOut.some((left) => file.startsWith(left)))
    .filter((file) => /\bRegExp\(/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(making.sort()).toEqual([
    // A fixed prefix before a word and a number.
    'src/blocks/card-address.ts',
    // Literals of facts, side by side.
    'src/core/fact-ledger.ts',
    // Our own keys and a colon.
    'src/notation/looks.ts',
    // Two literals, checked above, side by side.
    'src/notation/quoting.ts',
    // Fixed words that no time follows.
    'src/plan/each-words.ts',
    // A number or a fixed word before the name of a time.
    'src/plan/everyday/forms.ts',
    // A name as a word, its marks escaped.
    'src/plan/everyday/memory.ts',
    // Lists of fixed words with what may follow them.
    'src/plan/everyday/ranked.ts',
    'src/plan/everyday/tokens.ts',
    // The words before a value of a query, which the operator wrote.
    'src/plan/everyday/vetted.ts',
    // Lists of fixed words with what may stand between them.
    'src/plan/later.ts',
    // Digits between limits.
    'src/plan/model/inputs.ts',
    // Lists of fixed words with a few others between them.
    'src/plan/refusals.ts',
    // Names of a text before its new words, and words that a reply replaces, escaped.
    'src/plan/replies/texts.ts',
    // Words of a question around a number.
    'src/request/step-question.ts',
    // A step's id and a dot.
    'src/run/may-start.ts',
    // Literals of KQL words, joined.
    'src/vendors/azure/kql.ts',
    // The bot's id in a mention.
    'src/vendors/slack/read-events.ts',
  ]);
});
