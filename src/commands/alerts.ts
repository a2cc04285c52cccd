import { readFileSync } from 'node:fs';
import { filled } from '../alerts/evidence.ts';
import { loadPlaybooks } from '../app/installed.ts';
import { alertDoors, buildAlertRules } from '../config/build-alerts.ts';
import type { OperatorConfig } from '../config/schema.ts';
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
  const { rules } = buildAlertRules(world.config);
  const { door, ...read } = readDelivery(readFileSync(file, 'utf8'), name, world.config, context);
  if (read.alerts.length + read.unread === 0) {
    context.out(`${file} is no payload that the door ${door.name} (${door.format.kind}) takes.`);
    return 1;
  }
  let isSound = read.unread === 0;
  if (!isSound) context.out(`${read.unread} of its alerts cannot be read.`);
  for (const alert of read.alerts) isSound = explain(alert, door, rules, world, context) && isSound;
  return isSound ? 0 : 1;
};

/** The alerts of a payload, and the door that it comes to; none if the door does not take it. */
export function readDelivery(
  text: string,
  name: string | undefined,
  config: OperatorConfig,
  { variables }: CommandContext,
): { readonly door: AlertDoor; readonly alerts: readonly Alert[]; readonly unread: number } {
  const door = doorFor(alertDoors(config, variables), name);
  const { rules } = buildAlertRules(config);
  const read = readAlerts(payloadOf(text, door), door.format, labelsIn(rules));
  return { door, ...(read ?? { alerts: [], unread: 0 }) };
}

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
  const { text, isSound } = ruleLine(alert, rule, world.catalogue);
  out(text);
  if (rule === null || rule.channel === null) return isSound;
  const made = callsOf(rule, alert).map(({ words, call }) => show(words, call, rule, world, out));
  return isSound && made.every(Boolean);
}

/** The rule that takes an alert, in words; not sound if none does, or its service is unknown. */
export function ruleLine(
  alert: Alert,
  rule: AlertRule | null,
  { services }: OfflineWorld['catalogue'],
): { readonly text: string; readonly isSound: boolean } {
  const title = `${alert.title} (${alert.state}, ${alert.fingerprint})`;
  if (rule === null) {
    const labels = Object.entries(alert.labels).map(([label, value]) => `${label}=${value}`);
    return { text: `${title}: no rule fits its labels: ${labels.join(', ') || 'none'}`, isSound: false };
  }
  if (rule.channel === null) return { text: `${title}: rule ${rule.name}, which ignores it`, isSound: true };
  const service = serviceOf(rule, alert);
  const isSound = service === '' || services.some((one) => one.name === service);
  const about = [
    service && `service ${service}${isSound ? '' : ', which is not in countersign.yml'}`,
    rule.priority,
  ];
  const parts = [`${title}: rule ${rule.name}`, `#${rule.channel.name}`, ...about];
  return { text: parts.filter(Boolean).join(', '), isSound };
}

/** The playbooks that a rule reads and proposes for an alert, with their inputs. */
export function callsOf(
  rule: AlertRule,
  alert: Alert,
): { readonly words: 'reads' | 'proposes'; readonly call: LabelledCall }[] {
  const problem = { service: serviceOf(rule, alert) };
  const all = [
    ...(rule.reads === null ? [] : [{ words: 'reads' as const, call: rule.reads }]),
    ...rule.propose.map((call) => ({ words: 'proposes' as const, call })),
  ];
  return all.flatMap(({ words, call }) => {
    const ready = filled(rule, call, { problem, alert });
    return ready === null ? [] : [{ words, call: ready }];
  });
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

export function planFor(
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
