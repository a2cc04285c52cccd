import { ArgumentNeeded, ArgumentRefused } from '../../core/errors.ts';
import type { Need } from '../../core/missing-input.ts';

/** An argument that Jira cannot take as it is. The message names it and says what is possible; nothing was written. */
export class ArgumentError extends ArgumentRefused {
  constructor(code: string, message: string) {
    super(code, message, 'Jira');
  }
}

/** Like ArgumentError, where a person can be asked for the value. */
export function needed(code: string, message: string, need: Need): ArgumentNeeded {
  return new ArgumentNeeded(code, message, need, 'Jira');
}
