import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Planner } from '../core/planning.ts';
import type { Policy } from '../core/policy.ts';
import type { Readers } from '../core/ports.ts';
import type { WriteTool } from '../core/tool.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import type { Runner } from '../run/runner.ts';
import type { Db } from '../store/tables.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { Reporting } from './report-ports.ts';

/** What the stages are wired to: built once at the start, by `app.ts`. */
export interface World {
  readonly teamId: string;
  readonly db: Db;
  readonly gateway: SlackGateway;
  readonly reporting: Reporting;
  readonly planner: Planner;
  /** Playbooks of the installation and saved ones. */
  readonly playbooks: () => Promise<readonly Playbook[]>;
  /** Plans without a model, for what must not cost anything: replies that may be mere talk. */
  readonly offline: Planner;
  readonly runner: () => Runner;
  readonly readers: Readers;
  readonly writeTools: ReadonlyMap<string, WriteTool>;
  readonly catalogue: Catalogue;
  /** Digest of the catalogue. */
  readonly catalogueDigest: string;
  readonly policy: Policy;
  readonly now: () => Date;
  readonly log: Log;
}
