import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import type { Readers, Writers } from '../../src/core/ports.ts';
import type { WriteContext } from '../../src/core/tool.ts';
import type { OnCallPerson, Page } from '../../src/vendors/pagerduty/port.ts';
import type { PostedMessage } from '../../src/vendors/slack/port.ts';
import { allTools } from '../../tools/all.ts';
import { pagerdutyPage } from '../../tools/write/pagerduty.page.ts';
import { slackPost } from '../../tools/write/slack.post.ts';
import { anIncident } from '../support/fake-pagerduty.ts';
import { partly, vendorsWith } from '../support/vendors.ts';

const startedAt = new Date('2026-03-10T11:59:00Z');

/** Vendors in memory: what was written, and what a look-up finds. */
function vendors() {
  const pages: Parameters<Writers['pagerduty']['page']>[0][] = [];
  const posts: Parameters<Writers['slack']['post']>[0][] = [];
  const state = {
    oncall: [] as OnCallPerson[],
    page: null as Page | null,
    post: null as PostedMessage | null,
  };
  const lookedFor: unknown[][] = [];
  const readers = vendorsWith<Readers>({
    pagerduty: partly<Readers['pagerduty']>({
      oncall: async () => state.oncall,
      silence: async () => null,
      pageByKey: async (...asked) => {
        lookedFor.push(asked.slice(0, 2));
        return state.page;
      },
    }),
    slack: partly<Readers['slack']>({
      postByKey: async (...asked) => {
        lookedFor.push(asked.slice(0, 3));
        return state.post;
      },
    }),
  });
  const writers = vendorsWith<Writers>({
    pagerduty: partly<Writers['pagerduty']>({
      page: async (page) => {
        pages.push(page);
        return { dedupKey: page.dedupKey };
      },
    }),
    slack: partly<Writers['slack']>({
      post: async (post) => {
        posts.push(post);
        return { channel: 'C0OPS', ts: '1.2', link: 'https://acme.slack.com/p12' };
      },
    }),
  });
  const context: WriteContext = {
    readers,
    writers,
    now: () => new Date('2026-03-10T12:00:00Z'),
    asker: 'U0BEN',
    signal: new AbortController().signal,
    key: 'cs-run-r1-1-page',
    problem: { step: 'page', key: 'cs-ops-1', words: 'the same words' },
    origin: {
      requester: '@ben',
      approver: '@chiara',
      goal: 'Check OPS against the SLA',
      threadLink: 'https://acme.slack.com/thread',
      startedAt,
    },
  };
  return { pages, posts, state, lookedFor, context };
}

test('a page carries the numbers, who asked, who approved and the thread, under the key of its problem and the mark of its step', async () => {
  const { pages, context } = vendors();
  const args = { service: 'ops', text: 'OPS has 24 open P1 tickets; the SLA allows 20' };
  expect(await pagerdutyPage.run(args, context)).toEqual({
    ...{ dedup_key: 'cs-ops-1', state: 'accepted', joined: false, noted: false },
  });
  expect(pages).toEqual([
    {
      service: 'ops',
      dedupKey: 'cs-ops-1',
      mark: context.key,
      summary: 'OPS has 24 open P1 tickets; the SLA allows 20',
      severity: 'critical',
      details: {
        text: args.text,
        goal: 'Check OPS against the SLA',
        requested_by: '@ben',
        approved_by: '@chiara',
        thread: 'https://acme.slack.com/thread',
      },
      link: { href: 'https://acme.slack.com/thread', text: 'Thread in Slack' },
    },
  ]);
  const severityOf = async (more: { urgency?: 'high' | 'low'; severity?: string }) => {
    await pagerdutyPage.run({ ...args, ...more }, context);
    return pages.at(-1)?.severity;
  };
  expect(await severityOf({ severity: 'P1' })).toBe('critical');
  expect(await severityOf({ severity: 'P4' })).toBe('error');
  expect(await severityOf({ urgency: 'low', severity: 'P1' })).toBe('warning');
  expect(await severityOf({ urgency: 'low', severity: 'P5' })).toBe('info');
  await pagerdutyPage.run(args, { ...context, origin: { ...context.origin, threadLink: null } });
  expect(pages.at(-1)).toMatchObject({ link: null });
});

test('the target of a page is whoever is on call first, by person and not by name, and nobody is said', async () => {
  const { state, context } = vendors();
  const resolve = async () => (await pagerdutyPage.resolve({ service: 'ops' }, context))[0];
  expect(await resolve()).toMatchObject({
    label: 'pages ops, where nobody is on call now, so it may reach no one',
    identity: 'nobody',
  });
  const ana = { id: 'PANA01', name: 'Ana Ruiz', email: '', level: 1, until: '2026-03-10T18:00:00Z' };
  const ben = { ...ana, id: 'PBEN01', name: 'Ben Okafor' };
  state.oncall = [ana, { ...ben, level: 2 }];
  expect(await resolve()).toEqual({
    arg: 'service',
    kind: 'service',
    value: 'ops',
    label: 'pages Ana Ruiz, on call for ops until 18:00 UTC',
    identity: 'PANA01',
    people: [{ id: 'PANA01', name: 'Ana Ruiz' }],
  });
  state.oncall = [ben, ana];
  expect(await resolve()).toMatchObject({
    label: 'pages Ben Okafor and Ana Ruiz, on call for ops',
    identity: 'PANA01,PBEN01',
  });
  expect(await pagerdutyPage.resolve({}, context)).toEqual([]);
});

test('a write is found again by its key, and one that was not made is null', async () => {
  const { state, lookedFor, context } = vendors();
  const page = { service: 'ops', text: 'x' };
  expect(await pagerdutyPage.find(page, context)).toBeNull();
  state.page = { incident: { ...anIncident, state: 'acknowledged' }, mark: context.key, noted: false };
  expect(await pagerdutyPage.find(page, context)).toMatchObject({
    ...{ dedup_key: 'cs-ops-1', state: 'acknowledged', incident: 'Q1', name: '#1', joined: false },
  });
  state.page = { ...state.page, incident: { ...anIncident, service: null, serviceName: 'Checkout' } };
  expect(await pagerdutyPage.find(page, context)).toMatchObject({ incident: 'Q1', woken: 'Checkout' });
  const post = { channel: 'ops', text: 'x' };
  expect(await slackPost.find(post, context)).toBeNull();
  state.post = { channel: 'C0OPS', ts: '1.2', link: 'https://acme.slack.com/p12' };
  expect(await slackPost.find(post, context)).toEqual({
    link: 'https://acme.slack.com/p12',
    to: '#ops',
  });
  expect(lookedFor).toEqual([
    [null, 'cs-ops-1'],
    [null, 'cs-ops-1'],
    [null, 'cs-ops-1'],
    ['#ops', context.key, startedAt],
    ['#ops', context.key, startedAt],
  ]);
});

test('a message goes to exactly one receiver, names who stands behind it, and nothing is sent otherwise', async () => {
  const { posts, context } = vendors();
  await slackPost.run({ channel: 'ops', text: 'All clear' }, context);
  await slackPost.run({ user: '@ana', text: 'All clear' }, context);
  expect(posts.map(({ to }) => to)).toEqual(['#ops', '@ana']);
  expect(posts[0]).toMatchObject({
    text: 'All clear',
    key: context.key,
    context: 'Asked for by @ben, approved by @chiara',
    threadLink: 'https://acme.slack.com/thread',
  });
  for (const args of [{ text: 'x' }, { text: 'x', channel: 'ops', user: 'ana' }]) {
    await expect(slackPost.run(args, context)).rejects.toMatchObject({
      code: 'receiver',
      mayHaveHappened: false,
    });
  }
  expect(posts).toHaveLength(2);
  expect(await slackPost.resolve({ channel: '#ops' }, context)).toEqual([
    { arg: 'channel', kind: 'channel', value: '#ops', label: 'posts to #ops', identity: '#ops' },
  ]);
  expect(await slackPost.resolve({ user: 'ana' }, context)).toMatchObject([
    { kind: 'user', identity: '@ana' },
  ]);
  expect(await slackPost.resolve({}, context)).toEqual([]);
  expect(slackPost.preview({ channel: 'ops', text: 'All clear' })).toBe('would post to #ops: “All clear”');
  expect(pagerdutyPage.preview({ service: 'ops', text: 'Down', urgency: 'low' })).toBe(
    'would page the on-call of ops with low urgency: “Down”',
  );
});

test('every tool stands under the name and the effect of its manifest', () => {
  const declared = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
  for (const [name, { effect, tool }] of allTools) {
    expect(tool.manifest).toBe(declared.get(name));
    expect(effect).toBe(tool.manifest.effect);
  }
});
