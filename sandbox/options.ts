import type { Faults } from './faults.ts';
import type { LogEntry } from './incident.ts';
import type { Journal } from './journal.ts';
import type { Now, World } from './world.ts';

/** Inputs of every part of the sandbox. */
export interface PartOptions {
  readonly world: World;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly now: Now;
}

/** Inputs of the log systems. */
export interface LogOptions extends PartOptions {
  /** All entries up to now, oldest first. */
  readonly log: () => readonly LogEntry[];
}
