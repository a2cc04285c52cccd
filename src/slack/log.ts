import type { JsonObject } from '../core/json.ts';

/** Where the Slack side tells what it does: a constant message, the facts beside it. A pino logger fits. */
export interface SlackLog {
  info(facts: JsonObject, message: string): void;
  warn(facts: JsonObject, message: string): void;
  error(facts: JsonObject, message: string): void;
}
