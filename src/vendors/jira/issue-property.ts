import { z } from 'zod';

/**
 * Entity property for finding our own writes again; invisible to people. A comment and a new issue carry one mark, an
 * issue also our moves of it.
 */
export const propertyKey = 'countersign';

const move = z.object({ mark: z.string(), from: z.string(), to: z.string() });
const schema = z.object({ mark: z.string().optional(), moves: z.array(move).default([]) });
export type Marks = z.infer<typeof schema>;

/** Maximum moves remembered: the check after a lost answer comes soon. */
const maxMoves = 20;

/** Our property's value; empty if somebody else wrote it. */
export function marksIn(value: unknown): Marks {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : { moves: [] };
}

/** The properties of an issue with one more move. */
export function withMove({ mark, moves }: Marks, one: Marks['moves'][number]) {
  const value = { ...(mark === undefined ? {} : { mark }), moves: [...moves, one].slice(-maxMoves) };
  return [{ key: propertyKey, value }];
}

export function marked(mark: string) {
  return { key: propertyKey, value: { mark } };
}
