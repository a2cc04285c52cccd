import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { AppDeclaration } from './model.ts';

const manifestSchema = z.object({
  features: z.object({
    agent_view: z.object({ agent_description: z.string().max(300) }).optional(),
    app_home: z
      .object({
        home_tab_enabled: z.boolean().default(false),
        messages_tab_enabled: z.boolean().default(false),
      })
      .optional(),
    slash_commands: z
      .array(
        z.object({
          command: z.string(),
          description: z.string().default(''),
          usage_hint: z.string().default(''),
          should_escape: z.boolean().default(false),
        }),
      )
      .default([]),
    shortcuts: z
      .array(z.object({ name: z.string(), callback_id: z.string(), type: z.enum(['message', 'global']) }))
      .default([]),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()).default([]) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()).default([]) }).optional(),
  }),
});

/** Reads an app manifest, so that the workspace grants exactly what the app asks for. Throws for an invalid one. */
export function readManifest(path: string | URL): AppDeclaration {
  const manifest = manifestSchema.parse(parse(readFileSync(path, 'utf8')));
  return {
    scopes: manifest.oauth_config.scopes.bot,
    events: manifest.settings.event_subscriptions?.bot_events ?? [],
    isAgent: manifest.features.agent_view !== undefined,
    homeTab: manifest.features.app_home?.home_tab_enabled ?? false,
    messagesTab: manifest.features.app_home?.messages_tab_enabled ?? false,
    commands: manifest.features.slash_commands.map((one) => ({
      command: one.command,
      description: one.description,
      usageHint: one.usage_hint,
      shouldEscape: one.should_escape,
    })),
    shortcuts: manifest.features.shortcuts.map((one) => ({
      name: one.name,
      callbackId: one.callback_id,
      type: one.type,
    })),
  };
}
