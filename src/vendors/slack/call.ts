import type { WebClient } from '@slack/web-api';
import type { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import type { Repeat } from './retry.ts';

/** A Web API call by name, repeated as `repeat` allows. */
export type Call = <T>(
  method: string,
  repeat: Repeat,
  run: (client: WebClient) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

/** Slack's answer, parsed for the fields we need; another shape is an error that may be temporary. */
export function readAnswer<S extends z.ZodType>(schema: S, raw: unknown, method: string): z.infer<S> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new VendorError('slack_bad_answer', 'Slack sent an unreadable response.', {
    retryable: true,
    mayHaveHappened: false,
    facts: { method },
    cause: parsed.error,
  });
}
