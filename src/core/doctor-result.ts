import { describeError } from './errors.ts';

/** Result of checking one part of the set-up. `note`: works, with a remark; `wrong`: does not work. */
export interface Checkup {
  /** For example `slack scopes`. */
  readonly about: string;
  readonly level: 'ok' | 'note' | 'wrong';
  /** One line: the finding and what to do about it. */
  readonly says: string;
}

/** Runs one check; an error it throws becomes the finding. */
export async function tried(about: string, attempt: () => Promise<Checkup[]>): Promise<Checkup[]> {
  try {
    return await attempt();
  } catch (error) {
    return [{ about, level: 'wrong', says: describeError(error).message }];
  }
}

/** A part that is not set up, with the settings it needs. */
export function notSetUp(about: string, settings: string): Checkup {
  return { about, level: 'note', says: `not set up, so plans cannot use it; it needs ${settings}` };
}
