import type { Pipeline } from '../pipeline.ts';
import type { Intake } from '../request/intake.ts';
import type { World } from './world.ts';

/** What handlers of Slack's events are given. */
export interface HandlerDeps {
  readonly world: World;
  readonly pipeline: Pipeline;
  readonly intake: Intake;
}
