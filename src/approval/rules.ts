import { effectOf } from '../core/code-step.ts';
import type { Manifest, Risk } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import type { Plan, Step } from '../core/plan.ts';
import { type Hours, isWithin, type Policy, type Rule } from '../core/policy.ts';
import { stepSentence, vocabularyOf, withoutText } from '../core/step-words.ts';
import { type StepTarget, stepTargets } from '../core/targets.ts';
import type { ResolvedTarget } from '../core/tool.ts';

/** A plan with its resolved targets; empty before they are resolved. */
export interface RuledPlan {
  readonly plan: Plan;
  readonly targets: readonly Pick<ResolvedTarget, 'step' | 'arg' | 'service' | 'value' | 'called'>[];
}

/** The attributes of a write that a rule can match. A name is null while unknown: a result or a look-up decides it. */
export interface RuledWrite {
  readonly step: Step;
  /** Its effect, in words. */
  readonly says: string;
  readonly risk: Risk;
  readonly services: readonly (string | null)[];
  readonly projects: readonly (string | null)[];
  readonly channels: readonly (string | null)[];
}

/** The rule that decides a write; `why` says in words what matched. */
export type Ruling =
  | { readonly kind: 'approve' | 'deny'; readonly rule: Rule; readonly why: readonly string[] }
  /** No rule matches, so nobody may approve it. */
  | { readonly kind: 'none' };

export interface RuledStep {
  readonly write: RuledWrite;
  readonly ruling: Ruling;
}

/** The ruling for each write of a plan at a given time. */
export function rulingsOf(
  of: RuledPlan,
  manifests: ReadonlyMap<string, Manifest>,
  policy: Policy,
  now: Date,
): RuledStep[] {
  return writesIn(of, manifests).map((write) => ({ write, ruling: rulingFor(write, policy, now) }));
}

export function writesIn(
  { plan, targets }: RuledPlan,
  manifests: ReadonlyMap<string, Manifest>,
): RuledWrite[] {
  const words = vocabularyOf(plan.steps, manifests, targets);
  return plan.steps
    .filter(({ tool }) => effectOf(tool, manifests) !== 'read')
    .map((step) => {
      const found = targets.filter((target) => target.step === step.id);
      const says = `“${withoutText(stepSentence(step, words))}”`;
      return { ...ruledWrite(step, manifests.get(step.tool), found), says };
    });
}

/** Denials first, wherever they are listed; then the first rule that matches. */
function rulingFor(write: RuledWrite, { rules }: Policy, now: Date): Ruling {
  const denials = rules.filter(({ deny }) => deny !== null);
  const others = rules.filter(({ deny }) => deny === null);
  for (const rule of [...denials, ...others]) {
    const why = whyItFits(rule, write, now);
    if (why !== null) return { kind: rule.deny === null ? 'approve' : 'deny', rule, why };
  }
  return { kind: 'none' };
}

/** The rules that decide a write at one hour or another: the denials of it, and the others up to one that always holds. */
export function rulesAbout(write: RuledWrite, { rules }: Policy): Rule[] {
  const about = rules.filter((rule) => whyItFits({ ...rule, hours: null }, write, new Date(0)) !== null);
  const others = about.filter(({ deny }) => deny === null);
  const always = others.findIndex(({ hours }) => hours === null);
  const denials = about.filter(({ deny }) => deny !== null);
  return [...denials, ...(always === -1 ? others : others.slice(0, always + 1))];
}

/** Services whose on-call answers for a write: the ones it names, else those of its projects. */
export function servicesOf({ services, projects }: RuledWrite, { serviceOf }: Policy): string[] {
  const named = services.filter((name) => name !== null);
  const found =
    named.length > 0 ? named : projects.flatMap((key) => (key === null ? [] : (own(serviceOf, key) ?? [])));
  return [...new Set(found)];
}

function ruledWrite(
  step: Step,
  manifest: Manifest | undefined,
  targets: RuledPlan['targets'],
): Omit<RuledWrite, 'says'> {
  const aims = manifest === undefined ? [] : stepTargets(manifest, step.args);
  const of = (...kinds: readonly string[]) => aims.filter(({ kind }) => kinds.includes(kind));
  const named = (...kinds: readonly string[]) => of(...kinds).map(({ value }) => value);
  const belongsTo = ({ arg }: StepTarget<string | null>) =>
    targets.find((one) => one.arg === arg)?.service ?? null;
  return {
    step,
    risk: manifest === undefined ? 'high' : (manifest.risk ?? 'medium'),
    services: [...named('service'), ...of('incident').map(belongsTo)],
    projects: named('project', 'issue').map((value) => value?.replace(/-\d+$/, '') ?? null),
    channels: named('channel').map((value) => value?.replace(/^#/, '') ?? null),
  };
}

/** The part of a rule that matches a write, in words; null if it does not match. */
function whyItFits(rule: Rule, write: RuledWrite, now: Date): string[] | null {
  const isDenial = rule.deny !== null;
  const why: string[] = [];
  if (rule.tools !== null) {
    if (!rule.tools.includes(write.step.tool)) return null;
    why.push('this kind of write');
  }
  for (const [kind, wanted, names] of [
    ['service', rule.services, write.services],
    ['project', rule.projects, write.projects],
    ['channel', rule.channels, write.channels],
  ] as const) {
    if (wanted === null) continue;
    const words = namesFit(kind, wanted, names, isDenial);
    if (words === null) return null;
    why.push(words);
  }
  if (rule.risks !== null) {
    if (!rule.risks.includes(write.risk)) return null;
    why.push(`${write.risk} risk`);
  }
  if (rule.hours !== null) {
    if (!isWithin(rule.hours, now)) return null;
    why.push(`within ${hoursWords(rule.hours)}`);
  }
  return why.length === 0 ? ['every write'] : why;
}

/**
 * A rule that allows approval must cover every name, and never covers unknown ones. A denial applies if it matches one
 * name or might match an unknown one.
 */
function namesFit(
  kind: string,
  wanted: readonly string[],
  names: readonly (string | null)[],
  isDenial: boolean,
): string | null {
  const isWanted = (name: string | null) => name !== null && wanted.includes(name);
  if (names.length === 0) return null;
  if (isDenial) {
    const hit = names.find((name) => name === null || isWanted(name));
    if (hit === undefined) return null;
    return hit === null ? `a ${kind} that is not known yet` : `${kind} ${hit}`;
  }
  return names.every(isWanted) ? `${kind} ${names.join(', ')}` : null;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** "22:00 to 07:00 Mon, Tue (Europe/Berlin)". */
export function hoursWords({ from, to, days, timezone }: Hours): string {
  const at = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const on = days.length === 7 ? '' : ` ${days.map((day) => weekdays[day]).join(', ')}`;
  return `${at(from)} to ${at(to)}${on} (${timezone})`;
}
