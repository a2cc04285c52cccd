import type { Manifest } from '../../../core/manifest.ts';
import type { Frame } from '../frames/frame.ts';
import { argsThatTake, queryTakes, requiredOf, takesOf } from '../frames/takes.ts';
import { is, isAlone, range, readText, type Text } from '../words/text.ts';
import type { DraftStep, DraftValue } from './draft.ts';
import { type Memory, need, type Place, saysAt } from './memory.ts';

/** What was not said is filled only from what the request can mean and nothing else. */

/** "the oldest tickets" are several, "the oldest ticket" is one. */
const isPlural = ({ text }: Memory, { name }: Manifest): boolean =>
  text.words.some(
    ({ low }, index) =>
      is(text, index, 'several') ||
      (low.endsWith('s') && is(text, index, 'severity', `noun ${name}`, `value ${name} type`)),
  );

/** Whether a phrase that ends before a word is this. */
const isBehind = ({ words }: Text, at: number, tag: string): boolean =>
  [1, 2, 3, 4].some((back) =>
    words[at - back]?.phrases.some(({ length, tags }) => length === back && tags.has(tag)),
  );

/** "assigned to her", "his open tickets": somebody who was spoken of. */
function pointsTo({ text }: Memory, { name }: Manifest, arg: string, { from, to }: Place): boolean {
  const owns = (at: number): boolean =>
    is(text, at, 'no order') && isAlone(text, at + 1, `noun ${name}`, `value ${name}`);
  return range(from, to).some(
    (at) =>
      is(text, at, 'pronoun person') &&
      !is(text, at, 'pronoun thing') &&
      (isBehind(text, at, `cue ${name} ${arg}`) || owns(at)),
  );
}

/** What a look-up is of no use without, and what the operator set for what is not said; each guess shows. */
export function complete(memory: Memory, tool: Manifest, args: Map<string, DraftValue>, place: Place): void {
  const { catalogue } = memory.text;
  const asked = tool.asked?.args ?? {};
  const lacks = (arg: string): boolean => arg in tool.args.shape && !args.has(arg);
  for (const [kind, value] of memory.topic)
    for (const arg of Object.keys(tool.args.shape))
      if (takesOf(tool, arg) === kind && !arg.endsWith('_not') && lacks(arg)) args.set(arg, value);
  const timed = ['since', 'window', 'during', 'text'].some((arg) => args.has(arg));
  // "the last 5 incidents" are over, or not.
  const isBack = timed || args.has('limit') || args.get('order') === 'newest';
  for (const [arg, { else: usual, words }] of Object.entries(asked))
    if (usual !== undefined && lacks(arg) && !(timed && arg === 'status'))
      args.set(arg, isBack && words?.all ? 'all' : usual);
  const [person] = argsThatTake(tool, 'person');
  if (person !== undefined && lacks(person) && pointsTo(memory, tool, person, place)) {
    if (typeof memory.person === 'string') args.set(person, memory.person);
    else need(memory, 'missing', person);
  }
  if (args.has('key') && 'project' in tool.args.shape) args.delete('state');
  if (args.has('order') && lacks('limit') && !isPlural(memory, tool)) args.set('limit', 1);
  const { words: statuses, else: usualStatus } = asked.status ?? {};
  if (!catalogue.open && lacks('status') && statuses?.open && usualStatus === undefined && !timed) {
    args.set('status', 'open');
    memory.assumptions.add('Only open tickets.');
  }
  // Somebody's tickets are theirs in every project.
  const isSomebodys = /^(?:me$|@)/u.test(String(args.get('assignee') ?? ''));
  if (!lacks('project') || args.has('key')) return;
  const isMeant = args.size > 0 || !catalogue.open;
  const meant = (): DraftValue | undefined =>
    (isMeant ? projectMeant(memory) : null) ?? catalogue.defaults.project;
  const project = memory.given.get('project') ?? (isSomebodys ? undefined : meant());
  if (project !== undefined) args.set('project', project);
}

/** "its runbooks", "incidents on it": what was spoken of before. */
export function pointed(memory: Memory, tool: Manifest, args: Map<string, DraftValue>, place: Place): void {
  const bare = args.size === (args.has('state') ? 1 : 0);
  const isOpen = queryTakes(memory.text.catalogue, args.get('named'), 'service');
  if (isOpen && 'service' in tool.args.shape && !args.has('service') && memory.service !== null)
    args.set('service', memory.service);
  const code = memory.steps.findLast((step) => step.args.has('code'))?.args.get('code');
  for (const [arg, { from }] of Object.entries(tool.asked?.args ?? {})) {
    const isSource = (step: DraftStep): boolean =>
      step.tool !== tool && (from ?? '') in step.tool.result.shape;
    const source = memory.steps.findLast(isSource);
    const value = source && from ? { step: source, field: from } : code;
    if (from && value && !args.has(arg)) args.set(arg, value);
  }
  // "look up E123, then search the logs for it"
  const [topic] = argsThatTake(tool, 'topic');
  const { text } = memory;
  const isFor = range(place.from, place.to).some(
    (at) => is(text, at, 'one of them') && is(text, at - 1, 'about'),
  );
  if (topic !== undefined && code !== undefined && !args.has(topic) && isFor) args.set(topic, code);
  // "how many of them are unassigned", "list the P1s and their SLA": the same tickets.
  const same = memory.reads.findLast((step) => step.args.has('project'));
  if (same && !args.has('project') && 'project' in tool.args.shape)
    for (const [arg, value] of same.args) if (arg in tool.args.shape && !args.has(arg)) args.set(arg, value);
  const issue = memory.issues.at(-1);
  if ('key' in tool.args.shape && bare && issue !== undefined) args.set('key', issue);
}

/** Values of an argument that were spoken of, each once: those that steps have, or what the request is about. */
function said({ steps, topic }: Memory, arg: string): string[] {
  const own = steps.flatMap(({ args }) => args.get(arg) ?? []);
  const values = own.length > 0 ? own : [topic.get(arg)];
  return [...new Set(values.filter((value) => typeof value === 'string'))];
}

/** The project that is meant where none is named: the only one that was spoken of, that of the service, or the usual one. */
function projectMeant(memory: Memory): DraftValue | null {
  const { projects, defaults } = memory.text.catalogue;
  const [named, ...others] = said(memory, 'project');
  if (named !== undefined) return others.length === 0 ? named : null;
  const [service, ...services] = said(memory, 'service');
  const owned = services.length === 0 ? projects.find((one) => one.service === service)?.key : undefined;
  const project = owned ?? defaults.project;
  if (project === undefined) return null;
  const reason = owned === undefined ? 'because none was named' : `the project of ${service}`;
  memory.assumptions.add(`Project ${project}, ${reason}.`);
  return project;
}

/** "page search", "page the list": any of these words right behind the verb. */
const pages = ({ text }: Memory, { from, to }: Place, ...tags: readonly string[]): boolean =>
  range(from, to).some(
    (at) =>
      isBehind(text, is(text, at - 1, 'articles') ? at - 1 : at, 'verb page') &&
      is(text, at, ...tags) &&
      !is(text, at, 'noun page', 'also page'),
  );

/** Services that a message or an answer names, which is passed on as it is: they may be meant, and no other is. */
function passedOn({ text: { catalogue, lexicon, now }, given }: Memory): string[] {
  const { words } = readText(given.get('text') ?? '', { catalogue, now }, lexicon);
  return words.flatMap(({ things }) =>
    things.filter(({ kind }) => kind === 'service').map(({ value }) => value),
  );
}

/** The operator's own service, where none is meant: not in "page them", and not in "do not page payments-api. page the on-call". */
function usualService(memory: Memory, place: Place): string | undefined {
  const { text, assumptions } = memory;
  const { service } = text.catalogue.defaults;
  const isNamed = text.words.some(({ low, things }) =>
    things.some(({ kind, value }) => kind === 'service' && value === low),
  );
  const isAnother =
    isNamed ||
    passedOn(memory).length > 0 ||
    said(memory, 'project').length > 0 ||
    pages(memory, place, 'pronoun');
  if (isAnother || service === undefined) return undefined;
  assumptions.add(`On-call of ${service}, because no service was named.`);
  return service;
}

/** The service whose on-call is meant: the only one that was spoken of, or the one of the project. */
function serviceMeant(memory: Memory): DraftValue | null {
  const { projects } = memory.text.catalogue;
  const spoken = memory.remarks.flatMap(({ things }) => things).filter(({ kind }) => kind === 'service');
  const [service, ...services] = new Set([...spoken.map(({ value }) => value), ...said(memory, 'service')]);
  if (service !== undefined) return services.length === 0 ? service : null;
  const named = said(memory, 'project');
  const keys = memory.issues.filter((issue) => typeof issue === 'string');
  const [project, ...others] =
    named.length > 0 ? named : new Set(keys.map((key) => key.replace(/-.*$/u, '')));
  const owned = projects.find(({ key }) => key === project)?.service;
  if (owned !== undefined && others.length === 0) {
    memory.assumptions.add(`On-call of ${owned}, the service of ${project}.`);
    return owned;
  }
  return null;
}

/** Gives the steps that call somebody without a name the service that is meant in all that was said, or asks for it. */
export function aimAtServices(memory: Memory): void {
  for (const { step, place } of memory.unaimed) {
    if (step.args.has('service')) continue;
    const service = memory.given.get('service') ?? serviceMeant(memory) ?? usualService(memory, place);
    if (service === undefined) need(memory, 'missing', 'service', { options: passedOn(memory) });
    else step.args.set('service', service);
  }
}

/** The incident that was spoken of, or the one that a look-up finds where the order points to it. */
function incidentMeant(memory: Memory, place: Place): DraftValue | null {
  const incident = memory.incidents.at(-1);
  if (incident !== undefined) return incident;
  const points = saysAt(memory, place, 'pronoun thing', 'pronoun incident');
  const found = memory.steps.filter(({ tool }) => points && tool.asked?.role === 'alarms');
  const step = found.find(
    ({ args, tool }) => args.get('limit') === 1 || (found.length === 1 && !isPlural(memory, tool)),
  );
  step?.args.set('limit', 1);
  return step ? { step, field: 'first' } : (memory.given.get('thread') ?? null);
}

/** Who gets a message: the one that an answer names, "him", or whoever got the last one "there". */
function receiver(memory: Memory, { args }: DraftStep, place: Place): void {
  const { given, person, post } = memory;
  const named = given.get('channel') ?? given.get('user');
  if (named !== undefined) args.set(named.startsWith('@') ? 'user' : 'channel', named);
  else if (saysAt(memory, place, 'pronoun person') && person !== null) args.set('user', person);
  else if (post && saysAt(memory, place, 'there'))
    for (const arg of ['channel', 'user']) if (post.args.has(arg)) args.set(arg, post.args.get(arg) ?? '');
  if (!args.has('channel') && !args.has('user')) need(memory, 'missing', 'channel');
}

/** Fills the targets of a step that were not named, or asks for them. */
export function aim(memory: Memory, step: DraftStep, place: Place, { noun, left, spoken }: Frame): void {
  const { tool, args } = step;
  const write = tool.effect === 'write';
  const isAt = (index: number, tag: string): boolean => is(memory.text, index, tag);
  // "escalate that to the right people": not what is said, but to whom.
  const isSaid = (at: number): boolean => spoken.has(at) && at > Math.min(...spoken) + 3;
  const isSomebody = range(place.from, place.to).some((at) => isAt(at, 'nobody yet') && !isSaid(at));
  // A word that stands where a name does is no name that is known here.
  const isNameless = !isSomebody && !pages(memory, place, 'verb', 'result', 'noun read');
  const isOnCall = write && isNameless && (noun || left.every((at) => isAt(at, 'pronoun thing')));
  const lacks = (arg: string): boolean => arg in tool.args.shape && !args.has(arg);
  const meant: Readonly<Record<string, () => DraftValue | null>> = {
    key: () => memory.issues.at(-1) ?? null,
    incident: () => incidentMeant(memory, place),
    ...(write ? { project: () => projectMeant(memory) } : {}),
    service: () => (isOnCall ? serviceMeant(memory) : null),
    status: () => null,
  };
  for (const [arg, find] of Object.entries(meant)) {
    const value = lacks(arg) ? (memory.given.get(arg) ?? find()) : null;
    if (value !== null) args.set(arg, value);
  }
  // "unless a P1 is open, create one": of the kind that was looked for.
  const isOne =
    tool.asked?.role === 'create' && range(place.from, place.to).some((at) => isAt(at, 'one like it'));
  for (const [arg, value] of isOne ? (memory.reads.at(-1)?.args ?? []) : [])
    if (['priority', 'type', 'label', 'component'].includes(arg) && lacks(arg)) args.set(arg, value);
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
  memory.assumptions.add(`On-call of ${own}, because that is you.`);
  return { ...frame, slots: new Map([...slots, [first, [own]]]) };
}
