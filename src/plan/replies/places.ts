import { z } from 'zod';
import { spanOf } from '../../core/calendar/span.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { manifestOf } from '../../core/code-step.ts';
import { fieldInfo, type TargetKind, unwrap } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue, Step } from '../../core/plan.ts';
import { type Slot, slotsOf } from '../everyday/slots.ts';
import type { Token } from '../everyday/tokens.ts';
import type { SaidValue } from './words.ts';

/** Where a value goes in a step, by the schema of its tool. */

const targets = ['severity', 'service', 'project', 'user', 'channel', 'issue'] as const;
export type ValueSlot = (typeof targets)[number] | 'time' | 'assignee' | 'status' | 'order';

export interface Place {
  readonly set: Readonly<Record<string, ArgValue>>;
  readonly drop: readonly string[];
  /** The value that it replaces, if any. */
  readonly had: ArgValue | undefined;
}

/** The slots that a token may stand for. */
interface Meaning {
  readonly slot: ValueSlot;
  readonly value: string;
  /** It names such a thing itself: a service also stands for its project, and a project for its service. */
  readonly isOwn: boolean;
}

const mine = /^(?:mine|me|my|meine[nr]?|mir|moi|miens?|miennes?|mí[oa]s?|meus?|minhas?)$/u;
const states: Readonly<Record<string, readonly string[]>> = {
  ...{
    open: ['open'],
    unresolved: ['open'],
    offene: ['open'],
    ouverts: ['open'],
    abiertos: ['open'],
    abertos: ['open'],
  },
  ...{ closed: ['closed', 'resolved'], resolved: ['resolved', 'closed'], done: ['resolved', 'closed'] },
  ...{
    acknowledged: ['acknowledged'],
    acked: ['acknowledged'],
    triggered: ['triggered'],
    unacked: ['triggered'],
  },
};
const orders: Readonly<Record<string, string>> = { newest: 'newest', latest: 'newest', oldest: 'oldest' };

export function slotsAt(token: Token, catalogue: Catalogue): Meaning[] {
  const { kind, low, values, names, raw } = token;
  const { services, projects } = catalogue;
  const found: (Meaning | null)[] = [
    meaning('severity', values.priority),
    meaning('service', names.service),
    meaning('service', projects.find(({ key }) => key === names.project)?.service, false),
    meaning('project', names.project),
    meaning('project', services.find(({ name }) => name === names.service)?.project, false),
    meaning('user', names.user),
    meaning(
      'assignee',
      (kind === 'person' ? names.user : names.user?.slice(1)) ??
        (low === 'unassigned' ? low : mine.test(low) ? 'me' : undefined),
    ),
    meaning('channel', kind === 'channel' ? (names.channel ?? raw) : undefined),
    meaning('issue', kind === 'issue' ? raw.toUpperCase() : undefined),
    meaning('status', Object.hasOwn(states, low) ? low : undefined),
    meaning('order', Object.hasOwn(orders, low) ? orders[low] : undefined),
    meaning('time', values.time ?? values.duration),
  ];
  const all = found.filter((one) => one !== null);
  return all.filter(({ slot, isOwn }) => isOwn || !all.some((one) => one.slot === slot && one.isOwn));
}

const meaning = (slot: ValueSlot, value: string | undefined, isOwn = true): Meaning | null =>
  value === undefined ? null : { slot, value, isOwn };

/** The arguments of a step that the value would set; none where its tool takes no such value. */
export function placesFor(
  slot: ValueSlot,
  said: SaidValue,
  step: Step,
  { catalogue, now, isMore }: { readonly catalogue: Catalogue; readonly now: Date; readonly isMore: boolean },
): readonly Place[] {
  const manifest = manifestOf(step, catalogue.manifests);
  const value = slotsAt(said.token, catalogue).find((one) => one.slot === slot)?.value;
  if (manifest === undefined || value === undefined) return [];
  if (slot === 'time') return timePlaces(said, step, manifest, now);
  if (slot === 'status') return statusPlaces(value, isMore, step, manifest);
  if (slot === 'assignee' || slot === 'order')
    return slot in manifest.args.shape ? [place(slot, value, step)] : [];
  const args = argsFor(slot, manifest);
  const present = args.filter((arg) => step.args[arg] !== undefined);
  const usual = args.filter((arg) => !arg.endsWith('_not')).slice(0, 1);
  return (present.length > 0 ? present : usual).map((arg) => place(arg, value, step));
}

const place = (arg: string, value: ArgValue, { args }: Step): Place => ({
  set: { [arg]: value },
  drop: [],
  had: args[arg],
});

const argsFor = (slot: Slot & TargetKind, manifest: Manifest): string[] =>
  [...slotsOf(manifest)].flatMap(([arg, of]) => (of === slot ? [arg] : []));

/** One of a closed list, or what every tracker has: open and closed. */
function statusPlaces(said: string, isMore: boolean, step: Step, { args: { shape } }: Manifest): Place[] {
  if (shape.status === undefined) return [];
  const schema = unwrap(shape.status);
  const options = schema instanceof z.ZodEnum ? schema.options.map(String) : ['open', 'closed', 'all'];
  const status = isMore ? 'all' : states[said]?.find((one) => options.includes(one));
  return status === undefined || !options.includes(status) ? [] : [place('status', status, step)];
}

/** The arguments that say over which time a tool looks; one of them replaces the others. */
const spans = ['window', 'since', 'during', 'at'];

function timePlaces(
  { token, relation }: SaidValue,
  step: Step,
  { args: { shape } }: Manifest,
  now: Date,
): Place[] {
  const { time, duration } = token.values;
  const isLength = duration !== undefined && (time === undefined || token.kind !== 'time');
  if (token.kind === 'word' && relation !== 'last') return [];
  const had = [...spans, 'until'].map((arg) => step.args[arg]).find((value) => value !== undefined);
  const others = Object.keys(shape).filter((arg) => {
    const schema = shape[arg];
    return (
      schema !== undefined &&
      !spans.includes(arg) &&
      fieldInfo(schema).time === 'length' &&
      step.args[arg] !== undefined
    );
  });
  if (isLength) {
    const [other, ...more] = others;
    // “and 4 hours?” of tickets that were not updated for two days.
    if (relation === null && had === undefined && other !== undefined && more.length === 0)
      return [place(other, duration, step)];
    return 'window' in shape ? [{ set: { window: duration }, drop: [...spans, 'until'], had }] : [];
  }
  if (time === undefined) return [];
  const span = spanOf(time, { now, zone: 'UTC', aim: 'past' });
  // “today” after “since Monday” is still up to now.
  const isUpToNow = step.args.since !== undefined && span !== null && span.to > now;
  const usual = token.kind !== 'time' ? 'at' : isUpToNow ? 'since' : 'during';
  const arg = relation === 'since' || relation === 'until' ? relation : usual;
  const target = [arg, 'at'].find((name) => name in shape);
  const schema = target === undefined ? undefined : shape[target];
  if (target === undefined || schema === undefined || (target === 'at' && relation !== null)) return [];
  if (span !== null && span.from > now && fieldInfo(schema).ahead !== true) return [];
  return [
    { set: { [target]: time }, drop: target === 'until' ? ['during', 'window'] : [...spans, 'until'], had },
  ];
}
