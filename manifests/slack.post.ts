import { z } from 'zod';
import { address, freeText, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const slackPost = defineManifest({
  name: 'slack.post',
  effect: 'write',
  system: 'slack',
  summary:
    'Post a message to a channel or send it to a person. Never needed for the answer to whoever asked.',
  keywords: ['post', 'tell', 'announce', 'send', 'dm', 'message', 'let know', 'share', 'write in'],
  asked: {
    role: 'message',
    mustSay: true,
    verbs: ['post', 'tell', 'send', 'message', 'dm', 'ping', 'inform'],
    nouns: ['message', 'channel'],
    examples: [
      'post "deploy is done" to #ops',
      'tell @ana that the fix is live',
      'let #status know that search is back',
      'dm @ben the list',
      'ping #ops: I take it',
    ],
    tells: 'link',
  },
  args: z.object({
    channel: target('channel', 'channel such as #ops').optional(),
    user: target('user', 'person such as @ana').optional(),
    text: text(3_000, 'the message'),
  }),
  exactlyOne: [['channel', 'user']],
  result: z.object({
    link: address('address of the message'),
    to: freeText(100, 'channel or person that it went to').optional(),
  }),
  yields: 'internal',
  accepts: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Post to ${args.channel ?? args.user ?? 'nobody'}: “${args.text}”`,
  sends: {
    arg: 'text',
    title: (args, what) => `Post ${what} to ${args.channel ?? args.user ?? 'nobody'}`,
  },
  said: ['link'],
  shows: { links: [{ field: 'link', words: 'Open the message' }] },
  outcome: ({ to }, args) => `posted to ${to ?? args.channel ?? args.user ?? 'Slack'}`,
  notDone: (args) => `nothing was posted to ${args.channel ?? args.user ?? 'Slack'}`,
  nouns: { link: (args) => `the link to the message in ${args.channel ?? args.user ?? 'Slack'}` },
  success: { unread: 'No tool reads messages; Slack answers with its address once it is posted.' },
  purpose: 'tell',
  reaches: ({ channel, user }) => ({
    how: 'tells',
    whom:
      channel === undefined ? `@${(user ?? 'nobody').replace(/^@/, '')}` : `#${channel.replace(/^#/, '')}`,
  }),
  inDoubt: 'look',
  risk: 'low',
  undo: 'The message can be deleted in Slack; people may already have read it.',
});
