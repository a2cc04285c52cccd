import type { Catalogue } from '../../core/catalogue.ts';
import { namesOf } from '../../core/catalogue.ts';
import { fieldInfo, type TargetKind } from '../../core/fields.ts';
import { own } from '../../core/own-property.ts';
import type { ArgValue, Plan, Step } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { withoutQuotes } from '../quotations.ts';
import { nearlySame, wordsOf } from './mentions.ts';
import { englishFor } from './translations.ts';

/** The person's own words, as opposed to quoted texts, tickets, results and descriptions. */
export interface PersonWords {
  /** Words of the goal, the change in words and the answers, without quoted texts. */
  readonly said: readonly string[];
  /** Words of the answers alone. */
  readonly answered: readonly string[];
  /** The same as `said`, as text. */
  readonly text: string;
  /** English keywords for the text's foreign words. */
  readonly english: string;
  /** Targets of the plan being changed or continued, of its writes, and of the thread, as `kind:name`. */
  readonly earlier: ReadonlySet<string>;
  readonly catalogue: Catalogue;
}

/** The plan this input starts from, if any. */
export function earlierPlan(input: PlanningInput): Plan | null {
  return input.change?.plan ?? input.replan?.plan ?? null;
}

/** Literal targets in the arguments of a step: argument name, kind and value. */
export function literalTargets(
  step: Pick<Step, 'tool'> & { readonly args: Readonly<Record<string, ArgValue>> },
  catalogue: Catalogue,
): { arg: string; kind: TargetKind; value: string }[] {
  const shape = catalogue.manifests.get(step.tool)?.args.shape ?? {};
  return Object.entries(step.args).flatMap(([arg, value]) => {
    const schema = own(shape, arg);
    const kind = schema ? fieldInfo(schema).target : undefined;
    if (kind === undefined) return [];
    return [value]
      .flat()
      .filter((literal) => typeof literal === 'string')
      .map((literal) => ({ arg, kind, value: literal }));
  });
}

/** Targets returned by the writes of a failed run, such as the key of a created ticket. */
export function madeTargets({
  replan,
  catalogue,
}: PlanningInput): { ref: string; kind: TargetKind; value: string }[] {
  const done = (replan?.plan.steps ?? []).filter(({ id }) => replan?.done.includes(id));
  return done.flatMap(({ id, tool }) => {
    const manifest = catalogue.manifests.get(tool);
    if (manifest?.effect !== 'write') return [];
    const result = own(replan?.results ?? {}, id);
    if (typeof result !== 'object' || result === null || Array.isArray(result)) return [];
    return Object.entries(manifest.result.shape).flatMap(([field, schema]) => {
      const kind = fieldInfo(schema).target;
      const value = own(result, field);
      return kind !== undefined && typeof value === 'string' ? [{ ref: `${id}.${field}`, kind, value }] : [];
    });
  });
}

export function personWords(input: PlanningInput): PersonWords {
  const answers = input.answers.map(({ answer }) => answer).join('\n');
  const text = [withoutQuotes(input.goal), withoutQuotes(input.change?.words ?? ''), answers].join('\n');
  const earlier = [
    ...(earlierPlan(input)?.steps ?? []).flatMap((step) => literalTargets(step, input.catalogue)),
    ...madeTargets(input),
    ...(input.hasIncident === true ? [{ kind: 'incident', value: 'thread' }] : []),
  ].map(({ kind, value }) => `${kind}:${bare(value)}`);
  return {
    said: wordsOf(text),
    answered: wordsOf(answers),
    text,
    english: englishFor(text),
    earlier: new Set(earlier),
    catalogue: input.catalogue,
  };
}

function bare(name: string): string {
  return name.replace(/^[#@]/, '').toLowerCase();
}

function joined(word: string): string {
  return word.replace(/[#@._'’-]/g, '');
}

/** Words that may name a target of this kind: `#ops` is not a service and `@ana` not a channel. */
function candidates(words: readonly string[], kind: TargetKind): string[] {
  const sign = { channel: '#', user: '@', incident: '#' }[kind as string];
  return words
    .filter((word) => !/^[#@]/.test(word) || word[0] === sign)
    .map((word) => word.replace(/['’]s$/, ''));
}

/** True when the words name it, in one word or up to three ("payments api" is payments-api). */
export function names(words: readonly string[], kind: TargetKind, name: string): boolean {
  const wanted = joined(bare(name));
  const usable = candidates(words, kind).map(joined);
  return usable.some((_, i) => [1, 2, 3].some((n) => usable.slice(i, i + n).join('') === wanted));
}

/** True when the text contains a misspelling of the name, or a part of it that no other name of this kind has. */
function nearlyNames(person: PersonWords, kind: TargetKind, name: string): boolean {
  const others = namesOf(person.catalogue, kind).map(bare);
  const parts = bare(name)
    .split(/[._-]/)
    .filter((p) => p.length >= 4);
  const own = parts.filter((p) => !others.some((other) => other !== bare(name) && other.includes(p)));
  return candidates(person.said, kind).some((word) => {
    if (own.includes(bare(word))) return true;
    return word.length >= 5 && !others.includes(bare(word)) && nearlySame(bare(word), bare(name));
  });
}

/** A project can also be named by an alias or by the key of one of its issues. */
function saysProject(person: PersonWords, key: string): boolean {
  const entry = person.catalogue.projects.find((project) => project.key === key);
  const prefix = `${key.toLowerCase()}-`;
  return (
    [key, ...(entry?.aliases ?? [])].some((name) => names(person.said, 'project', name)) ||
    person.said.some((word) => word.startsWith(prefix) && /^\d+$/.test(word.slice(prefix.length)))
  );
}

/** True when the catalogue links the person's words to this name: the service of a project, or the reverse. */
function leadsTo(person: PersonWords, kind: TargetKind, name: string): boolean {
  const { services, projects } = person.catalogue;
  const pairs = [
    ...services.map((s) => ({ service: s.name, project: s.project })),
    ...projects.map((p) => ({ service: p.service, project: p.key })),
  ];
  if (kind === 'project') {
    return pairs.some((p) => p.project === name && p.service && names(person.said, 'service', p.service));
  }
  if (kind !== 'service') return false;
  const meant = (key: string) => person.catalogue.defaults.project === key || saysProject(person, key);
  return pairs.some((p) => p.service === name && p.project !== undefined && meant(p.project));
}

/** Origin of a target: the person's words, an answer, or a rule of the operator; null if none. */
export function originOf(
  person: PersonWords,
  kind: TargetKind,
  name: string,
): 'text' | 'asked' | 'derived' | null {
  if (names(person.answered, kind, name)) return 'asked';
  if (names(person.said, kind, name) || (kind === 'project' && saysProject(person, name))) return 'text';
  const { catalogue } = person;
  const { defaults } = catalogue;
  const preset: Partial<Record<TargetKind, string | undefined>> = {
    project: defaults.project,
    service: defaults.service,
    channel: defaults.channel,
    severity: defaults.priority,
  };
  const only = namesOf(catalogue, kind);
  const derived =
    person.earlier.has(`${kind}:${bare(name)}`) ||
    (preset[kind] !== undefined && bare(preset[kind]) === bare(name)) ||
    (only.length === 1 && !catalogue.open && only.map(bare).includes(bare(name))) ||
    leadsTo(person, kind, name) ||
    nearlyNames(person, kind, name);
  return derived ? 'derived' : null;
}
