import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { suggest } from '../core/suggest.ts';
import { readRule } from './build-catalogue.ts';
import type { Complaint, Path } from './complaint.ts';
import type { OperatorConfig, RuleConfig } from './schema.ts';

/** Teams that name something missing, or own what another team owns. */
export function teamComplaints(config: OperatorConfig): Complaint[] {
  const owners = new Map<string, string>();
  return Object.entries(config.teams).flatMap(([team, owned]) =>
    (['services', 'projects', 'channels'] as const).flatMap((kind) =>
      owned[kind].flatMap((name, index): Complaint[] => {
        const path = ['teams', team, kind, index];
        if (!Object.hasOwn(config[kind], name)) return [{ path, message: `is not under ${kind}` }];
        const owner = owners.get(`${kind}.${name}`);
        owners.set(`${kind}.${name}`, team);
        return owner === undefined ? [] : [{ path, message: `is already that of the team ${owner}` }];
      }),
    ),
  );
}

/** Rules that name something missing, say nothing, or can never apply because of others. */
export function ruleComplaints(
  config: OperatorConfig,
  tools: ReadonlyMap<string, 'read' | 'write'>,
): Complaint[] {
  return config.rules.flatMap((rule, index) =>
    [
      ...nameComplaints(rule, config, tools),
      ...ownComplaints(rule),
      ...otherComplaints(rule, index, config.rules),
    ].map(({ path, message }) => ({ path: ['rules', index, ...path], message })),
  );
}

function nameComplaints(
  rule: RuleConfig,
  { services, projects, channels, teams }: OperatorConfig,
  tools: ReadonlyMap<string, 'read' | 'write'>,
): Complaint[] {
  const missing = (key: 'services' | 'projects' | 'channels' | 'teams', known: object): Complaint[] =>
    (rule[key] ?? []).flatMap((name, index) =>
      Object.hasOwn(known, name) ? [] : [{ path: [key, index], message: `is not under ${key}` }],
    );
  const approvers = (key: 'approvers' | 'backup'): Complaint[] =>
    (rule[key] ?? []).flatMap((approver, index) => {
      const service = /^oncall:(.*)$/su.exec(approver)?.[1];
      if (service === undefined || Object.hasOwn(services, service)) return [];
      return [{ path: [key, index], message: 'names a service that is not under services' }];
    });
  const toolComplaints = (rule.tools ?? []).flatMap((tool, index): Complaint[] => {
    if (tools.get(tool) === 'write') return [];
    const message = tools.has(tool)
      ? 'only reads and needs no approver'
      : unknownTool(tool, [...tools.keys()]);
    return [{ path: ['tools', index], message }];
  });
  const { hours } = rule;
  const zone: Complaint[] =
    hours === undefined || isTimeZone(hours.timezone)
      ? []
      : [{ path: ['hours', 'timezone'], message: 'is not a time zone such as Europe/Berlin' }];
  return [
    ...toolComplaints,
    ...missing('services', services),
    ...missing('projects', projects),
    ...missing('channels', channels),
    ...missing('teams', teams),
    ...approvers('approvers'),
    ...approvers('backup'),
    ...zone,
  ];
}

function unknownTool(name: string, tools: readonly string[]): string {
  const meant = suggest(name, tools);
  return `“${name}” is not a known tool${meant === null ? '' : `; did you mean ${meant}?`}`;
}

function ownComplaints({ deny, approvers, backup, needed, hours, ...about }: RuleConfig): Complaint[] {
  const at = (path: Path, message: string): Complaint[] => [{ path, message }];
  if (about.teams !== undefined && (about.services ?? about.projects ?? about.channels) !== undefined)
    return at(['teams'], 'stands for services, projects and channels, so give either these or teams');
  if (deny === undefined && approvers === undefined) {
    return at([], 'says nothing: give approvers (an empty list means nobody), or deny with a reason');
  }
  if (deny !== undefined && (approvers !== undefined || backup.length > 0 || needed > 1)) {
    return at(['deny'], 'denies, so nobody can be an approver here; make two rules of it');
  }
  const all = [...(approvers ?? []), ...backup];
  const isOpen = all.length === 0 || all.some((one) => !/^[UW]/.test(one));
  if (!isOpen && new Set(all).size < needed) {
    return at(['needed'], `asks for ${needed} and only ${new Set(all).size} can ever say yes`);
  }
  if (hours !== undefined && hours.from === hours.to)
    return at(['hours'], 'begins and ends at once, so it never holds');
  return [];
}

/** A rule that another one makes ineffective. */
function otherComplaints(rule: RuleConfig, index: number, all: readonly RuleConfig[]): Complaint[] {
  if (rule.deny !== undefined) return [];
  const nameOf = (at: number): string => {
    const { name } = readRule(all[at] ?? rule, at, true);
    return name;
  };
  const at = all.findIndex(
    (other, place) => place !== index && (other.deny !== undefined || place < index) && covers(other, rule),
  );
  if (at < 0) return [];
  const other = all[at];
  const message =
    other?.deny === undefined
      ? `never holds: “${nameOf(at)}” comes before it and is about all of the same writes`
      : `contradicts “${nameOf(at)}”, which denies all that it allows`;
  return [{ path: [], message }];
}

/** True when everything matched by `rule` also matches `other`. */
function covers(other: RuleConfig, rule: RuleConfig): boolean {
  const wider = (mine: readonly string[] | undefined, theirs: readonly string[] | undefined): boolean =>
    mine === undefined || (theirs?.every((name) => mine.includes(name)) ?? false);
  return (
    wider(other.tools, rule.tools) &&
    wider(other.services, rule.services) &&
    wider(other.projects, rule.projects) &&
    wider(other.channels, rule.channels) &&
    wider(other.teams, rule.teams) &&
    wider(other.risk, rule.risk) &&
    (other.hours === undefined || isDeepStrictEqual(other.hours, rule.hours))
  );
}

/** A setting of earlier versions in its new form, ready to paste. */
export function asRules(given: unknown): string {
  const advice = 'has become rules, of which the first that fits a write holds';
  if (typeof given !== 'object' || given === null || !('approvers' in given)) return `${advice}.`;
  const { approvers } = given;
  if (typeof approvers !== 'object' || approvers === null) return `${advice}.`;
  const entries = Object.entries(approvers);
  const named = entries
    .filter(([tool]) => tool !== '*')
    .map(([tool, list]) => ({ tools: [tool], approvers: list }));
  const rest = entries.filter(([tool]) => tool === '*').map(([, list]) => ({ approvers: list }));
  return `${advice}. Write instead:\n${stringify({ rules: [...named, ...rest] }, { flowCollectionPadding: false, collectionStyle: 'any' }).trimEnd()}`;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
