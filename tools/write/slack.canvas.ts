import { slackCanvas as manifest } from '../../manifests/slack.canvas.ts';
import { defineWrite } from '../../src/core/tool.ts';
import { withOrigin } from '../origin-words.ts';
import { audienceOf } from '../slack-audience.ts';

export const slackCanvas = defineWrite(manifest, {
  async run({ channel, title, text }, { writers, key, origin, signal }) {
    const canvas = { to: `#${bare(channel)}`, title, text: withOrigin(text, origin), key };
    return resultOf(await writers.slack.createCanvas(canvas, signal));
  },
  async find(_args, { readers, key, origin, signal }) {
    const found = await readers.slack.canvasByKey(key, origin.startedAt, signal);
    return found === null ? null : resultOf(found);
  },
  async resolve({ channel }, { readers, signal }) {
    if (channel === undefined) return [];
    const name = `#${bare(channel)}`;
    const label = `creates a canvas in ${name}`;
    const about = { arg: 'channel', kind: 'channel' as const, value: channel, label, identity: name };
    const missing = await readers.slack.missingForCanvases(signal);
    if (missing.length === 0) return [about];
    const message = `The Slack app lacks ${missing.join(', ')} for canvases: add it under OAuth & Permissions and install the app again.`;
    return [{ ...about, label: message, instead: { code: 'cannot_work', message } }];
  },
  about: ({ channel }, { readers }) => audienceOf(channel, readers),
  preview: ({ channel, title, text }) => `would create the canvas “${title}” in #${bare(channel)}: “${text}”`,
});

function bare(channel: string): string {
  return channel.replace(/^#/, '');
}

function resultOf({ id, link }: { readonly id: string; readonly link: string }): {
  id: string;
  link?: string;
} {
  return link === '' ? { id } : { id, link };
}
