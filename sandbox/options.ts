import type { Faults } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Now, World } from './world.ts';

/** Inputs of every part of the sandbox. */
export interface PartOptions {
  readonly world: World;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly now: Now;
}
