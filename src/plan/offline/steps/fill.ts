import type { Manifest } from '../../../core/manifest.ts';
import { saysSeveral } from '../frames/reads.ts';
import { argsThatTake, queryTakes, takesOf } from '../frames/takes.ts';
import { is, isAlone, range, type Text } from '../words/text.ts';
import type { DraftStep, DraftValue } from './draft.ts';
import { belonging, notNamed, openTicketsOnly } from './guesses.ts';
import { type Memory, need, type Place } from './memory.ts';

/** What was not said is filled only from what the request can mean and nothing else. */

export const isPlural = ({ text }: Memory, tool: Manifest): boolean =>
  saysSeveral(text, range(0, text.words.length), tool);

/** Whether a phrase that ends before a word is this. */
export const isBehind = ({ words }: Text, at: number, tag: string): boolean =>
  [1, 2, 3, 4].some((back) =>
    words[at - back]?.phrases.some(({ length, tags }) => length === back && tags.has(tag)),
  );

/** "assigned to her", "his open tickets": somebody who was spoken of. */
function pointsTo({ text }: Memory, { name }: Manifest, arg: string, { from, to }: Place): boolean {
  const owns = (at: number): boolean => isAlone(text, at + 1, `noun ${name}`, `value ${name}`);
  return range(from, to).some(
    (at) => is(text, at, 'pronoun person') && (isBehind(text, at, `cue ${name} ${arg}`) || owns(at)),
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
  const isBack = args.has('limit') || args.get('order') === 'newest';
  for (const [arg, { else: usual, words }] of Object.entries(asked))
    if (usual !== undefined && lacks(arg) && !(timed && arg === 'status'))
      args.set(arg, isBack && words?.all ? 'all' : usual);
  const [person] = argsThatTake(tool, 'person');
  if (person !== undefined && lacks(person) && pointsTo(memory, tool, person, place)) {
    if (typeof memory.person === 'string') args.set(person, memory.person);
    else need(memory, 'missing', person);
  }
  // "what breaches in the next 2 hours": what will, not what has.
  const isAhead = args.has('within') && args.get('state') === 'breached';
  if (isAhead || args.has('key')) args.delete('state');
  if (args.has('order') && lacks('limit') && !isPlural(memory, tool)) args.set('limit', 1);
  const { words: statuses, else: usualStatus } = asked.status ?? {};
  if (!catalogue.open && lacks('status') && statuses?.open && usualStatus === undefined && !timed) {
    args.set('status', 'open');
    memory.assumptions.add(openTicketsOnly);
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
  const { text } = memory;
  // "if E123 is in the logs, send its runbook": the code that was named, rather than one of a result.
  const isCode = (value: DraftValue): boolean =>
    text.words.some(({ things }) => things.some((one) => one.kind === 'code' && one.value === value));
  const code = memory.steps.flatMap(({ args }) => [...args.values()]).findLast(isCode);
  for (const [arg, { from }] of Object.entries(tool.asked?.args ?? {})) {
    const isSource = (step: DraftStep): boolean =>
      step.tool !== tool && (from ?? '') in step.tool.result.shape;
    const source = memory.steps.findLast(isSource);
    const value = code ?? (source && from ? { step: source, field: from } : undefined);
    if (from && value && !args.has(arg)) args.set(arg, value);
  }
  // "look up E123, then search the logs for it"
  const [topic] = argsThatTake(tool, 'topic');
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

/** "P2 bugs open and how many were closed", "unless a P1 is open, create one": of the kind that was looked up before. */
export function ofTheSame({ reads }: Memory, tool: Manifest, args: Map<string, DraftValue>): void {
  const before = reads.findLast((step) => step.args.has('project'))?.args;
  for (const arg of ['priority', 'type', 'label', 'component']) {
    const value = before?.get(arg);
    if (value !== undefined && arg in tool.args.shape && !args.has(arg)) args.set(arg, value);
  }
}

/** Values of an argument that were spoken of, each once: those that steps have, or what the request is about. */
export function said({ steps, topic }: Memory, arg: string): string[] {
  const own = steps.flatMap(({ args }) => args.get(arg) ?? []);
  const values = own.length > 0 ? own : [topic.get(arg)];
  return [...new Set(values.filter((value) => typeof value === 'string'))];
}

/** The project that is meant where none is named: the only one that was spoken of, that of the service, or the usual one. */
export function projectMeant(memory: Memory): DraftValue | null {
  const { projects, defaults } = memory.text.catalogue;
  const [named, ...others] = said(memory, 'project');
  if (named !== undefined) return others.length === 0 ? named : null;
  const [service, ...services] = said(memory, 'service');
  const owned = services.length === 0 ? projects.find((one) => one.service === service)?.key : undefined;
  const project = owned ?? defaults.project;
  if (project === undefined) return null;
  const isOwned = owned !== undefined && service !== undefined;
  memory.assumptions.add(isOwned ? belonging('project', owned, service) : notNamed('project', project));
  return project;
}
