import { describeError } from './errors.ts';

/** What trying a part out came to. `note`: it works, and there is something to know; `wrong`: it does not. */
export interface Checkup {
  /** Such as `slack scopes`. */
  readonly about: string;
  readonly level: 'ok' | 'note' | 'wrong';
  /** One line: what was found, and what to do about it. */
  readonly says: string;
}

/** Tries one thing; whatever it throws is what is wrong with it. */
export async function tried(about: string, attempt: () => Promise<Checkup[]>): Promise<Checkup[]> {
  try {
    return await attempt();
  } catch (error) {
    return [{ about, level: 'wrong', says: describeError(error).message }];
  }
}

/** What is left out, and which settings it takes. */
export function notSetUp(about: string, settings: string): Checkup {
  return { about, level: 'note', says: `not set up, so plans cannot use it; it needs ${settings}` };
}
