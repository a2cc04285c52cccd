import { pagerdutyDoor } from '../core/alert.ts';
import type { Complaint, Known, Path } from './complaint.ts';
import { unmetByValue } from './env.ts';
import { isTimeZone } from './rules.ts';
import type { OperatorConfig } from './schema.ts';
import { neededVariable } from './secret-files.ts';

const minSecret = 16;

/** Problems with the settings for alerts beyond their schema. */
export function alertComplaints(config: OperatorConfig, known: Known): Complaint[] {
  const { doors, rules, unmatched } = config.alerts;
  const complaints = [
    ...Object.keys(doors).flatMap((name) => doorComplaints(name, config, known)),
    ...rules.flatMap((_rule, index) => ruleComplaints(index, config, known)),
  ];
  if (unmatched !== undefined && !Object.hasOwn(config.channels, unmatched))
    complaints.push({ path: ['unmatched'], message: 'is not under channels' });
  return complaints.map(({ path, message }) => ({ path: ['alerts', ...path], message }));
}

function doorComplaints(name: string, { alerts, channels }: OperatorConfig, known: Known): Complaint[] {
  const door = alerts.doors[name];
  const complaint = (message: string, field?: string): Complaint[] => [
    { path: ['doors', name, ...(field === undefined ? [] : [field])], message },
  ];
  if (name === pagerdutyDoor) return complaint('is the name of the door for PagerDuty’s webhooks');
  const way = (['bearer', 'basic', 'hmac'] as const).find((one) => door?.[one] !== undefined);
  const variable = way && door?.[way];
  const found: Complaint[] = [];
  door?.channels?.forEach((channel) => {
    if (!Object.hasOwn(channels, channel))
      found.push(...complaint(`has the channel ${channel}, which is not under channels`, 'channels'));
  });
  if (door?.kind === 'slack') return found;
  if (known.checksEnvironment && !known.variables.has('PORT') && !known.isExecutor)
    found.push(...complaint('needs PORT in the environment: alerts are delivered to it'));
  if (way === undefined || variable === undefined || known.isExecutor) return found;
  const value = known.variables.get(variable);
  if (value === undefined) return [...found, ...complaint(neededVariable(variable, known.variables), way)];
  const unmet = unmetByValue(value) ?? weakness(way, value);
  if (known.checksEnvironment && unmet !== null)
    found.push(...complaint(`needs ${variable} to be ${unmet}`, way));
  return found;
}

function weakness(way: 'bearer' | 'basic' | 'hmac', value: string): string | null {
  if (way === 'basic' && !/^[^:]+:./.test(value)) return 'user:password';
  return value.length < minSecret ? `at least ${minSecret} characters long` : null;
}

function ruleComplaints(index: number, config: OperatorConfig, known: Known): Complaint[] {
  const rule = config.alerts.rules[index];
  const { doors, rules } = config.alerts;
  const complaints: Complaint[] = [];
  const must = (holds: boolean, path: Path, message: string): void => {
    if (!holds) complaints.push({ path: ['rules', index, ...path], message });
  };
  if (rule === undefined) return [];
  const { channel, service, quiet, reads, propose } = rule;
  must(rules.findIndex(({ name }) => name === rule.name) === index, ['name'], 'is used twice');
  must(
    channel === undefined || Object.hasOwn(config.channels, channel),
    ['channel'],
    'is not under channels',
  );
  if (typeof service === 'string')
    must(Object.hasOwn(config.services, service), ['service'], 'is not under services');
  must(
    isTimeZone(quiet?.timezone ?? 'UTC'),
    ['quiet', 'timezone'],
    'is not a time zone such as Europe/Berlin',
  );
  must(quiet === undefined || quiet.from !== quiet.to, ['quiet'], 'must not begin when it ends');
  rule.doors?.forEach((door, at) => {
    must(door === pagerdutyDoor || Object.hasOwn(doors, door), ['doors', at], 'is not under doors');
  });
  const unknown = 'is not a known playbook of this installation';
  if (reads !== undefined) must(known.playbooks.has(reads.playbook), ['reads', 'playbook'], unknown);
  propose.forEach(({ playbook }, at) => {
    must(known.playbooks.has(playbook), ['propose', at, 'playbook'], unknown);
  });
  return complaints;
}
