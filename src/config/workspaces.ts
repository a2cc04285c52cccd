import { z } from 'zod';
import { type OperatorConfig, operatorSchema } from './schema.ts';

/** Sections with ids of one Slack workspace, and those that run by themselves: other workspaces do not inherit them. */
const ofOneWorkspace = {
  channels: true,
  people: true,
  operators: true,
  schedules: true,
  agents: true,
} as const;
/** Sections a workspace inherits from the file unless it has its own. */
const inherited = {
  defaults: true,
  teams: true,
  services: true,
  projects: true,
  rules: true,
  approval: true,
  caps: true,
  audit: true,
  watches: true,
} as const;

/** Lists a workspace's sections; each one is parsed again, in place of the file's own. */
export const workspaceSchema = operatorSchema.pick({ ...ofOneWorkspace, ...inherited });

const workspaceId = z
  .string()
  .regex(/^[TE][A-Z0-9]{2,}$/, 'must be the id of a Slack workspace, T…, or of a whole company, E…');

/** Everything `countersign.yml` may contain. */
export const fileSchema = operatorSchema.extend({
  include: z
    .array(z.string().min(1))
    .max(100)
    .default([])
    .describe(
      'further files, such as teams/*.yml beside this one, with teams, services, projects, channels, people, rules, schedules, queries, causes, glossary and guidance of their own',
    ),
  workspaces: z
    .record(workspaceId, workspaceSchema)
    .default({})
    .describe('workspaces in which the bot may be installed with OAuth, by their ids; none means nowhere'),
});

export interface OperatorFile extends OperatorConfig {
  readonly include: readonly string[];
  /** The complete settings of each workspace named in the file. */
  readonly workspaces: Readonly<Record<string, OperatorConfig>>;
}

/** The settings of one workspace, as if the file had no others. */
export function sectionsOf(file: Readonly<Record<string, unknown>>, workspace: unknown): object {
  const { workspaces: _others, include: _files, ...shared } = file;
  const kept = Object.entries(shared).filter(([name]) => !Object.hasOwn(ofOneWorkspace, name));
  return { ...Object.fromEntries(kept), ...(workspace ?? {}) };
}
