import type { PostedMessage, SlackReader, SlackWriter } from '../../src/vendors/slack/port.ts';

type Post = Parameters<SlackWriter['post']>[0];

const posted: PostedMessage = { channel: 'C0OPS', ts: '1.2', link: 'https://acme.slack.com/p12' };

/** Parts of the fake that tests replace. */
export const slackBehaviour = () => ({ beforePost: async (_post: Post): Promise<void> => {} });

/** An in-memory Slack for tests, as the tools see it. */
export function fakeSlack(behaviour: ReturnType<typeof slackBehaviour> = slackBehaviour()) {
  const posts: Post[] = [];
  const canvases: string[] = [];
  const canvas = { id: 'F0CANVAS', link: 'https://acme.slack.com/docs/T0/F0CANVAS' };
  const reader: SlackReader = {
    postByKey: async (_channel, key) => (posts.some((post) => post.key === key) ? posted : null),
    audienceOf: async () => 'everyone',
    handleOf: async (email) => (email === 'ana@acme.example' ? '@ana' : null),
    canvasByKey: async (key) => (canvases.includes(key) ? canvas : null),
    missingForCanvases: async () => [],
  };
  const writer: SlackWriter = {
    createCanvas: async ({ key }) => {
      canvases.push(key);
      return canvas;
    },
    async post(post) {
      await behaviour.beforePost(post);
      posts.push(post);
      return posted;
    },
  };
  return { posts, readers: { slack: reader }, writers: { slack: writer } };
}
