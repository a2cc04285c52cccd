import type { Catalogue } from '../../core/catalogue.ts';
import { causesOf } from '../../core/cause.ts';
import { levels, type Manifest } from '../../core/manifest.ts';
import { type Plan, planLimits, type Step } from '../../core/plan.ts';
import type { Policy } from '../../core/policy.ts';
import { capital, stepSentence, vocabularyOf } from '../../core/step-words.ts';
import { withIds } from '../../notation/defaults.ts';
import { checkBeside, checkOf, type Known, keyOf } from './check.ts';

/** A plan of reads, and what it leaves out. */
export interface Investigation {
  readonly plan: Plan;
  readonly notes: readonly string[];
}

interface Around {
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Slack id of the channel that is told: what it may not hold is not read. */
  readonly channel?: string;
}

/** How a service is doing: everything that says so, and, when asked why, the causes that the operator wrote for it. */
export function situationOf(
  { goal, service, isWhy }: { readonly goal: string; readonly service: string; readonly isWhy: boolean },
  around: Around,
): Investigation | null {
  const all = evidenceSteps(service, around.catalogue);
  const steps = all.filter((step) => mayTell(step, around));
  const notes = all.filter((step) => !steps.includes(step)).map(({ why }) => `${why}: ${tooSecret}`);
  const summary = `${isWhy ? 'Investigate' : 'Status of'} ${service}`;
  const inputs = [{ name: 'service', value: service, source: 'text' as const }];
  const plan: Plan = { ...{ goal, summary, inputs, assumptions: [], steps, success: [] }, ...about(service) };
  const made = isWhy ? withCauses(plan, service, around) : { plan, notes: [] };
  if (isWhy && causesOf(around.catalogue.causes ?? [], service).length === 0) notes.push(noCauses(service));
  return made.plan.steps.length === 0 ? null : { plan: made.plan, notes: [...notes, ...made.notes] };
}

const tooSecret = 'not looked up, because this channel may not hold such data.';

export function mayTell({ tool }: Pick<Step, 'tool'>, { catalogue, channel }: Around): boolean {
  const home = catalogue.channels.find(({ id }) => id === channel);
  const level = catalogue.manifests.get(tool)?.yields ?? 'public';
  return home === undefined || levels.indexOf(level) <= levels.indexOf(home.clearance);
}

const about = (service: string): Pick<Plan, 'situation'> => ({ situation: { service, causes: [] } });

const noCauses = (service: string): string =>
  `No causes are written for ${service}. Write them under causes in countersign.yml, and code will check them.`;

/** The plan with the checks of all causes that fit the service. */
export function withCauses(plan: Plan, service: string, around: Around): Investigation {
  const { catalogue, policy } = around;
  const fitting = causesOf(catalogue.causes ?? [], service);
  const steps = [...plan.steps];
  const causes: NonNullable<Plan['situation']>['causes'] = [];
  const notes: string[] = [];
  const room = Math.min(policy.caps.steps, planLimits.steps);
  const known: Known = new Map(steps.map((step) => [keyOf(step), step.id]));
  for (const cause of fitting) {
    const check = checkOf(cause, service, catalogue);
    if ('why' in check) {
      notes.push(`Not checked: ${cause.sentence} ${unusable(check.why, cause.check, catalogue)}`);
      continue;
    }
    if (!check.steps.every((step) => mayTell(step, around))) {
      notes.push(`Not checked: ${cause.sentence} This channel may not hold the data of its check.`);
      continue;
    }
    const own = checkBeside(check, known, new Set(steps.map(({ id }) => id)));
    if (steps.length + own.steps.length > room || causes.length === planLimits.causes) {
      notes.push(
        `Not checked: ${cause.sentence} A plan has at most ${room} steps and ${planLimits.causes} causes.`,
      );
      continue;
    }
    steps.push(...own.steps);
    for (const step of own.steps) known.set(keyOf(step), step.id);
    causes.push({ id: cause.id, sentence: cause.sentence, when: own.when });
  }
  return { plan: { ...plan, steps, situation: { service, causes } }, notes };
}

/** A tool that is not set up here explains a check better than its notation does. */
function unusable(why: string, check: string, { unconfigured }: Catalogue): string {
  const [tool, setting] = [...unconfigured].find(([name]) => check.includes(`${name} `)) ?? [];
  return tool === undefined ? `Its check ${why}.` : `It needs ${tool}, which needs ${setting}.`;
}

/** The reads that tools declare for it, and the vetted queries that name the service and need nothing else. */
function evidenceSteps(name: string, { manifests, services, queries = [] }: Catalogue): Step[] {
  const service = services.find((one) => one.name === name) ?? { name };
  const declared = [...manifests.values()].flatMap((manifest) => {
    const args = manifest.situation?.(service) ?? null;
    return args === null ? [] : [{ manifest, args }];
  });
  const vetted = queries.flatMap(({ name: named, language, services: covered, parameters }) => {
    const manifest = [...manifests.values()].find((one) => one.queries === language);
    const isEnough = Object.entries(parameters).every(
      ([parameter, spec]) => parameter === 'service' || spec.default !== undefined,
    );
    if (manifest === undefined || !isEnough || !covered.includes(name)) return [];
    const own = Object.hasOwn(parameters, 'service') ? { service: name } : {};
    return [{ manifest, args: { ...own, named } }];
  });
  const isAlarm = ({ manifest }: { manifest: Manifest }) => manifest.asked?.role === 'alarms';
  const reads = [...declared.filter(isAlarm), ...vetted, ...declared.filter((one) => !isAlarm(one))];
  const ids = withIds(reads.map(({ manifest }) => ({ id: null, tool: manifest.name })));
  return reads.map(({ manifest, args }, index): Step => {
    const step: Step = {
      ...{ id: ids[index] ?? '', tool: manifest.name, why: '', args, needs: [] },
      ...{ onError: 'stop', onSkip: 'skip' },
    };
    return { ...step, why: capital(stepSentence(step, vocabularyOf([step], manifests))).slice(0, 300) };
  });
}
