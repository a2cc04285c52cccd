import { readFileSync } from 'node:fs';
import { filled } from '../alerts/evidence.ts';
import { alertDoors } from '../app/alerts.ts';
import { loadPlaybooks } from '../app/playbooks.ts';
import { buildAlertRules } from '../config/build-alerts.ts';
import { type Alert, type AlertRule, labelsIn, ruleFor, serviceOf } from '../core/alert.ts';
import type { Plan } from '../core/plan.ts';
import { printSteps } from '../notation/print.ts';
import { type LabelledCall, planForAlert } from '../plan/playbooks/for-alert.ts';
import { reviewDraft } from '../review/review.ts';
import type { AlertDoor } from '../vendors/alerts/door.ts';
import { readAlerts } from '../vendors/alerts/read.ts';
import { readSns } from '../vendors/alerts/sns.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { type OfflineWorld, offlineWorld } from './offline-world.ts';

/**
 * `alerts test FILE [--door NAME]`: which rule takes each alert of a payload, what it would read and what it would
 * propose. Nothing is read, and nothing is sent. Exit 1 where an alert fits no rule or something could not be read.
 */
export const alertsCommand: Command = async ([what, file, ...more], context) => {
  const [flag, name] = more;
  if (what !== 'test' || file === undefined || (more.length > 0 && (flag !== '--door' || !name)))
    throw new UsageError();
  const world = offlineWorld(context);
  const door = doorFor(alertDoors(world.config, context.variables), name);
  const { rules } = buildAlertRules(world.config);
  const read = readAlerts(payloadOf(readFileSync(file, 'utf8'), door), door.format, labelsIn(rules));
  if (read === null) {
    context.out(`${file} is no payload that the door ${door.name} (${door.format.kind}) takes.`);
    return 1;
  }
  let isSound = read.unread === 0;
  if (!isSound) context.out(`${read.unread} of its alerts cannot be read.`);
  for (const alert of read.alerts) isSound = explain(alert, door, rules, world, context) && isSound;
  return isSound ? 0 : 1;
};

function doorFor(doors: readonly AlertDoor[], name: string | undefined): AlertDoor {
  const names = doors.map((one) => one.name).join(', ') || 'none';
  const door = name === undefined && doors.length === 1 ? doors[0] : doors.find((one) => one.name === name);
  if (door === undefined)
    throw new UsageError(`Say with --door which door it comes to; countersign.yml has ${names}.`);
  return door;
}

/** A notification of SNS is read without its signature. */
function payloadOf(text: string, { auth }: AlertDoor): string {
  const message = auth.kind === 'sns' ? readSns(text, auth.topics) : null;
  return message?.Message ?? text;
}

/** False when nothing would be shown, or something would be missing. */
function explain(
  alert: Alert,
  door: AlertDoor,
  rules: readonly AlertRule[],
  world: OfflineWorld,
  { out }: CommandContext,
): boolean {
  const rule = ruleFor(alert, door.name, rules);
  const title = `${alert.title} (${alert.state}, ${alert.fingerprint})`;
  if (rule === null) {
    const labels = Object.entries(alert.labels).map(([label, value]) => `${label}=${value}`);
    out(`${title}: no rule fits its labels: ${labels.join(', ') || 'none'}`);
    return false;
  }
  if (rule.channel === null) {
    out(`${title}: rule ${rule.name}, which ignores it`);
    return true;
  }
  const service = serviceOf(rule, alert);
  const known = service === '' || world.catalogue.services.some((one) => one.name === service);
  const about = [
    service && `service ${service}${known ? '' : ', which is not in countersign.yml'}`,
    rule.priority,
  ];
  out([`${title}: rule ${rule.name}`, `#${rule.channel.name}`, ...about].filter(Boolean).join(', '));
  const problem = { id: '', rule: rule.name, service };
  const plans = [
    ...(rule.reads === null ? [] : [{ words: 'reads', call: filled(rule, rule.reads, { problem, alert }) }]),
    ...rule.propose.map((call) => ({ words: 'proposes', call: filled(rule, call, { problem, alert }) })),
  ];
  const made = plans.map(({ words, call }) => call === null || show(words, call, rule, world, out));
  return known && made.every(Boolean);
}

function show(
  words: string,
  call: LabelledCall,
  rule: AlertRule,
  world: OfflineWorld,
  out: CommandContext['out'],
): boolean {
  const planned = planFor(call, words === 'reads', rule, world);
  out(`  ${words} ${call.playbook}${'why' in planned ? `: not possible: ${planned.why}` : ''}`);
  if ('why' in planned) return false;
  const steps = printSteps(planned.plan.steps, world.catalogue.manifests).split('\n');
  for (const step of steps.filter((one) => !/^ *why:/.test(one))) out(`    ${step}`);
  return true;
}

function planFor(
  call: LabelledCall,
  onlyReads: boolean,
  { channel }: AlertRule,
  { catalogue, policy, config }: OfflineWorld,
): { plan: Plan } | { why: string } {
  const made = planForAlert(loadPlaybooks(config), call, catalogue, { onlyReads });
  if ('why' in made) return made;
  const { findings } = reviewDraft(made.plan, { catalogue, policy, home: channel?.id ?? null });
  return findings[0] === undefined ? made : { why: findings[0].message };
}
