import { z } from 'zod';
import { address, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const slackCanvas = defineManifest({
  name: 'slack.canvas',
  effect: 'write',
  system: 'slack',
  summary: 'Create a canvas in the tabs of a channel.',
  keywords: ['canvas', 'channel canvas'],
  asked: {
    mustSay: true,
    verbs: ['create', 'add', 'make'],
    nouns: ['canvas', 'slack canvas', 'channel canvas'],
    cues: { title: ['titled', 'called', 'named'], text: ['saying', 'with'] },
    examples: [
      'create a canvas in #ops titled "Checkout outage" saying "The pool was too small"',
      'add a slack canvas to #incidents called "Disk full" with "It was the nightly backup"',
      'make a canvas in #ops titled "Rota" saying "Ana has the first week"',
    ],
    tells: 'link',
  },
  args: z.object({
    channel: target('channel', 'channel such as #ops'),
    title: text(150, 'its title'),
    text: text(20_000, 'its text: ## begins a heading, - a list'),
  }),
  result: z.object({
    id: text(30, 'id of the new canvas'),
    link: address('address of the new canvas').optional(),
  }),
  yields: 'internal',
  accepts: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Create the canvas “${args.title}” in ${args.channel}: “${args.text}”`,
  said: ['id'],
  shows: { links: [{ field: 'link', words: 'Open the canvas', names: 'title' }] },
  outcome: (_result, args) => `created “${args.title}” in ${args.channel}`,
  notDone: (args) => `no canvas was created in ${args.channel}`,
  nouns: { link: (args) => `the link to the canvas in ${args.channel}` },
  success: { unread: 'No tool reads canvases; Slack answers with the id of a canvas once it is created.' },
  purpose: 'tell',
  reaches: ({ channel = '' }) => ({ how: 'tells', whom: `#${channel.replace(/^#/, '')}` }),
  // Slack's list of files shows a new one with a delay.
  inDoubt: 'confirm',
  keyShows: true,
  risk: 'low',
  undo: 'The canvas can be deleted in Slack; people in the channel may already have read it.',
});
