import type { BusinessHours } from '../core/business-hours.ts';
import { digestOf } from '../core/canonical.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Cause } from '../core/cause.ts';
import { durationMs } from '../core/duration.ts';
import { levels, type Manifest, type ToolSystem } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import type { Approver, Hours, Policy, Rule } from '../core/policy.ts';
import type { SlaReader } from '../core/ports.ts';
import type { QueryTemplate } from '../core/queries/template.ts';
import type { WatchLimits } from '../core/watch.ts';
import { sourcesOf } from './check-queries.ts';
import { declareQueries, withLanguages, writable } from './declare-query.ts';
import type { Env } from './env.ts';
import { templateOf } from './queries.ts';
import type { OperatorConfig, RuleConfig } from './schema.ts';

/** Missing settings of a system, in words, or null when its tools can be used. */
export type MissingSettings = Readonly<Record<ToolSystem, string | null>>;

/** Which systems are usable with these settings. */
export function missingSettings(env: Env, config: OperatorConfig): MissingSettings {
  const sources = {
    azure: config.azure
      ? null
      : 'azure in countersign.yml, AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET',
    splunk: env.SPLUNK_URL ? null : 'SPLUNK_URL and SPLUNK_TOKEN',
    sql: Object.keys(config.databases).length > 0 ? null : 'databases in countersign.yml',
  };
  return {
    ...sources,
    slack: null,
    sla: Object.values(config.projects).some((p) => Object.keys(p.sla).length > 0)
      ? null
      : 'an sla under projects in countersign.yml',
    jira: env.JIRA_HOST ? null : 'JIRA_HOST, JIRA_EMAIL and JIRA_API_TOKEN',
    pagerduty: env.PAGERDUTY_API_TOKEN ? null : 'PAGERDUTY_API_TOKEN and PAGERDUTY_FROM_EMAIL',
    // Without a model it returns an extract.
    model: null,
    code: null,
    numbers: null,
    runbooks: config.runbooks || config.confluence ? null : 'runbooks or confluence in countersign.yml',
    confluence:
      config.confluence && config.confluence.publish.length > 0
        ? null
        : 'publish under confluence in countersign.yml, and CONFLUENCE_HOST',
    errors: config.errors ? null : 'errors in countersign.yml',
    prometheus: env.PROMETHEUS_URL ? null : 'PROMETHEUS_URL',
    queries:
      writable(config, sources).length > 0
        ? null
        : 'languages under written_queries in countersign.yml, and a source for one',
    mcp: null,
    actions: null,
  };
}

/** Everything a planner may name: tools with an implementation and settings, and the operator's names. */
export function buildCatalogue(
  config: OperatorConfig,
  manifests: readonly Manifest[],
  hands: ReadonlySet<string>,
  missing: MissingSettings,
): Catalogue {
  const queries = buildQueries(config);
  const usable = new Map<string, Manifest>();
  const unconfigured = new Map<string, string>();
  for (const manifest of manifests) {
    const lacks = missing[manifest.system];
    if (lacks === null && hands.has(manifest.name))
      usable.set(
        manifest.name,
        withLanguages(declareQueries(withLevel(manifest, config), queries), writable(config, missing)),
      );
    else unconfigured.set(manifest.name, lacks ?? 'a tool that is not part of this installation');
  }
  return {
    manifests: usable,
    unconfigured,
    services: Object.entries(config.services).map(([name, s]) => ({
      name,
      pagerdutyId: s.pagerduty,
      ...(s.project === undefined ? {} : { project: s.project }),
      ...(s.backup === undefined ? {} : { backup: s.backup }),
      ...(s.phone === undefined ? {} : { phone: s.phone }),
      ...(s.routing_key === undefined ? {} : { routing: s.routing_key }),
    })),
    projects: Object.entries(config.projects).map(([key, p]) => ({
      key,
      aliases: p.aliases,
      sla: Object.fromEntries(Object.entries(p.sla).map(([name, sla]) => [name, sla.max_open])),
      ...(p.service === undefined ? {} : { service: p.service }),
      agreed: digestOf([p.sla, p.business_hours ?? null]),
    })),
    channels: Object.entries(config.channels).map(([name, c]) => ({
      name,
      id: c.id,
      clearance: c.clearance,
    })),
    people: Object.entries(config.people).map(([handle, id]) => ({ handle, id })),
    spaces: config.confluence?.publish ?? [],
    defaults: definedOnly(config.defaults),
    priorities: config.jira.priorities,
    queries,
    pasted: config.pasted_queries,
    ...adviceOf(config),
    causes: buildCauses(config),
    open: false,
  };
}

function adviceOf({ glossary, guidance, teams }: OperatorConfig): Pick<Catalogue, 'glossary' | 'guidance'> {
  return {
    glossary: Object.entries(glossary).map(([term, meaning]) => ({ term, meaning })),
    guidance: guidance.map(({ services = [], teams: named = [], text }) => {
      const ofTeams = named.flatMap((name) => Object.values(own(teams, name) ?? {}).flat());
      const isGeneral = services.length + named.length === 0;
      return { about: isGeneral ? null : [...services, ...ofTeams], text };
    }),
  };
}

function buildCauses({ causes }: Pick<OperatorConfig, 'causes'>): Cause[] {
  return causes.map(({ id, sentence, services = null, check, fix = null, runbook = null }) => {
    return { id, sentence, services, check, fix, runbook };
  });
}

function definedOnly(defaults: OperatorConfig['defaults']): Catalogue['defaults'] {
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined));
}

/** `U…`, `S…`, `oncall` or `oncall:<service>`, already validated by the schema. */
export function readApprover(source: string): Approver {
  const service = /^oncall(?::(.*))?$/su.exec(source);
  if (service !== null) return { kind: 'oncall', service: service[1] ?? null };
  return source.startsWith('S') ? { kind: 'group', id: source } : { kind: 'user', id: source };
}

export function readHours({ from, to, days, timezone }: NonNullable<RuleConfig['hours']>): Hours {
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return {
    ...{ from: minutes(from), to: minutes(to), timezone },
    // Here the week begins on Monday, in `Date` on Sunday.
    days: (days ?? weekdays).map((day) => (weekdays.indexOf(day) + 1) % 7),
  };
}

/** A rule from the file; one without a name is identified by its position. */
export function readRule(rule: RuleConfig, index: number, fourEyes: boolean): Rule {
  const { tools, services, projects, channels, risk, hours, deny, approvers, backup, needed } = rule;
  return {
    name: rule.name ?? `rule ${index + 1}`,
    ...{ tools: tools ?? null, services: services ?? null, projects: projects ?? null },
    ...{ channels: channels ?? null, risks: risk ?? null, deny: deny ?? null, needed },
    hours: hours ? readHours(hours) : null,
    approvers: (approvers ?? []).map(readApprover),
    backup: backup.map(readApprover),
    fourEyes: rule.four_eyes ?? fourEyes,
  };
}

/** A rule about teams is one about their services, one about their projects and one about their channels. */
function ofTeams(rule: Rule, names: readonly string[] | undefined, teams: OperatorConfig['teams']): Rule[] {
  if (names === undefined) return [rule];
  return (['services', 'projects', 'channels'] as const).flatMap((kind) => {
    const all = names.flatMap((name) => own(teams, name)?.[kind] ?? []);
    return all.length === 0 ? [] : [{ ...rule, [kind]: all }];
  });
}

export function buildPolicy(config: OperatorConfig): Policy {
  const served = Object.entries(config.projects).flatMap(([key, { service }]) =>
    service === undefined ? [] : [[key, service] as const],
  );
  return {
    rules: config.rules.flatMap((rule, index) =>
      ofTeams(readRule(rule, index, config.approval.four_eyes), rule.teams, config.teams),
    ),
    serviceOf: Object.fromEntries(served),
    breakGlass: config.approval.break_glass.map(readApprover),
    reads: config.approval.reads,
    code: config.code,
    written: { approval: config.written_queries.approval, unattended: config.written_queries.unattended },
    expiresMinutes: config.approval.expires_minutes,
    caps: {
      steps: config.caps.steps,
      writes: config.caps.writes,
      pagesPerHour: config.caps.pages_per_hour,
      postsPerHour: config.caps.posts_per_hour,
      questionsPerHour: config.caps.questions_per_hour,
      plansPerHour: config.caps.plans_per_hour,
      modelUsdPerDay: config.caps.model_usd_per_day,
    },
  };
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function hoursOf(hours: OperatorConfig['projects'][string]['business_hours']): BusinessHours | null {
  if (hours === undefined) return null;
  return { ...hours, days: hours.days.map((day) => weekdays.indexOf(day) + 1) };
}

/** The agreed limits, as read from the file at start. */
export function buildSla(config: OperatorConfig): SlaReader {
  return {
    threshold(project, priority) {
      const sla = own(own(config.projects, project)?.sla ?? {}, priority);
      return sla ? { maxOpen: sla.max_open, resolveWithin: sla.resolve_within ?? null } : null;
    },
    resolution(key, priority) {
      const project = own(config.projects, key);
      const sla = own(project?.sla ?? {}, priority);
      const ms = durationMs(sla?.resolve_within ?? '');
      if (sla === undefined || ms === null) return null;
      return { ms, hours: sla.around_the_clock ? null : hoursOf(project?.business_hours) };
    },
  };
}

/** Database rows are as confidential as the most confidential database. */
function withLevel(manifest: Manifest, { databases }: OperatorConfig): Manifest {
  const set = Object.values(databases).map(({ level }) => levels.indexOf(level));
  const mayBeRows = manifest.queries === 'sql' || manifest.written !== undefined;
  const least = manifest.written === undefined ? [] : [levels.indexOf('internal')];
  const highest = mayBeRows ? levels[Math.max(...set, ...least)] : undefined;
  return highest === undefined ? manifest : { ...manifest, yields: highest };
}

/** The operator's vetted queries. */
export function buildQueries(config: OperatorConfig): QueryTemplate[] {
  return config.queries.map((query) => templateOf(query, sourcesOf(config, query.language)));
}

export function watchLimits({ watches }: Pick<OperatorConfig, 'watches'>): WatchLimits {
  const { per_person: perPerson, in_all: inAll, min_minutes: minutes, days, max_days: maxDays } = watches;
  return { perPerson, inAll, minutes, days, maxDays, worse: watches.worse_by, failures: watches.failures };
}
