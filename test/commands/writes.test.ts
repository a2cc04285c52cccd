import { expect, test } from 'vitest';
import { writesCommand } from '../../src/commands/writes.ts';
import { killSwitchName } from '../../src/core/run.ts';
import * as requests from '../../src/store/requests.ts';
import { removeRequests } from '../../src/store/retention.ts';
import * as switches from '../../src/store/switches.ts';
import { givenRequest, minutes, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

async function writes(...args: string[]): Promise<string> {
  const said: string[] = [];
  const out = (line: string) => said.push(line);
  await writesCommand(args, {
    variables: { DATABASE_URL: store.url(), AUDIT_KEY: 'k'.repeat(32) },
    out,
    error: out,
  });
  return said.join(' ');
}

test('the kill switch never claims to stop what it did not: a mistyped workspace is an error', async () => {
  expect(await writes('stop', TEAM, 'drill')).toMatch(
    /All writes are stopped.*make sure that the id is right/,
  );
  expect(await writes('allow', TEAM)).toContain('allowed again');
  await givenRequest(store.db(), 'r-1');
  await expect(writes('stop', 'T0TYPO', 'PagerDuty is being moved')).rejects.toThrow(
    `There is no workspace T0TYPO here; there is ${TEAM}. Nothing was changed.`,
  );
  expect(await switches.get(store.db(), 'T0TYPO', killSwitchName)).toBeNull();
  expect(await writes('stop', TEAM, 'PagerDuty is being moved')).toBe('All writes are stopped.');
  expect(await switches.get(store.db(), TEAM, killSwitchName)).toMatchObject({ isOn: true });
  await expect(writes('stop', TEAM)).rejects.toThrow('Give a reason');
});

test('a workspace whose plans were all removed by age can still be stopped', async () => {
  await givenRequest(store.db(), 'r-old', { teamId: 'T0QUIET' });
  await requests.setState(store.db(), { teamId: 'T0QUIET', id: 'r-old', to: 'refused' });
  const old = { teamId: 'T0QUIET', before: minutes(100), ids: ['r-old'], now: minutes(200) };
  expect(await removeRequests(store.db(), old)).toBe(1);
  expect(await writes('stop', 'T0QUIET', 'drill')).toBe('All writes are stopped.');
});
