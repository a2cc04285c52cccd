import { z } from 'zod';
import { address, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const confluenceCreatePage = defineManifest({
  name: 'confluence.create_page',
  effect: 'write',
  system: 'confluence',
  summary: 'Create one page in a Confluence space. Its title must be new in that space.',
  keywords: ['wiki page', 'confluence page', 'write up', 'publish', 'document'],
  asked: {
    mustSay: true,
    verbs: ['create', 'write', 'publish', 'add'],
    nouns: ['wiki page', 'confluence page', 'page in confluence', 'page in the wiki', 'wiki', 'confluence'],
    cues: { title: ['titled', 'called', 'named'], text: ['saying', 'with'] },
    examples: [
      'create a wiki page in OPS titled "Checkout outage" saying "The pool was too small"',
      'publish a confluence page in OPS called "Disk full" with "It was the nightly backup"',
      'write a wiki page in OPS titled "Rota" saying "Ana has the first week"',
    ],
    tells: 'link',
  },
  args: z.object({
    space: target('space', 'key of the Confluence space'),
    title: text(255, 'title of the page'),
    text: text(20_000, 'the page: lines that begin with ## are headings, with - a list'),
  }),
  result: z.object({
    id: text(30, 'id of the new page'),
    link: address('address of the new page'),
  }),
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Create the page “${args.title}” in ${args.space}: “${args.text}”`,
  said: ['id'],
  shows: { links: [{ field: 'link', words: 'Open the page', names: 'title' }] },
  outcome: (_result, args) => `created “${args.title}” in ${args.space}`,
  notDone: (args) => `no page was created in ${args.space}`,
  nouns: { link: (args) => `the link to the page in ${args.space}` },
  success: { unread: 'No tool reads a page by its id; Confluence answers with that id once it is stored.' },
  purpose: 'tell',
  reaches: ({ space }) => ({ how: 'tells', whom: `the readers of ${space}` }),
  inDoubt: 'look',
  risk: 'low',
  undo: 'The page can be deleted in Confluence; watchers of the space may already have read it.',
});
