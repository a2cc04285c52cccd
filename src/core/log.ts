import type { JsonObject } from './json.ts';

/** Where we log: a constant message with the facts beside it. A pino logger fits. */
export interface Log {
  info(facts: JsonObject, message: string): void;
  warn(facts: JsonObject, message: string): void;
  error(facts: JsonObject, message: string): void;
}
