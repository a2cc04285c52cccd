import type { Clause } from './clause.ts';
import type { DraftStep, DraftValue } from './draft.ts';
import type { Frame } from './frame.ts';
import { means, range } from './heard.ts';
import { isPlural } from './look-ups.ts';
import { assume, type Memory, need, type Place, saysAt } from './memory.ts';
import { requiredOf } from './reads.ts';
import { takesOf } from './takes.ts';

/** Targets that were not named are filled only from what the request can mean and nothing else. */

/** Values that steps have for an argument, each once. */
function said({ steps }: Memory, arg: string): string[] {
  return [
    ...new Set(
      steps.flatMap(({ args }) => {
        const value = args.get(arg);
        return typeof value === 'string' ? [value] : [];
      }),
    ),
  ];
}

function projectMeant(memory: Memory): DraftValue | null {
  const projects = said(memory, 'project');
  const { project } = memory.text.catalogue.defaults;
  if (projects.length > 0 || project === undefined)
    return projects.length === 1 ? (projects[0] ?? null) : null;
  assume(memory, `Project ${project}, because none was named.`);
  return project;
}

/** The service whose on-call is meant: the only one that was spoken of, or the one of the project. */
function serviceMeant(memory: Memory): DraftValue | null {
  const { catalogue } = memory.text;
  const services = said(memory, 'service');
  if (services.length > 0) return services.length === 1 ? (services[0] ?? null) : null;
  const [project, ...others] = said(memory, 'project');
  const owned = catalogue.projects.find(({ key }) => key === project)?.service;
  if (owned !== undefined && others.length === 0) {
    assume(memory, `On-call of ${owned}, the service of ${project}.`);
    return owned;
  }
  if (project !== undefined || catalogue.defaults.service === undefined) return null;
  assume(memory, `On-call of ${catalogue.defaults.service}, because no service was named.`);
  return catalogue.defaults.service;
}

function incidentMeant(memory: Memory): DraftValue | null {
  if (memory.incident !== null) return memory.incident;
  const found = memory.steps.filter(({ tool }) => tool.asked?.role === 'alarms');
  const step = found.find(
    ({ args, tool }) => args.get('limit') === 1 || (found.length === 1 && !isPlural(memory, tool)),
  );
  step?.args.set('limit', 1);
  return step ? { step, field: 'first' } : (memory.given.get('thread') ?? null);
}

/** Who gets a message: the one that an answer names, "him", or whoever got the last one "there". */
function receiver(memory: Memory, { args }: DraftStep, place: Place): void {
  const { given, text, person, post } = memory;
  const named = given.get('channel') ?? given.get('user');
  const points = range(place.from, place.to).some((index) =>
    means(text, index, ({ role, of }) => role === 'pronoun' && of === 'person'),
  );
  if (named !== undefined) args.set(named.startsWith('@') ? 'user' : 'channel', named);
  else if (points && person !== null) args.set('user', person);
  else if (post && saysAt(memory, place, 'there'))
    for (const arg of ['channel', 'user']) if (post.args.has(arg)) args.set(arg, post.args.get(arg) ?? '');
  if (!args.has('channel') && !args.has('user')) need(memory, 'missing', 'channel');
}

/** Fills the targets of a step that were not named, or asks for them. */
export function aim(memory: Memory, step: DraftStep, clause: Clause, frame: Frame): void {
  const { tool, args } = step;
  const lacks = (arg: string): boolean => arg in tool.args.shape && !args.has(arg);
  const put = (arg: string, meant: () => DraftValue | null): void => {
    const value = lacks(arg) ? (memory.given.get(arg) ?? meant()) : null;
    if (value !== null) args.set(arg, value);
  };
  const somebody = saysAt(memory, clause, 'nobody yet');
  put('key', () => memory.issue);
  put('incident', () => incidentMeant(memory));
  if (tool.effect === 'write') put('project', () => projectMeant(memory));
  put('service', () =>
    tool.effect === 'write' && !somebody && (frame.noun || frame.left.length === 0)
      ? serviceMeant(memory)
      : null,
  );
  put('status', () => null);
  if (lacks('channel') && lacks('user')) receiver(memory, step, clause);
  for (const arg of requiredOf(tool))
    if (lacks(arg) && !['message', 'results'].includes(takesOf(tool, arg))) need(memory, 'missing', arg);
}

/**
 * An order for whoever asked. "Send me the list": null, because the result goes back to them anyway. "Page me" is a page to
 * the service of which they are on call, where there is one.
 */
export function forAsker(memory: Memory, frame: Frame, place: Place): Frame | null {
  const { tool, slots } = frame;
  const targets = Object.keys(tool.args.shape).filter((arg) =>
    ['channel', 'user', 'service'].includes(takesOf(tool, arg)),
  );
  const [first] = targets;
  if (first === undefined || targets.some((arg) => slots.has(arg)) || !saysAt(memory, place, 'me'))
    return frame;
  if (tool.asked?.role === 'message') return null;
  const [own, ...others] = memory.text.onCallFor;
  if (memory.given.has(first)) return frame;
  if (own === undefined || others.length > 0) {
    need(memory, 'me', first, { options: memory.text.onCallFor });
    return frame;
  }
  assume(memory, `On-call of ${own}, because that is you.`);
  return { ...frame, slots: new Map([...slots, [first, [own]]]) };
}
