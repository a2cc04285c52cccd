import type { Pipeline } from '../pipeline.ts';
import type { Conversations } from './conversations.ts';
import type { Decisions } from './decisions.ts';
import type { Homes } from './home.ts';
import type { Intake } from './intake.ts';
import type { World } from './world.ts';

/** What handlers of Slack's events call. */
export interface HandlerDeps {
  readonly world: World;
  readonly pipeline: Pipeline;
  readonly decisions: Decisions;
  readonly conversations: Conversations;
  readonly intake: Intake;
  readonly homes: Homes;
}
