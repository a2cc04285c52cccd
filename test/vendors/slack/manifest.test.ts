import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as required from '../../../src/vendors/slack/manifest.ts';

const file = readFileSync(new URL('../../../slack-manifest.yml', import.meta.url), 'utf8');
const manifest = parse(file);

describe('slack-manifest.yml', () => {
  it('declares exactly what the code listens to and calls', () => {
    const { features, oauth_config: oauth, settings } = manifest;
    expect(features.slash_commands.map((one: { command: string }) => one.command)).toEqual([
      required.command,
    ]);
    expect(features.shortcuts.map((one: { callback_id: string }) => one.callback_id)).toEqual([
      required.messageShortcut,
    ]);
    expect([...oauth.scopes.bot].sort()).toEqual(Object.keys(required.scopes).sort());
    expect(oauth.scopes.user).toBeUndefined();
    expect([...settings.event_subscriptions.bot_events].sort()).toEqual([...required.events].sort());
    expect(features.app_home.home_tab_enabled).toBe(true);
    expect(settings.interactivity.is_enabled).toBe(true);
    expect(settings.socket_mode_enabled).toBe(true);
  });

  it("stays within Slack's length limits", () => {
    const { display_information: about, features } = manifest;
    expect(about.name.length).toBeLessThanOrEqual(35);
    expect(about.description.length).toBeLessThanOrEqual(140);
    expect(about.background_color).toMatch(/^#[0-9a-f]{6}$/);
    expect(features.bot_user.display_name).toMatch(/^[a-z0-9-_.]{1,80}$/);
    for (const one of features.slash_commands) {
      expect(one.command).toMatch(/^\/[a-z0-9-_]{1,31}$/);
      expect(one.description.length).toBeLessThanOrEqual(2_000);
      expect(one.usage_hint.length).toBeLessThanOrEqual(1_000);
      expect(one.should_escape).toBe(true);
    }
    for (const one of features.shortcuts) {
      expect(one.name.length).toBeLessThanOrEqual(24);
      expect(one.description.length).toBeLessThanOrEqual(150);
      expect(one.callback_id.length).toBeLessThanOrEqual(255);
    }
  });

  it('has a reason for each scope', () => {
    for (const [scope, why] of Object.entries(required.scopes)) expect(why, scope).not.toBe('');
    const history = required.events.filter((event) => event.startsWith('message.'));
    for (const event of history) {
      expect(required.scopes).toHaveProperty([`${event.slice('message.'.length)}:history`]);
    }
  });
});
