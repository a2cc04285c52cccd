import { expect, test } from 'vitest';
import type { WikiWriter } from '../../src/vendors/confluence/port.ts';
import { confluenceCreatePage } from '../../tools/write/confluence.create_page.ts';
import { createVendors, partly } from '../support/vendors.ts';

const origin = {
  ...{ requester: 'Ben', approver: 'Ana', goal: 'a goal', threadLink: null },
  startedAt: new Date('2026-03-10T12:00:00Z'),
};
const args = { space: 'OPS', title: 'Disk full', text: 'It was the backup' };

/** A wiki with one space. */
function wiki() {
  const pages: Parameters<WikiWriter['create']>[0][] = [];
  const made = { id: '1', url: 'https://acme.example/wiki/1' };
  const { readers, writers } = createVendors();
  const reader = partly<typeof readers.wiki>({
    space: async () => ({ id: '7', name: 'Operations' }),
    pageTitled: async ({ title }) => {
      const found = pages.find((page) => page.title === title);
      return found === undefined ? null : { ...made, marks: [found.mark] };
    },
  });
  const writer = partly<typeof writers.wiki>({
    create: async (page) => {
      pages.push(page);
      return made;
    },
  });
  const { signal } = new AbortController();
  const around = { asker: 'U0ANA', now: () => origin.startedAt, signal, problem: null, origin };
  const context = { ...around, readers: { ...readers, wiki: reader }, writers: { ...writers, wiki: writer } };
  return { pages, context };
}

test('a page says who asked for and approved it, and is found again by its key alone', async () => {
  const { pages, context } = wiki();
  expect(await confluenceCreatePage.find(args, { ...context, key: 'k' })).toBeNull();
  const result = await confluenceCreatePage.run(args, { ...context, key: 'k' });
  expect(pages).toMatchObject([
    { title: 'Disk full', mark: 'k', text: expect.stringMatching(/backup\n.*approved by Ana/s) },
  ]);
  expect(await confluenceCreatePage.find(args, { ...context, key: 'k' })).toEqual(result);
  expect(await confluenceCreatePage.find(args, { ...context, key: 'other' })).toBeNull();
});

test('a title that is taken is said on the card, with the page that has it', async () => {
  const { context } = wiki();
  const target = { space: 'OPS', title: 'Disk full' };
  const [free] = await confluenceCreatePage.resolve(target, context);
  expect(free).toMatchObject({ label: 'creates a page in OPS (Operations)', identity: 'OPS 7' });
  expect(free?.instead).toBeUndefined();
  await confluenceCreatePage.run(args, { ...context, key: 'k' });
  const [taken] = await confluenceCreatePage.resolve(target, context);
  expect(taken?.instead).toMatchObject({ code: 'cannot_work', message: expect.stringContaining('/wiki/1') });
});
