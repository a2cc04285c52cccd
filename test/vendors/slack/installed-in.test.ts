import { expect, test } from 'vitest';
import { addressed } from '../../../src/vendors/slack/known-payloads.ts';

test('an event belongs to the installation that Slack authorized, wherever it happened', () => {
  const shared = { team_id: 'T0THEIRS', authorizations: [{ team_id: 'T0OURS', enterprise_id: null }] };
  expect(addressed(shared).ids[0]).toBe('T0OURS');
  const grid = {
    team_id: 'T0ONE',
    authorizations: [{ team_id: 'T0ONE', enterprise_id: 'E0ACME', is_enterprise_install: true }],
  };
  expect(addressed(grid).ids[0]).toBe('E0ACME');
});

test('a command, a click and a form name their installation in different places', () => {
  const command = {
    command: '/plan',
    team_id: 'T0ONE',
    enterprise_id: 'E0ACME',
    is_enterprise_install: 'true',
  };
  expect(addressed(command).ids).toEqual(['E0ACME', 'T0ONE']);
  expect(addressed({ ...command, is_enterprise_install: 'false' }).ids).toEqual(['T0ONE', 'E0ACME']);
  const user = { id: 'U1', team_id: 'T0THEIRS' };
  const click = { type: 'block_actions', team: { id: 'T0THEIRS' }, user, message: { bot_id: 'B0OURS' } };
  expect(addressed(click)).toEqual({ botId: 'B0OURS', ids: ['T0THEIRS', 'T0THEIRS'] });
  const form = {
    type: 'view_submission',
    team: null,
    enterprise: { id: 'E0ACME' },
    user,
    view: { app_installed_team_id: 'T0OURS' },
  };
  expect(addressed(form).ids[0]).toBe('T0OURS');
  expect(addressed('nonsense')).toEqual({ botId: null, ids: [] });
});
