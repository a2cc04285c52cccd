/** Why: an answer to a part of a question reads like an answer to all of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { sandboxConfig } from '../../../sandbox/config.ts';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

const onHost = {
  ...{ name: 'errors-on-host', language: 'spl', says: ['errors'], count: 'count', groups: ['code'] },
  parameters: { host: { type: 'host', describe: 'host that logged them' } },
  text: 'index=shop level=ERROR host={host} | stats count by code | sort - count',
};
const queries = [...z.array(z.unknown()).parse(sandboxConfig().queries), onHost];

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ queries }) });
});
afterAll(() => finish(workspace));

test.each([
  ['runbook checkout latency', /runbooks on “latency” for checkout/],
  ['checkout runbook latency', /runbooks on “latency” for checkout/],
  ['runbooks for payments high cpu', /on “high cpu” for payments-api/],
])('the runbooks of a service are searched for the words beside it: %s', async (goal, found) => {
  await workspace.plan('ben', goal);
  await workspace.card(found);
});

test('errors on a host are those of that host, over all services', async () => {
  await workspace.plan('ben', 'errors on checkout-2 today');
  const answer = wordsOf(await workspace.card(/checkout-2/));
  expect(answer).toMatch(/Splunk: \d+ errors on host with host checkout-2 today/);
});

test('what is wanted later is not done now with its time as a text', async () => {
  await workspace.plan('ben', 'remind me in 20 minutes to check errors');
  await workspace.whisper('ben', '/remind me in 20 minutes to check errors');
  await workspace.plan('ben', 'check errors of checkout in 10 min');
  const question = await workspace.card('I can’t wait and look “in 10 min”');
  await workspace.click('ben', question, 'clarify.answer.0');
  await workspace.card(/errors of checkout in the last 10 minutes/);
});

test('a number and an order are in the list, or said to be missing', async () => {
  await workspace.plan('ben', 'top 2 P1 tickets in OPS');
  await workspace.card(/first 2 open P1 tickets in OPS/);
  await workspace.plan('ben', 'newest 20 errors of checkout');
  const answer = wordsOf(await workspace.card(/“newest 20” is not in the plan/));
  expect(answer).toMatch(/\d+ errors of checkout/);
});

test.each(['report every monday at 9', 'weekly report on mondays at 9 in #ops'])(
  'a report that is to come again and again says where it is set: %s',
  async (goal) => {
    await workspace.plan('dev', goal);
    await workspace.whisper(
      'dev',
      /under “schedules” in countersign.yml.*goal: report 7 days.*“\/plan report”/s,
    );
  },
);
