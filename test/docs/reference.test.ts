import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { referencePages } from '../../docs/site/reference/pages.ts';
import { commands } from '../../src/commands/all.ts';
import { envSchema } from '../../src/config/env-schema.ts';
import { ways } from '../../src/request/help.ts';
import { readSubcommand } from '../../src/request/subcommand.ts';

const pages = referencePages();
const page = (name: string): string => pages[`docs/reference/${name}.md`] ?? '';
const cells = (row: string): string[] => row.split(/(?<!\\)\|/).map((cell) => cell.trim());

test('the reference pages match the schemas and tables: npm run docs:reference', () => {
  for (const [file, text] of Object.entries(pages)) expect(readFileSync(file, 'utf8'), file).toBe(text);
});

test('every setting has a description', () => {
  const silent = page('settings')
    .split('\n')
    .filter(
      (row) =>
        row.startsWith('| `') && /^(One of|A list|Without|\\*\\*Must|\\d|`true`|$)/.test(cells(row)[2] ?? ''),
    );
  expect(silent).toEqual([]);
  for (const name of Object.keys(envSchema.shape)) expect(page('environment')).toContain(`| \`${name}\` |`);
});

test('every usage of a command starts with its name', () => {
  for (const [name, { ways }] of Object.entries(commands)) {
    expect(Object.keys(ways).length).toBeGreaterThan(0);
    for (const typed of Object.keys(ways)) expect(typed.split(' ')[0]).toBe(name);
  }
});

test('every listed word of /plan is understood, and every understood one is listed', () => {
  const filled = ways
    .flatMap(({ typed }) => typed)
    .map((typed) =>
      typed.replace('/plan ', '').replace(/[[<]([^\]>]+)[\]>]/, (_, what) => examples[what] ?? ''),
    );
  const kinds = new Set(filled.map((typed) => readSubcommand(typed)?.kind ?? 'goal'));
  const listed = everyKind.filter((kind) => !courtesies.has(kind));
  expect([...kinds].sort()).toEqual([...listed, 'goal'].sort());
});

/** Nobody has to be told that these are understood. */
const courtesies = new Set(['greeting', 'thanks']);

const examples: Readonly<Record<string, string>> = {
  id: '3fa912c0',
  incident: '#1182',
  name: 'morning-sla',
  reason: 'the database moves',
  'what you want': 'count open P1 tickets',
  'service, person, ticket': 'ops',
};
/** Does not compile if a kind is added to the type and not here. */
const everyKind = Object.keys({
  help: 1,
  list: 1,
  saved: 1,
  save: 1,
  status: 1,
  mine: 1,
  catch_up: 1,
  watches: 1,
  handover: 1,
  report: 1,
  timeline: 1,
  review: 1,
  approvals: 1,
  history: 1,
  show: 1,
  stop: 1,
  policy: 1,
  break_glass: 1,
  stop_all: 1,
  resume: 1,
  greeting: 1,
  thanks: 1,
} satisfies Record<NonNullable<ReturnType<typeof readSubcommand>>['kind'], 1>);
