import { type Catalogue, knowsTarget, namesOf } from '../../../core/catalogue.ts';
import { fieldInfo, type TargetKind } from '../../../core/fields.ts';
import { distance } from '../words/spelling.ts';
import { type DraftCondition, type DraftStep, isCompare, isFromStep, readsOf } from './draft.ts';
import { isWriteStep } from './guards.ts';
import { ask, type Work } from './work.ts';

/** The catalogue's spelling of a name: as it is, by its alias, or one typing slip away. */
function spelled(catalogue: Catalogue, kind: TargetKind, name: string): string | null {
  const known = namesOf(catalogue, kind);
  const plain = (text: string): string => text.replace(/^[#@]/, '').toLowerCase();
  const same = known.find((candidate) => plain(candidate) === plain(name));
  if (same !== undefined) return same;
  const viaLink = linked(catalogue, kind, plain(name));
  if (viaLink !== null) return viaLink;
  const limit = plain(name).length >= 7 ? 2 : plain(name).length >= 4 ? 1 : 0;
  const near = known.filter((candidate) => distance(plain(candidate), plain(name), limit) <= limit);
  return near.length === 1 ? (near[0] ?? null) : null;
}

/** A project named where a service is needed, and the other way round. */
function linked(catalogue: Catalogue, kind: TargetKind, name: string): string | null {
  const project = catalogue.projects.find(
    (entry) =>
      entry.key.toLowerCase() === name || entry.aliases.some((alias) => alias.toLowerCase() === name),
  );
  if (kind === 'project')
    return (
      project?.key ?? catalogue.services.find((entry) => entry.name.toLowerCase() === name)?.project ?? null
    );
  return kind === 'service' ? (project?.service ?? null) : null;
}

const nouns: Partial<Record<TargetKind, string>> = {
  service: 'service',
  project: 'project',
  issue: 'ticket',
  channel: 'channel',
  user: 'user',
};

function settleName(work: Work, step: DraftStep, arg: string, kind: TargetKind, said: string): void {
  const name = work.given.instead?.get(said) ?? said;
  if (name !== said) step.args = { ...step.args, [arg]: name };
  if (knowsTarget(work.catalogue, kind, name, work.goal)) return;
  const found = kind === 'issue' ? null : spelled(work.catalogue, kind, name);
  if (found !== null) {
    if (
      found.toLowerCase() !== name.toLowerCase() &&
      !work.assumptions.some((line) => line.includes(found))
    ) {
      work.assumptions.push(`“${name}” was read as ${found}.`);
    }
    step.args = { ...step.args, [arg]: found };
    return;
  }
  const noun = nouns[kind];
  if (noun === undefined) return;
  const pages =
    step.tool === 'pagerduty.page' ? 'A page goes to whoever is on call for a service, and t' : 'T';
  const what =
    kind === 'issue'
      ? `The project of ${name} is not known here`
      : `${pages}here is no ${noun} “${name}” here`;
  ask(work, [noun], `${what}. Which one do you mean?`, namesOf(work.catalogue, kind).slice(0, 5));
}

/** Brings every literal target to the catalogue's spelling, or asks which one is meant. */
function settleNames(work: Work): void {
  for (const step of work.steps) {
    const shape = work.catalogue.manifests.get(step.tool)?.args.shape ?? {};
    for (const [arg, value] of Object.entries(step.args)) {
      const schema = shape[arg];
      const kind = schema ? fieldInfo(schema).target : undefined;
      if (kind !== undefined && typeof value === 'string') settleName(work, step, arg, kind, value);
    }
  }
}

function put(work: Work, step: DraftStep, name: string, value: string | undefined): void {
  if (value === undefined || step.args[name] !== undefined) return;
  step.args = { [name]: value, ...step.args };
  work.defaulted.add(`${name}=${value}`);
}

function comparedWithLimit(condition: DraftCondition | null): DraftStep[] {
  if (condition === null) return [];
  if (!isCompare(condition))
    return ('all' in condition ? condition.all : condition.any).flatMap(comparedWithLimit);
  const limit = isFromStep(condition.right) && condition.right.step.tool === 'sla.threshold';
  return limit ? condition.left.map((part) => part.step) : [];
}

/** By the service's name, or by what its project is called. */
function projectOfService(service: string, { services, projects }: Work['catalogue']): string | undefined {
  const same = (name: string): boolean => name.toLowerCase() === service.toLowerCase();
  return (
    services.find((entry) => same(entry.name))?.project ??
    projects.find((entry) => entry.aliases.some(same))?.key
  );
}

function projectFor(work: Work, step: DraftStep): string | undefined {
  const { catalogue } = work;
  const paged = work.steps.find(
    (other) => other.tool === 'pagerduty.page' && other.when && readsOf(other.when).includes(step),
  );
  const service = step.args.service ?? work.service ?? paged?.args.service;
  const ofService = typeof service === 'string' ? projectOfService(service, catalogue) : undefined;
  return work.project ?? ofService ?? catalogue.defaults.project;
}

function serviceFor(work: Work): string | undefined {
  const { catalogue } = work;
  const project =
    work.project ?? work.steps.map((step) => step.args.project).find((value) => typeof value === 'string');
  const ofProject = catalogue.projects.find((entry) => entry.key === project)?.service;
  return work.service ?? ofProject ?? catalogue.defaults.service;
}

const onlyOpen = 'Only open tickets are counted.';

/** A count on which a change depends: tickets that were closed long ago are no reason for it. */
function decides(work: Work, step: DraftStep): boolean {
  if (work.catalogue.open || !/^jira\.(count|search)$/.test(step.tool)) return false;
  return work.steps.some(
    (other) => isWriteStep(other) && other.when !== null && readsOf(other.when).includes(step),
  );
}

const aboutProjects = /^(jira\.(count|search)|sla\.threshold)$/;
const aboutServices = /^pagerduty\.(oncall|incidents)$/;

function fillDefaults(work: Work): void {
  const { defaults } = work.catalogue;
  const limited = new Set(work.steps.flatMap((step) => comparedWithLimit(step.when)));
  const hasLimit = work.steps.some((step) => step.tool === 'sla.threshold');
  for (const step of work.steps) {
    if (
      aboutProjects.test(step.tool) ||
      (step.tool === 'jira.sla' && step.args.key === undefined) ||
      step.tool === 'jira.create'
    ) {
      put(work, step, 'project', projectFor(work, step));
    }
    const compared = limited.has(step) || (hasLimit && step.tool === 'jira.count');
    if (step.tool === 'sla.threshold' || compared)
      put(work, step, 'priority', work.priority ?? defaults.priority);
    if (compared) put(work, step, 'status', 'open');
    if (
      decides(work, step) &&
      step.args.status === undefined &&
      step.args.window === undefined &&
      step.args.since === undefined
    ) {
      put(work, step, 'status', 'open');
      if (!work.assumptions.includes(onlyOpen)) work.assumptions.push(onlyOpen);
    }
    if (aboutServices.test(step.tool) || step.tool === 'pagerduty.page')
      put(work, step, 'service', serviceFor(work));
    if (
      step.tool === 'sla.threshold' &&
      (step.args.project === undefined || step.args.priority === undefined)
    ) {
      const missing = step.args.project === undefined ? 'project' : 'priority';
      const options = missing === 'project' ? namesOf(work.catalogue, 'project') : ['P1', 'P2', 'P3'];
      ask(work, [missing], `For which ${missing} is the SLA limit meant?`, options.slice(0, 5));
    }
  }
}

/** In a workspace: names as the catalogue has them, and defaults for what the goal leaves out. */
export function settle(work: Work): void {
  if (work.catalogue.open || work.troubles.length > 0) return;
  fillDefaults(work);
  settleNames(work);
}
