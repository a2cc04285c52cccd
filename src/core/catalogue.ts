import { digestOf } from './canonical.ts';
import type { Cause } from './cause.ts';
import type { TargetKind } from './fields.ts';
import { jsonOf } from './json.ts';
import type { Level, Manifest } from './manifest.ts';
import { manifestDigest } from './manifest-facts.ts';
import type { TableBook } from './queries/tables.ts';
import type { QueryLanguage, QueryTemplate } from './queries/template.ts';

export interface ServiceEntry {
  readonly name: string;
  /** PagerDuty service id (`PSOPS01`). */
  readonly pagerdutyId: string;
  /** Its Jira project, if any. */
  readonly project?: string;
  /** The service to page when a page to this one did not go out. */
  readonly backup?: string;
  /** Telephone number for when nobody can be paged: +49 30 901820. */
  readonly phone?: string;
  /** The variable with its routing key, if any: a page's real destination. */
  readonly routing?: string;
}

export interface ProjectEntry {
  /** Jira project key. */
  readonly key: string;
  /** The service to page for it, if any. */
  readonly service?: string;
  /** Other words engineers use for it. */
  readonly aliases: readonly string[];
  /** Agreed limits: open tickets that the SLA allows, by priority. */
  readonly sla?: Readonly<Record<string, number>>;
  /** Digest of its other agreements: times to resolve and business hours. */
  readonly agreed?: string;
}

export interface ChannelEntry {
  /** Name without `#`. */
  readonly name: string;
  readonly id: string;
  /** Highest data level that may be posted there. */
  readonly clearance: Level;
}

export interface PersonEntry {
  /** Handle without `@`. */
  readonly handle: string;
  readonly id: string;
}

/** Defaults for values the goal leaves out; each use shows on the card as a guess. */
export interface Defaults {
  readonly project?: string;
  readonly priority?: string;
  readonly service?: string;
  readonly channel?: string;
  /** IANA time zone for times given without one. */
  readonly timezone?: string;
}

/** Words for a model that plans. */
export interface Guidance {
  /** Names of services, projects and channels (without `#`); null for everything. */
  readonly about: readonly string[] | null;
  readonly text: string;
}

/** All manifests plus the operator's services, projects and channels: everything a planner may name. */
export interface Catalogue {
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Tools that exist but are not configured, with their missing settings. */
  readonly unconfigured: ReadonlyMap<string, string>;
  /** Tools currently switched off, with the reason; changes while the bot runs. Absent: none. */
  readonly off?: ReadonlyMap<string, string>;
  readonly services: readonly ServiceEntry[];
  readonly projects: readonly ProjectEntry[];
  readonly channels: readonly ChannelEntry[];
  readonly people: readonly PersonEntry[];
  /** Keys of Confluence spaces in which pages may be created. Absent: none. */
  readonly spaces?: readonly string[];
  readonly defaults: Defaults;
  /** Jira's names for P1 to P5, where the operator maps them. */
  readonly priorities?: Readonly<Record<string, string>>;
  /** The operator's vetted queries; their words also appear in the manifests of their tools. */
  readonly queries?: readonly QueryTemplate[];
  /** Languages in which people may write queries of their own. */
  readonly pasted?: readonly QueryLanguage[];
  /** Tables that a model which writes queries may know of; read while the bot runs. Absent: none. */
  readonly tables?: TableBook;
  /** The sources of code steps in installed playbooks. */
  readonly vettedCode?: ReadonlySet<string>;
  /** The operator's words for things, and what a model should know of some of them; they change no rule. */
  readonly glossary?: readonly { readonly term: string; readonly meaning: string }[];
  readonly guidance?: readonly Guidance[];
  /** The operator's causes; no planner is told of them. */
  readonly causes?: readonly Cause[];
  /** True when names in the goal's text count as known (evaluation without a workspace). */
  readonly open: boolean;
}

/** A catalogue without a workspace; names that appear in the goal count as known. */
export function openCatalogue(manifests: readonly Manifest[]): Catalogue {
  return {
    manifests: new Map(manifests.map((manifest) => [manifest.name, manifest])),
    unconfigured: new Map(),
    services: [],
    projects: [],
    channels: [],
    people: [],
    defaults: {},
    open: true,
  };
}

/** The vetted query that a step names. */
export const queryOf = (
  { tool, args }: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
  { manifests, queries = [] }: Pick<Catalogue, 'manifests' | 'queries'>,
): QueryTemplate | undefined =>
  queries.find(({ language, name }) => language === manifests.get(tool)?.queries && name === args.named);

/** True when a literal target is in the catalogue; kinds that the catalogue does not list are always known. */
export function knowsTarget(catalogue: Catalogue, kind: TargetKind, name: string, goal = ''): boolean {
  if (catalogue.open && goal.toLowerCase().includes(name.replace(/^[#@]/, '').toLowerCase())) return true;
  switch (kind) {
    case 'service':
      return catalogue.services.some((service) => service.name === name);
    case 'project':
      return catalogue.projects.some((project) => project.key === name);
    case 'issue':
      return catalogue.projects.some((project) => project.key === name.replace(/-\d+$/, ''));
    case 'channel':
      return catalogue.channels.some((channel) => channel.name === name.replace(/^#/, ''));
    case 'user':
      return catalogue.people.some((person) => person.handle === name.replace(/^@/, ''));
    case 'space':
      return catalogue.spaces?.includes(name) ?? false;
    default:
      return true;
  }
}

/** Names of a kind that the catalogue lists, for messages and question buttons. */
export function namesOf(catalogue: Catalogue, kind: TargetKind): string[] {
  switch (kind) {
    case 'service':
      return catalogue.services.map((service) => service.name);
    case 'project':
      return catalogue.projects.map((project) => project.key);
    case 'channel':
      return catalogue.channels.map((channel) => `#${channel.name}`);
    case 'user':
      return catalogue.people.map((person) => `@${person.handle}`);
    case 'space':
      return [...(catalogue.spaces ?? [])];
    default:
      return [];
  }
}

/** Digest over everything in the catalogue. */
export function catalogueDigest(catalogue: Catalogue): string {
  const manifests = [...catalogue.manifests.values()].map(manifestDigest).sort();
  const { services, projects, channels, people, defaults } = catalogue;
  const { priorities = {}, queries = [], pasted = [], spaces = [] } = catalogue;
  const names = { services, projects, channels, people, spaces, defaults };
  return digestOf(jsonOf({ manifests, ...names, priorities, queries, pasted }));
}
