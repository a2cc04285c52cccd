import { z } from 'zod';
import type { OpenView } from './events.ts';

/** Schemas of Slack's payloads, covering only the fields we read. */
const id = z.string().min(1).max(60);
const _nullableId = id.nullish().transform((value) => value ?? null);
/** Messages with only files or blocks may have no text. */
const words = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

export const commandPayload = z.object({
  team_id: id,
  user_id: id,
  channel_id: id,
  text: words,
  response_url: z.string(),
  trigger_id: z.string(),
});

const eventBody = z.object({
  event_id: z.string(),
  /** Where it happened: in a channel shared between companies this may be the other one. */
  team_id: id.nullish(),
  /** The installations of the app it was sent for. */
  authorizations: z.array(z.object({ team_id: id.nullish(), enterprise_id: id.nullish() })).nullish(),
});

const messageEvent = z.object({
  user: id.nullish(),
  /** Home of the author: `user_team` in a shared channel, and a company's id if it has several workspaces. */
  user_team: id.nullish(),
  team: id.nullish(),
  bot_id: id.nullish(),
  subtype: z.string().nullish(),
  channel: id,
  /** `im` is a direct conversation with the bot. */
  channel_type: z.string().nullish(),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  text: words,
});

export const messageBody = eventBody.extend({ event: messageEvent });
/** A message event of any kind; of a change the message is inside. */
export const appMessageBody = eventBody.extend({
  event: z.looseObject({ channel: id, subtype: z.string().nullish(), message: z.unknown().optional() }),
});
export const homeBody = eventBody.extend({ event: z.object({ user: id, tab: z.string(), channel: id }) });
export const stopBody = eventBody.extend({
  event: z.object({ user: id, channel: id, thread_ts: z.string() }),
});

const user = z.object({ id, team_id: id.nullish() });
const team = z.object({ id }).nullish();

export const shortcutPayload = z.object({
  team,
  user,
  channel: z.object({ id }),
  response_url: z.string(),
  trigger_id: z.string(),
  /** Its words may be anywhere in it. */
  message: z.looseObject({ ts: z.string(), thread_ts: z.string().nullish(), text: words }),
});

const option = z.object({ value: z.string() });
const fieldState = z.object({
  value: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
});

const viewPayload = z.object({
  id: z.string(),
  hash: z.string().default(''),
  type: z.string(),
  callback_id: z.string().default(''),
  private_metadata: z.string().max(3_000).default(''),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), fieldState)) }).default({ values: {} }),
});

export const actionPayload = z.object({
  team,
  user,
  trigger_id: z.string(),
  response_url: z.string().nullish(),
  channel: z.object({ id }).nullish(),
  message: z.object({ ts: z.string(), thread_ts: z.string().nullish() }).nullish(),
  container: z.object({ message_ts: z.string().nullish(), channel_id: z.string().nullish() }).nullish(),
  view: viewPayload.nullish(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        value: z.string().nullish(),
        selected_option: option.nullish(),
      }),
    )
    .min(1),
});

export const submitPayload = z.object({ team, user, trigger_id: z.string().default(''), view: viewPayload });

function fieldValue(field: z.infer<typeof fieldState>): string | readonly string[] | null {
  if (field.selected_options) return field.selected_options.map((chosen) => chosen.value);
  return field.selected_option?.value ?? field.value ?? null;
}

export function openView(view: z.infer<typeof viewPayload>): OpenView {
  const values = Object.fromEntries(
    Object.entries(view.state.values).map(([block, fields]) => {
      const first = Object.values(fields)[0];
      return [block, first ? fieldValue(first) : null];
    }),
  );
  return {
    id: view.id,
    hash: view.hash,
    callbackId: view.callback_id,
    privateMetadata: view.private_metadata,
    values,
  };
}
