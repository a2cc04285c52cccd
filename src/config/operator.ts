import { validate as isCron } from 'node-cron';
import { type Document, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { pinsOf } from '../core/mcp.ts';
import { plainWords } from '../core/plain-words.ts';
import { yamlValues } from '../core/yaml-values.ts';
import { queryComplaints } from './check-queries.ts';
import { ConfigError, unmetByValue } from './env.ts';
import { maxConfigBytes, tooLarge } from './file.ts';
import { mcpComplaints } from './mcp.ts';
import { type Complaint, findingLines, type Known, notForFronts, type Path } from './problem.ts';
import { asRules, isTimeZone, ruleComplaints } from './rules.ts';
import { type OperatorConfig, operatorSchema } from './schema.ts';
import { keysAt, unknownSetting } from './unknown-setting.ts';
import { fileSchema, type OperatorFile, sectionsOf } from './workspaces.ts';

/** One thing wrong in `countersign.yml`, by line. */
export interface ConfigProblem {
  /** 1-based; 1 when the place cannot be told. */
  readonly line: number;
  /** Such as `services.ops.routing_key`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

const notAZone = 'is not a time zone such as Europe/Berlin';
/** One slip makes many of them further down. */
const maxYamlErrors = 5;

/** Checks everything at once. `config` is null exactly when there are problems. */
export function checkOperatorConfig(
  source: string,
  known: Known,
): { config: OperatorFile | null; problems: ConfigProblem[] } {
  if (source.length > maxConfigBytes) {
    return { config: null, problems: [{ line: 1, path: '', message: tooLarge }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  if (document.errors.length > 0) {
    const problems = document.errors.slice(0, maxYamlErrors).map((error) => ({
      line: lines.linePos(error.pos[0]).line,
      path: '',
      message:
        error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'is not valid YAML',
    }));
    return { config: null, problems };
  }
  const read = yamlValues(document, source);
  if ('message' in read) return { config: null, problems: [{ ...read, path: '' }] };
  const given = read.values ?? {};
  const parsed = fileSchema.safeParse(given, { error: plainWords });
  const complaints: Complaint[] = parsed.success
    ? crossCheck(parsed.data, known)
    : parsed.error.issues.flatMap((issue) => complaintsOf(issue, given));
  const workspaces = complaints.length === 0 ? readWorkspaces({ ...given }, known) : noWorkspaces;
  complaints.push(...workspaces.complaints);
  const problems = complaints.map(({ path, message }) => ({
    line: lineOf(document, lines, path),
    path: path.map(String).join('.'),
    message,
  }));
  problems.sort((a, b) => a.line - b.line);
  const config = parsed.success ? { ...parsed.data, workspaces: workspaces.read } : null;
  return { config: problems.length === 0 ? config : null, problems };
}

interface ReadWorkspaces {
  readonly read: Readonly<Record<string, OperatorConfig>>;
  readonly complaints: readonly Complaint[];
}
const noWorkspaces: ReadWorkspaces = { read: {}, complaints: [] };

/** The settings of each workspace, of a file that is right without them. */
function readWorkspaces(given: Readonly<Record<string, unknown>>, known: Known): ReadWorkspaces {
  const named = Object.entries((given.workspaces ?? {}) as Record<string, unknown>);
  const each = named.map(([id, own]) => {
    const config = operatorSchema.parse(sectionsOf(given, own));
    const complaints = crossCheck(config, known).map(({ path, message }) => ({
      path: ['workspaces', id, ...path],
      message,
    }));
    return { id, config, complaints };
  });
  return {
    read: Object.fromEntries(each.map(({ id, config }) => [id, config])),
    complaints: each.flatMap(({ complaints }) => complaints),
  };
}

/** A key that nobody knows is shown where it stands. */
function complaintsOf(issue: z.core.$ZodIssue, given: unknown): Complaint[] {
  const { path, message } = issue;
  if (issue.code === 'invalid_key') return [{ path, message: issue.issues[0]?.message ?? message }];
  if (issue.code !== 'unrecognized_keys') return [{ path, message }];
  return issue.keys.map((key) => ({
    path: [...path, key],
    message:
      path.length === 0 && key === 'approvers'
        ? asRules(given)
        : unknownSetting(key, keysAt(fileSchema, issue.path)),
  }));
}

/** Like checkOperatorConfig, but a problem is a ConfigError that lists all of them. */
export function readOperatorConfig(source: string, file: string, known: Known): OperatorFile {
  const { config, problems } = checkOperatorConfig(source, known);
  if (config) return config;
  const lines = problems.map((problem) => problemLine(file, problem));
  throw new ConfigError('config_file', `${file} cannot be used:\n${findingLines(lines)}`, {
    problems: lines,
  });
}

/** `countersign.yml:12 services.ops: …` */
export function problemLine(file: string, problem: ConfigProblem): string {
  return `${file}:${problem.line} ${[problem.path, problem.message].filter(Boolean).join(': ')}`;
}

function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
      return lines.linePos(node.range[0]).line;
    }
  }
  return 1;
}

/** Names that must exist elsewhere in the file, among the tools, or in the environment. */
function crossCheck(config: OperatorConfig, known: Known): Complaint[] {
  const complaints: Complaint[] = [];
  const must = (holds: boolean, path: Path, message: string): void => {
    if (!holds) complaints.push({ path, message });
  };
  const has = (names: object, name: string | undefined): boolean =>
    name === undefined || Object.hasOwn(names, name);

  const { defaults } = config;
  must(has(config.projects, defaults.project), ['defaults', 'project'], 'is not under projects');
  must(has(config.services, defaults.service), ['defaults', 'service'], 'is not under services');
  must(has(config.channels, defaults.channel), ['defaults', 'channel'], 'is not under channels');
  must(isTimeZone(defaults.timezone ?? 'UTC'), ['defaults', 'timezone'], notAZone);
  const witness = config.audit.witness_channel;
  must(has(config.channels, witness), ['audit', 'witness_channel'], 'is not under channels');
  for (const [name, channel] of Object.entries(config.channels)) {
    const others = Object.values(config.channels).filter(({ id }) => id === channel.id);
    const agree = others.every(({ clearance }) => clearance === channel.clearance);
    must(agree, ['channels', name, 'clearance'], 'differs from that of another name of the same channel');
  }
  complaints.push(...serviceComplaints(config, known));
  const wiki = !config.confluence || !known.checksEnvironment || known.variables.has('CONFLUENCE_HOST');
  must(wiki, ['confluence'], 'needs CONFLUENCE_HOST in the environment');
  for (const [key, project] of Object.entries(config.projects)) {
    must(has(config.services, project.service), ['projects', key, 'service'], 'is not under services');
    complaints.push(...hoursComplaints(key, project));
  }
  const pinned = pinsOf(config.mcp).map(({ name, pinned: { effect } }) => [name, effect] as const);
  must(
    config.approval.break_glass.length === 0 || defaults.channel !== undefined,
    ['approval', 'break_glass'],
    'needs defaults.channel, where it is posted',
  );
  complaints.push(...ruleComplaints(config, new Map([...known.tools, ...pinned])));
  complaints.push(
    ...queryComplaints(config, known),
    ...scheduleComplaints(config, known),
    ...mcpComplaints(config.mcp, known),
  );
  return complaints;
}

function hoursComplaints(
  key: string,
  { business_hours: hours, sla }: OperatorConfig['projects'][string],
): Complaint[] {
  if (hours === undefined) return [];
  const timezone = { path: ['projects', key, 'business_hours', 'timezone'], message: notAZone };
  const days = Object.entries(sla).flatMap(([priority, agreed]) => {
    if (agreed.around_the_clock || !/[DW]/.test(agreed.resolve_within ?? '')) return [];
    const message =
      'must be in hours, such as PT16H: with business hours, a day could be 24 hours or one working day';
    return [{ path: ['projects', key, 'sla', priority, 'resolve_within'], message }];
  });
  return [...(isTimeZone(hours.timezone) ? [] : [timezone]), ...days];
}

function serviceComplaints({ services, projects }: OperatorConfig, known: Known): Complaint[] {
  const complaints: Complaint[] = [];
  const nameById = new Map<string, string>();
  for (const [name, service] of Object.entries(services)) {
    const at = (field: string, message: string): void => {
      complaints.push({ path: ['services', name, field], message });
    };
    if (service.project !== undefined && !Object.hasOwn(projects, service.project)) {
      at('project', 'is not under projects');
    }
    const key = known.variables.get(service.routing_key);
    if (known.holdsNoKeys) {
      if (key !== undefined) at('routing_key', notForFronts(service.routing_key));
    } else if (key === undefined) {
      // Without PagerDuty nobody is paged, so there is nothing that the key would be for.
      if (known.variables.has('PAGERDUTY_API_TOKEN'))
        at('routing_key', `needs ${service.routing_key} in the environment`);
    } else {
      const unmet = unmetByValue(key);
      if (unmet !== null) at('routing_key', `needs ${service.routing_key} to be ${unmet}`);
    }
    const other = nameById.get(service.pagerduty);
    if (other === undefined) nameById.set(service.pagerduty, name);
    else at('pagerduty', `is already the id of ${other}; a page could reach the wrong people`);
  }
  return complaints;
}

function scheduleComplaints(config: OperatorConfig, known: Known): Complaint[] {
  const complaints: Complaint[] = [];
  const names = new Set<string>();
  config.schedules.forEach((schedule, index) => {
    const at = (field: string, message: string): void => {
      complaints.push({ path: ['schedules', index, field], message });
    };
    if (names.has(schedule.name)) at('name', 'is used twice');
    names.add(schedule.name);
    if (schedule.cron.trim().split(/\s+/).length !== 5 || !isCron(schedule.cron)) {
      at('cron', 'must have five valid fields: minute hour day month weekday');
    }
    if (!isTimeZone(schedule.timezone)) at('timezone', notAZone);
    if (!Object.hasOwn(config.channels, schedule.channel)) at('channel', 'is not under channels');
    if (schedule.playbook !== undefined && !known.playbooks.has(schedule.playbook))
      at('playbook', 'is not a known playbook');
  });
  return complaints;
}
