import type { Frame } from '../frames/frame.ts';
import { argsThatTake, requiredOf } from '../frames/takes.ts';
import { is, namedIn, range } from '../words/text.ts';
import type { ThingKind } from '../words/thing.ts';
import { type DraftStep, type DraftValue, fieldsOf, isWrite, opposed, sameCondition } from './draft.ts';
import { isBehind, isPlural, ofTheSame, projectMeant, said } from './fill.ts';
import { belonging, notNamed, yourService } from './guesses.ts';
import { type Memory, need, type Place, saysAt } from './memory.ts';

/** Whom an order is for, and what it acts on, where it does not say so itself. */

/** "page search", "page the list": any of these words right behind the verb. */
const pages = ({ text }: Memory, { from, to }: Place, ...tags: readonly string[]): boolean =>
  range(from, to).some(
    (at) =>
      isBehind(text, is(text, at - 1, 'articles') ? at - 1 : at, 'verb page') &&
      is(text, at, ...tags) &&
      !is(text, at, 'noun page', 'also page'),
  );

/** Services that a message, an answer or an alert names, which is passed on as it is: they may be meant, and no other is. */
function passedOn({ text, given }: Memory): string[] {
  const pasted = text.words.flatMap(({ kind, raw }) => (kind === 'pasted' || kind === 'quote' ? raw : []));
  const named = [given.get('text') ?? '', ...pasted].flatMap((one) => namedIn(text, one));
  return [...new Set(named.flatMap(({ kind, value }) => (kind === 'service' ? value : [])))];
}

const names = ({ text: { words } }: Memory, ...kinds: readonly ThingKind[]): boolean =>
  words.some(({ things }) => things.some(({ kind }) => kinds.includes(kind)));

/** The operator's own service, where none is meant: not in "page them", and not in "do not page payments-api. page the on-call". */
function usualService(memory: Memory, place: Place, passed: readonly string[]): string | undefined {
  const { text, assumptions } = memory;
  const { service } = text.catalogue.defaults;
  const isAnother =
    names(memory, 'service') ||
    passed.length > 0 ||
    // "page" alone may be half a request.
    place.to - place.from < 2 ||
    said(memory, 'project').length > 0 ||
    pages(memory, place, 'pronoun');
  if (isAnother || service === undefined) return undefined;
  assumptions.add(notNamed('service', service));
  return service;
}

/** The service whose on-call is meant: the only one that was spoken of, or the one of the project. */
function serviceMeant(memory: Memory, step: DraftStep): DraftValue | null {
  const { projects } = memory.text.catalogue;
  // Nobody is woken because a word in an alert is the name of a service, too.
  if (isWrite(step) && !names(memory, 'service', 'project') && passedOn(memory).length > 0) return null;
  const spoken = memory.remarks.flatMap(({ things }) => things).filter(({ kind }) => kind === 'service');
  const [service, ...services] = new Set([...spoken.map(({ value }) => value), ...said(memory, 'service')]);
  if (service !== undefined) return services.length === 0 ? service : null;
  const named = said(memory, 'project');
  const keys = memory.issues.filter((issue) => typeof issue === 'string');
  const [project, ...others] =
    named.length > 0 ? named : new Set(keys.map((key) => key.replace(/-.*$/u, '')));
  const owned = projects.find(({ key }) => key === project)?.service;
  if (owned !== undefined && others.length === 0) {
    memory.assumptions.add(belonging('service', owned, String(project)));
    return owned;
  }
  return null;
}

/** Gives the steps that call somebody without a name the service that is meant in all that was said, or asks for it. */
export function aimAtServices(memory: Memory): void {
  const unaimed = memory.unaimed.filter(({ step }) => !step.args.has('service'));
  const passed = unaimed.length > 0 ? passedOn(memory) : [];
  for (const { step, place } of unaimed) {
    const service =
      memory.given.get('service') ?? serviceMeant(memory, step) ?? usualService(memory, place, passed);
    if (service === undefined) need(memory, 'missing', 'service', { options: passed });
    else step.args.set('service', service);
  }
}

/** The incident that was spoken of, or the one that a look-up finds where the order points to it or depends on it. */
function incidentMeant(memory: Memory, { when }: DraftStep, place: Place): DraftValue | null {
  const incident = memory.incidents.at(-1);
  if (incident !== undefined) return incident;
  const points = saysAt(memory, place, 'pronoun thing', 'pronoun incident');
  const seen = fieldsOf(when).map((one) => one.step);
  const [step, ...others] = memory.steps.filter(
    (one) => (points || seen.includes(one)) && one.tool.asked?.role === 'alarms',
  );
  if (step && others.length === 0 && !isPlural(memory, step.tool)) {
    step.args.set('limit', 1);
    return { step, field: 'first' };
  }
  // "checkout is down again. ack the incident": the one of the service that was spoken of.
  const spoken = saysAt(memory, place, 'pronoun incident') ? memory.topic.get('service') : undefined;
  return memory.given.get('thread') ?? spoken ?? null;
}

const isOtherCase = (before: DraftStep, when: DraftStep['when']): boolean =>
  when !== null && before.when !== null && sameCondition(opposed(before.when), when);

/** Who gets a message: the one that an answer names, "him", or whoever got the last one "there". */
function receiver(memory: Memory, { args, when }: DraftStep, place: Place): void {
  const { given, person, steps } = memory;
  const post = steps.findLast(({ tool }) => tool.asked?.role === 'message');
  const named = given.get('channel') ?? given.get('user');
  if (named !== undefined) args.set(named.startsWith('@') ? 'user' : 'channel', named);
  else if (saysAt(memory, place, 'pronoun person') && person !== null) args.set('user', person);
  // "post “a” to #ops if …, otherwise post “b”": where the other one goes.
  else if (post && (saysAt(memory, place, 'there') || isOtherCase(post, when)))
    for (const arg of ['channel', 'user']) if (post.args.has(arg)) args.set(arg, post.args.get(arg) ?? '');
  if (!args.has('channel') && !args.has('user')) need(memory, 'missing', 'channel');
}

/** Fills the targets of a step that were not named, or asks for them. */
export function aim(memory: Memory, step: DraftStep, place: Place, { left, spoken }: Frame): void {
  const { tool, args } = step;
  // "page the right people", "page the list": a word that stands where a name does is no name that is known here.
  const isSomebody = range(place.from, place.to).some(
    (at) => is(memory.text, at, 'nobody yet') && !spoken.has(at),
  );
  const isNameless = !isSomebody && !pages(memory, place, 'verb', 'result', 'noun read');
  const isOnCall = isNameless && left.every((at) => is(memory.text, at, 'pronoun thing'));
  const lacks = (arg: string): boolean => arg in tool.args.shape && !args.has(arg);
  const meant: Readonly<Record<string, () => DraftValue | null>> = {
    key: () => memory.issues.at(-1) ?? null,
    incident: () => incidentMeant(memory, step, place),
    project: () => projectMeant(memory),
    service: () => (isOnCall ? serviceMeant(memory, step) : null),
    status: () => null,
  };
  for (const [arg, find] of Object.entries(meant)) {
    const value = lacks(arg) ? (memory.given.get(arg) ?? find()) : null;
    if (value !== null) args.set(arg, value);
  }
  if (tool.asked?.role === 'create' && saysAt(memory, place, 'one like it')) ofTheSame(memory, tool, args);
  if (lacks('channel') && lacks('user')) receiver(memory, step, place);
  if (isOnCall && lacks('service')) memory.unaimed.push({ step, place });
  const isLater = (arg: string): boolean => arg === 'service' && isOnCall;
  for (const arg of requiredOf(tool)) if (lacks(arg) && !isLater(arg)) need(memory, 'missing', arg);
}

/**
 * An order for whoever asked. "Send me the list": null, because the result goes back to them anyway. "Page me" is a page to
 * the service of which they are on call, where there is one.
 */
export function forAsker(memory: Memory, frame: Frame, place: Place): Frame | null {
  const { tool, slots } = frame;
  const aims = argsThatTake(tool, 'channel', 'user', 'service');
  const [first] = aims;
  if (first === undefined || aims.some((arg) => slots.has(arg)) || !saysAt(memory, place, 'me')) return frame;
  if (tool.asked?.role === 'message') return null;
  const { onCallFor, watched } = memory.text;
  const [own] = onCallFor;
  if (memory.given.has(first)) return frame;
  // Who is on call when a watch speaks is not known yet.
  if (own === undefined || onCallFor.length > 1 || watched) {
    need(memory, 'me', first, { options: onCallFor });
    return frame;
  }
  memory.assumptions.add(yourService(own));
  return { ...frame, slots: new Map([...slots, [first, [own]]]) };
}
