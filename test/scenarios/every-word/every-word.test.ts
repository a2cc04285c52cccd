/** Why: an answer to a part of a question reads like an answer to all of it. */
import { afterAll, beforeAll, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
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
