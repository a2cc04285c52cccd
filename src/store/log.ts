import type { JsonObject } from '../core/json.ts';

/** Where the store tells what it does: a constant message, the facts beside it. A pino logger fits. */
export interface StoreLog {
  info(facts: JsonObject, message: string): void;
  warn(facts: JsonObject, message: string): void;
}
