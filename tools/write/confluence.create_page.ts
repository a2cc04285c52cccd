import { confluenceCreatePage as manifest } from '../../manifests/confluence.create_page.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import { defineWrite } from '../../src/core/tool.ts';
import { withOrigin } from '../origin-words.ts';

const maxName = 80;

export const confluenceCreatePage = defineWrite(manifest, {
  async run({ space, title, text }, { writers, key: mark, origin, signal }) {
    const { id, url } = await writers.wiki.create(
      { space, title, text: withOrigin(text, origin), mark },
      signal,
    );
    return { id, link: url };
  },
  async find({ space, title }, { readers, key: mark, signal }) {
    const found = await readers.wiki.pageTitled({ space, title }, signal);
    return found === null || !found.marks.includes(mark) ? null : { id: found.id, link: found.url };
  },
  async resolve({ space, title }, { readers, signal }) {
    if (space === undefined) return [];
    const { id, name } = await readers.wiki.space(space, signal);
    const label = `creates a page in ${space} (${cut(oneLine(name), maxName)})`;
    const about = { arg: 'space', kind: 'space' as const, value: space, label, identity: `${space} ${id}` };
    const taken = title === undefined ? null : await readers.wiki.pageTitled({ space, title }, signal);
    if (taken === null) return [about];
    const message = `${space} already has a page “${title}” (${taken.url}); change the title, or edit that page`;
    return [{ ...about, label: message, instead: { code: 'cannot_work', message: `${message}.` } }];
  },
  preview: ({ space, title, text }) => `would create the page “${title}” in ${space}: “${text}”`,
});
