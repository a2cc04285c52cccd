import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Shelf } from '../plan/playbooks/library.ts';
import type { Replies, TeamBase } from './process-context.ts';
import type { Reporting } from './reporting.ts';
import type { BuiltStages } from './stages.ts';

/** Dependencies of the handlers of a workspace’s events. */
export interface EventContext extends TeamBase, BuiltStages {
  readonly pipeline: Pipeline;
  readonly config: OperatorConfig;
  readonly catalogue: Catalogue;
  readonly shelf: Shelf;
  readonly reporting: Reporting;
  readonly replies: Replies;
  readonly now: () => Date;
  readonly log: Log;
}
