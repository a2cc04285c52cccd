import type { TrainStep, TrainWhen } from './cases.ts';
import type { Names } from './names.ts';
import type { Random } from './random.ts';

/** A step while it is changed. */
export type Editable = Omit<TrainStep, 'args' | 'when'> & {
  args: Record<string, TrainStep['args'][string]>;
  when?: TrainWhen;
};
/** Changes the steps, and says so in words; null where it does not apply. */
export type Change = (steps: Editable[], names: Names, random: Random) => string | null;

/** Tools that carry words to people. */
export const speaks = new Set(['slack.post', 'pagerduty.page', 'jira.comment', 'pagerduty.note']);
