import { z } from 'zod';
import { target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const slackPost = defineManifest({
  name: 'slack.post',
  effect: 'write',
  system: 'slack',
  summary:
    'Post a message to a channel or send it to a person. Never needed for the answer to whoever asked.',
  keywords: ['post', 'tell', 'announce', 'send', 'dm', 'message', 'let know', 'share', 'write in'],
  args: z.object({
    channel: target('channel', 'channel such as #ops').optional(),
    user: target('user', 'person such as @ana').optional(),
    text: text(3_000, 'the message'),
  }),
  exactlyOne: [['channel', 'user']],
  result: z.object({
    ts: text(40, 'time stamp of the message'),
    link: text(500, 'address of the message'),
  }),
  yields: 'internal',
  accepts: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Post to ${args.channel ?? args.user ?? 'nobody'}: “${args.text}”`,
  said: ['ts', 'link'],
  made: { field: 'link', words: 'Open the message' },
  outcome: (_result, args) => `posted to ${args.channel ?? args.user ?? 'Slack'}`,
  notDone: (args) => `nothing was posted to ${args.channel ?? args.user ?? 'Slack'}`,
  nouns: { link: (args) => `the link to the message in ${args.channel ?? args.user ?? 'Slack'}` },
  inDoubt: 'look',
  undo: 'The message can be deleted in Slack; people may already have read it.',
});
