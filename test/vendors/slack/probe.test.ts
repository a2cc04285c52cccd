import { expect, test } from 'vitest';
import { probeSlack } from '../../../src/vendors/slack/probe.ts';

const log = { info() {}, warn() {}, error() {} };
const signedIn = { ok: true, team: 'Acme', team_id: 'T1', user: 'countersign' };

/** The doctor's words about Slack where the answers have these headers, and some hosts are not there. */
async function says({
  headers = {},
  away = [],
}: {
  headers?: Record<string, string>;
  away?: readonly string[];
} = {}): Promise<string[]> {
  const asked: typeof fetch = async (input) => {
    const { host } = new URL(input instanceof Request ? input.url : input);
    if (away.includes(host)) throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });
    return Response.json(signedIn, { headers });
  };
  const found = await probeSlack({
    ...{ botToken: 'xoxb-1', appToken: null, listens: false, apiUrl: 'https://slack.com/api/' },
    ...{ scopes: ['chat:write', 'commands'], named: { channels: {}, users: [], groups: [] } },
    ...{ fetch: asked, now: () => new Date(), log },
  });
  return found.map(({ about, level, says: words }) => `${level} ${about} ${words}`);
}

const scopes = { 'x-oauth-scopes': 'chat:write,commands' };

test('scopes that Slack does not tell are not said to be missing', async () => {
  expect(await says()).toContain(
    'note slack scopes Slack did not say which ones the token has: compare them under OAuth & Permissions with slack-manifest.yml',
  );
  expect(await says({ headers: scopes })).toContain('ok slack scopes all 2 of slack-manifest.yml');
  expect(await says({ headers: { 'x-oauth-scopes': 'commands' } })).toContainEqual(
    expect.stringMatching(/^wrong slack scopes missing: chat:write;/),
  );
});

test('the host that takes private answers is tried as well', async () => {
  expect(await says({ headers: scopes })).toContain('ok slack answers hooks.slack.com answers');
  expect(await says({ headers: scopes, away: ['hooks.slack.com'] })).toContain(
    'wrong slack answers Slack cannot be reached: the name hooks.slack.com is not known.',
  );
});
