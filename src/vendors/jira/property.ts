import { z } from 'zod';

/**
 * Entity property by which what we wrote is found again; people do not see it. A comment and a new issue carry one mark,
 * an issue also the moves that we made of it.
 */
export const propertyKey = 'countersign';

const move = z.object({ mark: z.string(), from: z.string(), to: z.string() });
const schema = z.object({ mark: z.string().optional(), moves: z.array(move).default([]) });
export type Marks = z.infer<typeof schema>;

/** Moves that are remembered: a lost answer is asked about soon. */
const maxMoves = 20;

/** What stands under our property; nothing where somebody else wrote it. */
export function marksIn(value: unknown): Marks {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : { moves: [] };
}

/** The properties of an issue with another move in them. */
export function withMove({ mark, moves }: Marks, one: Marks['moves'][number]) {
  const value = { ...(mark === undefined ? {} : { mark }), moves: [...moves, one].slice(-maxMoves) };
  return [{ key: propertyKey, value }];
}

export function marked(mark: string) {
  return { key: propertyKey, value: { mark } };
}
