import { digestOf } from '../core/canonical.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { TargetKind } from '../core/fields.ts';
import type { Manifest } from '../core/manifest.ts';
import { manifestFacts } from '../core/manifest-facts.ts';
import type { Step } from '../core/plan.ts';
import type { Policy } from '../core/policy.ts';
import { hasWritten } from '../core/queries/written.ts';
import type { Sealed } from '../core/revision.ts';
import { type StepTarget, stepTargets } from '../core/targets.ts';
import { callsOf } from '../core/verify.ts';
import { type RuledPlan, rulesAbout, servicesOf, writesIn } from './rules.ts';

/** The operator's rules and names at present. */
export interface Rules {
  readonly policy: Policy;
  readonly catalogue: Catalogue;
}

/**
 * Everything in the settings that a plan uses: its tools, the names in it with their meaning, and the rules about its
 * writes. Digests by what people call the part, so that a change of it can be named; other changes leave it as it is.
 */
export function basisOf(of: RuledPlan, { policy, catalogue }: Rules): Pick<Sealed, 'catalogue' | 'policy'> {
  return { catalogue: namesUsed(of, catalogue), policy: rulesUsed(of, catalogue.manifests, policy) };
}

/** The parts of a sealed plan's basis that have changed since, in words; none for a plan that is still valid. */
export function changedSince(sealed: Sealed, rules: Rules): string[] {
  const now = namesUsed(sealed, rules.catalogue);
  const { catalogue: before } = sealed;
  // Sealed by a version that knew only whether anything had changed.
  if (typeof before === 'string') return ['the version of Countersign'];
  const names = Object.keys({ ...before, ...now }).filter((name) => before[name] !== now[name]);
  const isRuled = isUnderPolicy(sealed, rules.catalogue.manifests, rules.policy);
  return isRuled ? names : ['who may approve it', ...names];
}

/** True while the rules about its writes are those that a plan was sealed under. */
export function isUnderPolicy(sealed: Sealed, manifests: Catalogue['manifests'], policy: Policy): boolean {
  return sealed.policy === rulesUsed(sealed, manifests, policy);
}

/** Only what decides: a rule's name and its place among rules about other writes do not. */
function rulesUsed(of: RuledPlan, manifests: Catalogue['manifests'], policy: Policy): string {
  const { reads, breakGlass, caps } = policy;
  const writes = writesIn(of, manifests).map((write) => {
    const rules = rulesAbout(write, policy).map(({ hours, deny, approvers, backup, needed, fourEyes }) => {
      return { hours, deny, approvers, backup, needed, fourEyes };
    });
    // A sealed plan has its arguments in another order than the plan it was made from.
    return { step: write.step.id, rules, onCallOf: servicesOf(write, policy).sort() };
  });
  const fits = of.plan.steps.length <= caps.steps && writes.length <= caps.writes;
  const hasCode = of.plan.steps.some(({ code }) => code !== undefined);
  const written = hasWritten(of.plan, manifests) ? { written: policy.written ?? null } : {};
  const code = hasCode ? { code: policy.code } : {};
  return digestOf({ writes, reads, breakGlass, fits, ...code, ...written });
}

function namesUsed({ plan, targets }: RuledPlan, catalogue: Catalogue): Record<string, string> {
  const services = targets.flatMap(({ service }) => service ?? []);
  const used: [string, unknown][] = [
    ...plan.steps.flatMap((step) => callsOf(step).flatMap((one) => usedBy(one, catalogue))),
    ...services.flatMap((value) => meaningOf({ arg: '', kind: 'service', value }, catalogue)),
    ['the time zone', catalogue.defaults.timezone ?? null],
  ];
  return Object.fromEntries(used.map(([name, value]) => [name, digestOf(value)]));
}

function usedBy(
  { tool, args, code }: Pick<Step, 'tool' | 'args' | 'code'>,
  catalogue: Catalogue,
): [string, unknown][] {
  // It brings its own declaration, and only the policy is about it.
  if (code !== undefined) return [];
  const manifest = catalogue.manifests.get(tool);
  if (manifest === undefined) return [[`the tool ${tool}`, null]];
  const { priorities = {} } = catalogue;
  const aims = stepTargets(manifest, args);
  return [
    [`the tool ${tool}`, factsOf(manifest)],
    ...aims.flatMap((aim) => meaningOf(aim, catalogue)),
    ...queriesOf(manifest, args, catalogue),
    ...(manifest.system === 'jira'
      ? [['the names of priorities', priorities] satisfies [string, unknown]]
      : []),
    // Without a project it reads all of them.
    ...('project' in manifest.args.shape && !aims.some(({ kind }) => kind === 'project' || kind === 'issue')
      ? [['the list of projects', catalogue.projects.map(({ key }) => key)] satisfies [string, unknown]]
      : []),
  ];
}

/** The operator's vetted queries add arguments to a tool; those that a plan names count by themselves. */
function factsOf(manifest: Manifest): unknown {
  const { args, ...rest } = manifestFacts(manifest);
  return manifest.queries === undefined ? { ...rest, args } : rest;
}

function queriesOf(
  { queries: language }: Manifest,
  args: Step['args'],
  { queries = [], pasted = [] }: Catalogue,
): [string, unknown][] {
  if (language === undefined) return [];
  const { named } = args;
  if (named === undefined) return [['which queries people may write', pasted.includes(language)]];
  const found = queries.filter((one) => one.language === language && one.name === named);
  return [[`the query ${String(named)}`, found]];
}

/** The meaning of a target. One that a result decides may be any of its kind. */
function meaningOf({ kind, value }: StepTarget<string | null>, catalogue: Catalogue): [string, unknown][] {
  const all = entriesOf(kind, catalogue);
  if (all === null) return [];
  const { words, entries } = all;
  if (value === null) return [[`the list of ${words.replace(/ .*/, '')}s`, Object.fromEntries(entries)]];
  const name = kind === 'issue' ? value.replace(/-\d+$/, '') : value.replace(/^[#@]/, '');
  return [[`${words}${name}`, entries.get(name) ?? null]];
}

function entriesOf(
  kind: TargetKind,
  { services, projects, channels, people }: Catalogue,
): { readonly words: string; readonly entries: ReadonlyMap<string, unknown> } | null {
  switch (kind) {
    case 'service':
      return { words: 'service ', entries: new Map(services.map((one) => [one.name, one])) };
    case 'project':
    case 'issue': {
      // Its other names only matter while a goal is understood.
      const entries = projects.map(({ aliases: _aliases, ...one }) => [one.key, one] as const);
      return { words: 'project ', entries: new Map(entries) };
    }
    case 'channel':
      return { words: 'channel #', entries: new Map(channels.map((one) => [one.name, one])) };
    case 'user':
      return { words: 'person @', entries: new Map(people.map((one) => [one.handle, one])) };
    default:
      return null;
  }
}
