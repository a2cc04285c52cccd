import type { Now } from '../world.ts';
import type { Delivery } from './delivery/delivery.ts';
import type { ResponseUrls } from './delivery/response-urls.ts';
import type { Triggers } from './delivery/triggers.ts';
import type { AppDeclaration } from './model.ts';
import type { SlackState } from './state.ts';

/** The parts that Web API methods and people's actions work on. */
export interface Workspace {
  readonly state: SlackState;
  readonly app: AppDeclaration;
  /** Block types unknown to this workspace. */
  readonly unknownBlocks: readonly string[];
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly delivery: Delivery;
  readonly now: Now;
  /** Address of this Slack without a trailing slash. */
  readonly url: () => string;
}
