import { validate as isCron } from 'node-cron';
import { pinsOf } from '../core/mcp.ts';
import { checksPerMinute } from '../core/watch.ts';
import { actionComplaints } from './check-actions.ts';
import { agentComplaints } from './check-agents.ts';
import { alertComplaints } from './check-alerts.ts';
import { queryComplaints } from './check-queries.ts';
import { type Complaint, type Known, notForFronts, type Path } from './complaint.ts';
import { unmetByValue } from './env.ts';
import { mcpComplaints } from './mcp.ts';
import { isTimeZone, ruleComplaints, teamComplaints } from './rules.ts';
import type { OperatorConfig } from './schema.ts';
import { neededVariable } from './secret-files.ts';

const notAZone = 'is not a time zone such as Europe/Berlin';

/** Checks names that must exist elsewhere in the file, among the tools, or in the environment. */
export function crossCheck(config: OperatorConfig, known: Known): Complaint[] {
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
  complaints.push(...serviceComplaints(config, known), ...aliasComplaints(config));
  const wiki = !config.confluence || !known.checksEnvironment || known.variables.has('CONFLUENCE_HOST');
  must(wiki, ['confluence'], 'needs CONFLUENCE_HOST in the environment');
  for (const [key, project] of Object.entries(config.projects)) {
    must(has(config.services, project.service), ['projects', key, 'service'], 'is not under services');
    complaints.push(...hoursComplaints(key, project));
  }
  const pinned = pinsOf(config.mcp).map(({ name, pinned: { effect } }) => [name, effect] as const);
  const acting = Object.entries(config.actions).map(([name, { effect }]) => [name, effect] as const);
  must(
    config.approval.break_glass.length === 0 || defaults.channel !== undefined,
    ['approval', 'break_glass'],
    'needs defaults.channel, where it is posted',
  );
  complaints.push(
    ...teamComplaints(config),
    ...guidanceComplaints(config),
    ...ruleComplaints(config, new Map([...known.tools, ...pinned, ...acting])),
  );
  complaints.push(
    ...placeComplaints(config, known),
    ...queryComplaints(config, known),
    ...scheduleComplaints(config, known),
    ...alertComplaints(config, known),
    ...agentComplaints(config, known),
    ...causeComplaints(config, known.playbooks),
    ...mcpComplaints(config.mcp, known),
    ...actionComplaints(config, known),
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
  const [nameById, nameByVariable, nameByKey] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  for (const [name, service] of Object.entries(services)) {
    const at = (field: string, message: string): void => {
      complaints.push({ path: ['services', name, field], message });
    };
    if (service.project !== undefined && !Object.hasOwn(projects, service.project)) {
      at('project', 'is not under projects');
    }
    if (service.backup !== undefined && !Object.hasOwn(services, service.backup)) {
      at('backup', 'is not under services');
    } else if (service.backup === name) at('backup', 'is the service itself');
    const variable = service.routing_key;
    const key = variable === undefined ? undefined : known.variables.get(variable);
    if (known.holdsNoKeys) {
      if (variable !== undefined && key !== undefined) at('routing_key', notForFronts(variable));
    } else if (variable !== undefined && key === undefined) {
      // Without PagerDuty nobody is paged, so no key is needed.
      if (known.variables.has('PAGERDUTY_API_TOKEN'))
        at('routing_key', neededVariable(variable, known.variables));
    } else if (key !== undefined) {
      const unmet = unmetByValue(key);
      if (unmet !== null) at('routing_key', `needs ${variable} to be ${unmet}`);
    }
    const [sameId, sameVariable, sameKey] = [
      firstWith(service.pagerduty, name, nameById),
      firstWith(variable, name, nameByVariable),
      firstWith(key, name, nameByKey),
    ];
    if (sameId !== null)
      at('pagerduty', `is already the id of ${sameId}; a page could reach the wrong people`);
    if (sameVariable !== null) {
      at('routing_key', `is already that of ${sameVariable}: a page would reach the wrong people`);
    } else if (sameKey !== null) {
      at('routing_key', `has the value of that of ${sameKey}: a page would reach the wrong people`);
    }
  }
  return complaints;
}

/** A word that means two projects: one of them would be taken without a word. */
function aliasComplaints({ projects }: OperatorConfig): Complaint[] {
  const owners = new Map(Object.keys(projects).map((key) => [key.toLowerCase(), key]));
  return Object.entries(projects).flatMap(([key, { aliases }]) =>
    aliases.flatMap((alias, index): Complaint[] => {
      const first = firstWith(alias.trim().toLowerCase(), key, owners);
      if (first === null || first === key) return [];
      const message = `already means ${first}; a plan could be about the wrong one`;
      return [{ path: ['projects', key, 'aliases', index], message }];
    }),
  );
}

/** The one that had this value before; null where it is the first, or there is no value. */
function firstWith(value: string | undefined, name: string, names: Map<string, string>): string | null {
  if (value === undefined) return null;
  const first = names.get(value) ?? null;
  if (first === null) names.set(value, name);
  return first;
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
    const { playbook } = schedule;
    if (playbook !== undefined && !known.playbooks.has(playbook))
      at(
        'playbook',
        `is not a known playbook of this installation; one that people saved is run by goal: run ${playbook}`,
      );
  });
  return complaints;
}

function guidanceComplaints({ guidance, services, teams }: OperatorConfig): Complaint[] {
  const known = { services, teams };
  return guidance.flatMap((one, index) =>
    (['services', 'teams'] as const).flatMap((kind) =>
      (one[kind] ?? []).flatMap((name, at) =>
        Object.hasOwn(known[kind], name)
          ? []
          : [{ path: ['guidance', index, kind, at], message: `is not under ${kind}` }],
      ),
    ),
  );
}

function causeComplaints({ causes, services }: OperatorConfig, playbooks: ReadonlySet<string>): Complaint[] {
  return causes.flatMap(({ id, services: named = [], fix }, index) => [
    ...(causes.findIndex((one) => one.id === id) === index
      ? []
      : [{ path: ['causes', index, 'id'], message: 'is used twice' }]),
    ...named.flatMap((name, at) =>
      Object.hasOwn(services, name)
        ? []
        : [{ path: ['causes', index, 'services', at], message: 'is not under services' }],
    ),
    ...(fix === undefined || typeof fix === 'string' || playbooks.has(fix.playbook)
      ? []
      : [
          {
            path: ['causes', index, 'fix', 'playbook'],
            message: 'is not a known playbook of this installation',
          },
        ]),
  ]);
}

/** Folders and files named in the file that do not exist. */
function placeComplaints({ runbooks, errors }: OperatorConfig, { isThere }: Known): Complaint[] {
  const complaint = (kind: 'file' | 'folder', place: string, path: Path): Complaint[] =>
    isThere === undefined || isThere(kind, place) ? [] : [{ path, message: `${place} is not a ${kind}` }];
  return [
    ...(runbooks === undefined ? [] : complaint('folder', runbooks.folder, ['runbooks', 'folder'])),
    ...(errors?.files ?? []).flatMap((file, index) => complaint('file', file, ['errors', 'files', index])),
  ];
}

/** Probable omissions that need not stop a start. */
export function warningsOf({ rules, watches }: OperatorConfig): Complaint[] {
  const perMinute = Math.ceil(watches.in_all / watches.min_minutes);
  const unapprovable = rules.flatMap(({ approvers, backup }, index): Complaint[] => {
    if (approvers?.length !== 0 || backup.length > 0) return [];
    const message =
      'is empty, so nobody can ever approve this; to forbid it, give deny with the reason that people will read';
    return [{ path: ['rules', index, 'approvers'], message }];
  });
  return [
    ...unapprovable,
    ...(rules.length > 0
      ? []
      : [{ path: ['rules'], message: 'there are none, so nobody can approve a write' }]),
    ...(perMinute <= checksPerMinute
      ? []
      : [
          {
            path: ['watches', 'in_all'],
            message: `allows ${perMinute} checks a minute with min_minutes; a process makes ${checksPerMinute} where each takes a second: start more processes, or expect late checks`,
          },
        ]),
  ];
}
