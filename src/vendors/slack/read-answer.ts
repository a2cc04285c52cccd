import type { z } from 'zod';
import { VendorError } from '../../core/errors.ts';

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
