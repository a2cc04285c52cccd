import { slackPost as manifest } from '../../manifests/slack.post.ts';
import { VendorError } from '../../src/core/errors.ts';
import type { ArgsOf } from '../../src/core/manifest.ts';
import { defineWrite } from '../../src/core/tool.ts';
import { audienceOf } from '../slack-audience.ts';

type Args = ArgsOf<typeof manifest>;

export const slackPost = defineWrite(manifest, {
  async run(args, { writers, key, origin, signal }) {
    const { requester, approver, threadLink } = origin;
    const context = `Asked for by ${requester}, approved by ${approver}`;
    const message = { to: receiver(args), text: args.text, key, context, threadLink };
    const { link } = await writers.slack.post(message, signal);
    return { link, to: message.to };
  },
  async find(args, { readers, key, origin, signal }) {
    const to = receiver(args);
    const posted = await readers.slack.postByKey(to, key, origin.startedAt, signal);
    return posted === null ? null : { link: posted.link, to };
  },
  async resolve({ channel, user }) {
    if (channel !== undefined) {
      const name = `#${channel.replace(/^#/, '')}`;
      return [{ arg: 'channel', kind: 'channel', value: channel, label: `posts to ${name}`, identity: name }];
    }
    if (user === undefined) return [];
    const name = `@${user.replace(/^@/, '')}`;
    return [{ arg: 'user', kind: 'user', value: user, label: `sends a message to ${name}`, identity: name }];
  },
  about: ({ channel }, { readers }) => audienceOf(channel, readers),
  preview: (args) => `would post to ${receiver(args)}: “${args.text}”`,
});

function receiver({ channel, user }: Args): string {
  if (channel !== undefined && user === undefined) return `#${channel.replace(/^#/, '')}`;
  if (user !== undefined && channel === undefined) return `@${user.replace(/^@/, '')}`;
  const message = 'A message goes to a channel or to a person: exactly one of the two.';
  throw new VendorError('receiver', message, { retryable: false, mayHaveHappened: false });
}
