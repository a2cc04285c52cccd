import { Hono } from 'hono';
import { z } from 'zod';
import type { SandboxEnv } from '../journal.ts';
import { canvasPage } from '../slack/api/canvases.ts';
import type { SlackSandbox } from '../slack/slack-sandbox.ts';
import { bodyOf } from './request.ts';

const person = { as: z.string().min(1) };
const message = { ...person, channel: z.string().min(1), ts: z.string().min(1) };
const element = {
  blockId: z.string().exactOptional(),
  actionId: z.string().min(1),
  value: z.unknown().optional(),
};
const view = { ...person, viewId: z.string().min(1) };

const command = z.object({
  ...person,
  channel: z.string().min(1),
  text: z.string(),
  command: z.string().startsWith('/').exactOptional(),
});
const post = z.object({
  ...person,
  channel: z.string().min(1),
  text: z.string().min(1),
  threadTs: z.string().exactOptional(),
});
const click = z.object({ ...message, ...element });
const shortcut = z.object({ ...message, callbackId: z.string().min(1) });
const viewAction = z.object({ ...view, ...element });
const submit = z.object({
  ...view,
  values: z.record(z.string(), z.record(z.string(), z.unknown())).exactOptional(),
});

/** People's actions in Slack. Each returns the outcome of the delivery it caused. */
export function slackRoutes(slack: SlackSandbox): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  routes.post('/command', async (c) => c.json(await slack.command(await bodyOf(c, command))));
  routes.post('/message', async (c) => c.json(await slack.postAs(await bodyOf(c, post))));
  routes.post('/click', async (c) => c.json(await slack.clickButton(await bodyOf(c, click))));
  routes.post('/shortcut', async (c) => c.json(await slack.messageShortcut(await bodyOf(c, shortcut))));
  routes.post('/view-action', async (c) =>
    c.json(await slack.blockActionInView(await bodyOf(c, viewAction))),
  );
  routes.post('/submit', async (c) => c.json(await slack.submitView(await bodyOf(c, submit))));
  routes.post('/close', async (c) => c.json(await slack.closeView(await bodyOf(c, z.object(view)))));
  routes.post('/home', async (c) => c.json(await slack.openHome(await bodyOf(c, z.object(person)))));
  routes.get('/canvas/:id', (c) => {
    const canvas = slack.canvases().find(({ id }) => id === c.req.param('id'));
    c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    return canvas === undefined ? c.text('No such canvas', 404) : c.html(canvasPage(canvas));
  });
  return routes;
}
