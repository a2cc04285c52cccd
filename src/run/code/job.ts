import { z } from 'zod';

/** One evaluation: the body of a function, the names of its parameters, and their values as a JSON list. */
export interface Job {
  readonly source: string;
  readonly names: readonly string[];
  readonly inputs: string;
}

/** What a worker says before it starts on a job. */
export const begun = 'begun';

/** `memoryMb` is all that the engine has, for the inputs as well. */
export const codeBounds = {
  cpuMs: 50,
  memoryMb: 16,
  stackBytes: 256 * 1_024,
  inputBytes: 1_048_576,
  resultBytes: 65_536,
} as const;

/** An answer of a worker. It was made where the source ran, so it is read like any other input. */
export const answerSchema = z.union([
  z.object({ json: z.string() }),
  z.object({
    why: z.enum(['time', 'memory', 'depth', 'threw', 'not_finite', 'size', 'broken']),
    words: z.string().optional(),
    stack: z.string().optional(),
  }),
]);
export type CodeAnswer = z.infer<typeof answerSchema>;
