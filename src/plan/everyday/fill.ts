import { type Catalogue, knowsTarget, queryOf } from '../../core/catalogue.ts';
import { fieldInfo, type TargetKind } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import type { DraftStep, Lack } from './draft.ts';
import { aheadIn, allProjects } from './forms.ts';
import type { Slot } from './slots.ts';
import { nameVetted } from './vetted.ts';

/** Missing values are filled in only where there is a single possibility, and each guess is shown. */

interface Making {
  readonly id: string;
  readonly tool: Manifest;
  readonly draft: DraftStep;
  readonly args: Record<string, ArgValue>;
  readonly slots: ReadonlyMap<string, Slot>;
}

export interface Filled {
  readonly lacks: readonly Lack[];
  readonly assumptions: readonly string[];
}

export function fill(steps: readonly Making[], lacks: readonly Lack[], input: PlanningInput): Filled {
  const filling = new Filling(steps, input);
  for (const step of steps) filling.step(step, lacks);
  return { lacks: [...filling.lacks, ...filling.strangers()], assumptions: [...filling.assumptions] };
}

const targets = new Set<Slot>(['service', 'project', 'channel', 'user', 'issue', 'incident', 'transition']);

class Filling {
  readonly lacks: Lack[] = [];
  readonly assumptions = new Set<string>();
  readonly #steps: readonly Making[];
  readonly #input: PlanningInput;

  constructor(steps: readonly Making[], input: PlanningInput) {
    this.#steps = steps;
    this.#input = input;
  }

  step(step: Making, lacks: readonly Lack[]): void {
    const isOfAll =
      allProjects.test(this.#input.change?.words ?? this.#input.goal) && !isRequired(step, 'project');
    const own = lacks.filter(({ id, arg }) => id === step.id && !(isOfAll && arg === 'project'));
    nameVetted(step, this.#input);
    this.#own(step);
    this.#ofQuery(step);
    for (const arg of wanted(step, isOfAll)) {
      if (step.args[arg] !== undefined) continue;
      const value = this.#meant(arg, step);
      if (value !== null) step.args[arg] = value;
      else if (isRequired(step, arg) || own.some((one) => one.arg === arg))
        this.lacks.push({ slot: arg, id: step.id, arg });
    }
    const isTold = (lack: Lack): boolean =>
      this.lacks.some(({ id, arg }) => id === lack.id && arg === lack.arg);
    for (const lack of own) if (step.args[lack.arg] === undefined && !isTold(lack)) this.lacks.push(lack);
    this.#usual(step);
    this.#ahead(step);
  }

  /** A vetted query that cannot be run without a service: the only one it is about, or a question. */
  #ofQuery({ id, tool, args }: Making): void {
    const query = queryOf({ tool: tool.name, args }, this.#input.catalogue);
    const { service } = query?.parameters ?? {};
    if (
      query === undefined ||
      service === undefined ||
      service.default !== undefined ||
      args.service !== undefined
    )
      return;
    const { services: among } = query;
    const [only, ...others] = among;
    const beside = this.#only('service');
    if (only !== undefined && others.length === 0)
      args.service = this.#assumed(only, (name) => `The query ${query.name} is only about ${name}.`);
    else if (beside !== null && (among.length === 0 || among.includes(beside)))
      args.service = this.#assumed(beside, (name) => `No other service was named, so I used ${name}.`);
    else this.lacks.push({ slot: 'service', id, arg: 'service', ...(among.length === 0 ? {} : { among }) });
  }

  /** "on call for PAY": a project, or another word for it, in place of its service. */
  #own({ args, slots }: Making): void {
    const { services, projects } = this.#input.catalogue;
    for (const [arg, slot] of slots) {
      const said = args[arg];
      if (slot !== 'service' || typeof said !== 'string' || services.some(({ name }) => name === said))
        continue;
      const is = (name: string): boolean => name.toLowerCase() === said.toLowerCase();
      const owner = projects.find(({ key, aliases }) => [key, ...aliases].some(is));
      if (owner?.service === undefined) continue;
      args[arg] = this.#assumed(owner.service, (name) => `${name} is the service of ${owner.key}.`);
    }
  }

  /** “in 3 days”, of a step that can be about a time to come. */
  #ahead({ tool, args }: Making): void {
    const { goal, answers, change } = this.#input;
    const said = change === null ? [goal, ...answers.map(({ answer }) => answer)] : [change.words];
    const found = said.map(aheadIn).find((words) => words !== '');
    const arg = Object.entries(tool.args.shape).find(([, schema]) => fieldInfo(schema).ahead === true)?.[0];
    if (found !== undefined && arg !== undefined) args[arg] ??= found;
  }

  /** The only possible value of a step's argument. */
  #meant(arg: string, step: Making): string | null {
    const { catalogue, hasIncident, onCallFor = [] } = this.#input;
    if (arg === 'service')
      return onCallFor.length === 1
        ? this.#assumed(onCallFor[0] ?? '', (name) => `You are on call for ${name}, so I used that.`)
        : this.#service(step);
    if (arg === 'project') return this.#project(catalogue);
    if (arg === 'key') return this.#only('key');
    if (arg === 'incident') return this.#only('incident') ?? (hasIncident ? 'thread' : null);
    return null;
  }

  #assumed(value: string, words: (value: string) => string): string {
    this.assumptions.add(words(value));
    return value;
  }

  /** The service of the named project, the one named beside it, or the operator's default. */
  #service(step: Making): string | null {
    const { projects, defaults } = this.#input.catalogue;
    const named = this.#only('service');
    if (named !== null)
      return this.#assumed(named, (name) => `No other service was named, so I used ${name}.`);
    const project = this.#only('project') ?? this.#only('key')?.replace(/-\d+$/u, '');
    const owner = projects.find(({ key }) => key === project)?.service;
    if (owner !== undefined) return this.#assumed(owner, (name) => `${name} is the service of ${project}.`);
    const { service } = defaults;
    const isOfThread = service !== undefined && service === this.#input.threadService;
    const isAnother =
      project !== undefined ||
      (step.draft.args.get('service') === null && this.#namesPerson()) ||
      (this.#isBare() && !isOfThread);
    return isAnother || service === undefined
      ? null
      : this.#assumed(service, (name) =>
          isOfThread
            ? `This thread is about ${name}, so I used that.`
            : `No service was named, so I used ${name}.`,
        );
  }

  /** "page": a single order of which nothing was said. */
  #isBare(): boolean {
    const [only, ...others] = this.#steps;
    const isWrite = only?.tool.effect === 'write' && only.draft.when === null;
    return others.length === 0 && isWrite && [...only.draft.args.values()].every((parts) => parts === null);
  }

  /** "page @ana", "page me": the request names a person, so it does not mean the default service. */
  #namesPerson(): boolean {
    const { goal, answers } = this.#input;
    return /(?:^|\s)(?:@\p{L}|me(?:\s|$|[,.!?:]))/iu.test(
      [goal, ...answers.map(({ answer }) => answer)].join(' '),
    );
  }

  #project({ projects, defaults }: Catalogue): string | null {
    const named = this.#only('project');
    if (named !== null) return named;
    const service = this.#only('service');
    const owned = projects.find((one) => service !== null && one.service === service)?.key;
    if (owned !== undefined) return this.#assumed(owned, (name) => `${name} is the project of ${service}.`);
    return defaults.project === undefined
      ? null
      : this.#assumed(defaults.project, (name) => `No project was named, so I used ${name}.`);
  }

  /** The single value of an argument across all steps; null for none or several. */
  #only(arg: string): string | null {
    const values = new Set(
      this.#steps.flatMap(({ args }) => (typeof args[arg] === 'string' ? [args[arg] as string] : [])),
    );
    return values.size === 1 ? ([...values][0] ?? null) : null;
  }

  /** Lists of tickets default to open ones, if the request gives neither a status nor a time. */
  #usual({ tool, args }: Making): void {
    const { catalogue } = this.#input;
    const isTickets = tool.asked?.role === 'count' || tool.asked?.role === 'list';
    const isTimed = ['since', 'window', 'during', 'until'].some((arg) => args[arg] !== undefined);
    if (
      !isTickets ||
      catalogue.open ||
      isTimed ||
      args.status !== undefined ||
      args.status_not !== undefined ||
      !('status' in tool.args.shape)
    )
      return;
    args.status = 'open';
    this.assumptions.add('Only open tickets.');
  }

  /** Names that the workspace does not have. */
  strangers(): Lack[] {
    const { catalogue, goal } = this.#input;
    return this.#steps.flatMap(({ args, slots, id }) =>
      Object.entries(args).flatMap(([arg, value]) => {
        const slot = slots.get(arg);
        if (slot === undefined || !targets.has(slot) || typeof value !== 'string' || catalogue.open)
          return [];
        return knowsTarget(catalogue, slot as TargetKind, value, goal)
          ? []
          : [{ slot: arg, id, arg, said: value }];
      }),
    );
  }
}

const isRequired = ({ tool }: Making, arg: string): boolean => {
  const schema = tool.args.shape[arg];
  return schema !== undefined && !schema.safeParse(undefined).success;
};

/** Arguments that a step requires, and the project of a look-up. */
function wanted({ tool, args, draft }: Making, isOfAll: boolean): string[] {
  const asked = [...draft.args].flatMap(([arg, parts]) =>
    parts === null && !(isOfAll && arg === 'project') ? [arg] : [],
  );
  const needed = Object.keys(tool.args.shape).filter(
    (arg) => !['text', 'summary'].includes(arg) && isRequired({ tool } as Making, arg),
  );
  const isProject =
    !isOfAll &&
    'project' in tool.args.shape &&
    args.key === undefined &&
    !/^(?:me$|@)/u.test(String(args.assignee ?? ''));
  const isOnCall = tool.asked?.role === 'person' && args.schedule === undefined;
  const isAny =
    tool.anyOf !== undefined && !tool.anyOf.some((arg) => args[arg] !== undefined)
      ? tool.anyOf.slice(0, 1)
      : [];
  const looked = [...(isProject ? ['project'] : []), ...(isOnCall ? ['service'] : [])];
  return [...new Set([...needed, ...asked, ...looked, ...isAny])];
}
