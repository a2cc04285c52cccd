import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Envelope, signedRequest } from '../../../sandbox/slack/delivery/envelope.ts';
import { world } from '../../../sandbox/world.ts';
import { type OpenEdge, openEdge } from '../../support/slack-edge.ts';
import { until } from '../../support/slack-workspace.ts';

/** Payloads without a listener, although Slack signed them or sent them over its own socket. */
const rateLimited = {
  type: 'app_rate_limited',
  token: 'verification',
  team_id: world.team.id,
  minute_rate_limited: 1_518_467_820,
  api_app_id: world.bot.appId,
};
const odd: Readonly<Record<string, Envelope>> = {
  'a rate limit': { type: 'events_api', payload: rateLimited },
  'an event without a body': { type: 'events_api', payload: { type: 'event_callback', team_id: 'T1' } },
  'an event that is null': { type: 'events_api', payload: { type: 'event_callback', event: null } },
  'an event that is a list': { type: 'events_api', payload: { type: 'event_callback', event: [] } },
  'an event of an unknown type': {
    type: 'events_api',
    payload: { type: 'event_callback', event: { type: 'moon_landing', item: null } },
  },
  'nothing at all': { type: 'events_api', payload: {} },
  'an interaction of an unknown type': { type: 'interactive', payload: { type: 'time_travel' } },
  'a click on nothing': { type: 'interactive', payload: { type: 'block_actions', actions: [] } },
  'a form without a view': { type: 'interactive', payload: { type: 'view_submission', view: null } },
  'a closed window': { type: 'interactive', payload: { type: 'view_closed', view: { callback_id: 'x' } } },
  'a shortcut that is not ours': {
    type: 'interactive',
    payload: { type: 'message_action', callback_id: 'elsewhere' },
  },
  'a command that is not ours': { type: 'slash_commands', payload: { command: '/other', text: 'x' } },
};

let open: OpenEdge;

afterEach(() => open.close());

describe.each(['socket', 'http'] as const)('odd payloads over %s', (kind) => {
  beforeEach(async () => {
    open = await openEdge(kind);
  });

  it.each(Object.keys(odd))('%s is acknowledged at once and reaches no handler', async (name) => {
    const { slack, log } = open.workspace;
    const envelope = odd[name] ?? { type: 'events_api', payload: {} };
    expect(await slack.deliver(envelope)).toMatchObject({ acknowledged: true, late: false });
    expect(log.lines.map((one) => one.message)).toContain(
      name === 'a rate limit' ? 'Slack held events back' : 'Unexpected payload',
    );
    expect(await slack.command({ as: 'ben', channel: 'ops', text: 'still there' })).toMatchObject({
      acknowledged: true,
    });
    await until(() => open.taken.commands.length === 1);
    expect(open.taken.mentions).toEqual([]);
    expect(open.taken.clicks).toEqual([]);
  });

  it('reports that events were held back, with the minute when it began', async () => {
    await open.workspace.slack.deliver({ type: 'events_api', payload: rateLimited });
    await until(() => open.taken.missed.length === 1);
    expect(open.taken.missed).toEqual([new Date('2018-02-12T20:37:00Z')]);
  });
});

describe('signed bodies that are not objects', () => {
  it.each(['null', '[]', '"words"', '7', '', '[{"type":"event_callback"}]', 'no json'])(
    '%j is answered at once',
    async (body) => {
      open = await openEdge('http');
      const { headers } = signedRequest(
        { type: 'events_api', payload: {} },
        { secret: world.slack.signingSecret, nowMs: Date.now(), tamper: { rawBody: body } },
      );
      const answer = await fetch(open.url, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
    },
  );
});
