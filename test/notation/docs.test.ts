import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planKeys, stepKeys } from '../../src/notation/clauses.ts';
import { parse } from '../../src/notation/parse.ts';
import { reviewDraft } from '../../src/review/review.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';

const page = readFileSync('docs/notation.md', 'utf8');
const examples = [...page.matchAll(/```plan\n(.*?)\n```/gs)].map(([, text = '']) => text);

test('the page about notation has eight examples, each a plan that passes the review', () => {
  expect(examples).toHaveLength(8);
  const catalogue = testCatalogue();
  for (const example of examples) {
    const { plan, problems } = parse(example, catalogue.manifests);
    expect(problems, example).toEqual([]);
    expect(reviewDraft(plan, { catalogue, policy: testPolicy }).findings, example).toEqual([]);
  }
});

test('the page names every kind of line', () => {
  for (const key of [...planKeys, ...stepKeys]) expect(page).toContain(`\`${key}:`);
});
