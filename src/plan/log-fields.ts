import type { PlannerAnswer } from '../core/answer.ts';
import { type Catalogue, queryOf } from '../core/catalogue.ts';
import { onlyReads } from '../core/code-step.ts';
import type { Plan, Step } from '../core/plan.ts';
import type { PlanningInput } from '../core/planning.ts';
import type { QueryTemplate } from '../core/queries/template.ts';
import { planTitle } from '../core/title.ts';
import { buttonsOf, choiceOf, planWords } from './offer-labels.ts';
import { withoutQuotes } from './quotations.ts';

/** A value of a field in a request for log entries. */
interface Fact {
  readonly type: 'status' | 'host';
  /** As it stands in the request. */
  readonly words: string;
  readonly value: string;
}

const statusClass = /(?<![\p{L}\p{N}._-])([1-5]xx)s?(?: errors?| responses?| codes?)?(?![\p{L}\p{N}_-])/iu;
const statusCode = /^([1-5]\d\d)s?(?: errors?| responses?| codes?)?$/iu;
const hostName =
  /(?:(?:on|from|at|of|for|in) (?:the )?(?:host )?)?(?<![\p{L}\p{N}@/.:_-])(\p{L}[\p{L}\p{N}-]{0,62}(?:\.[\p{L}\p{N}-]{1,63}){0,5}\.\p{L}{2,20})(?![\p{L}\p{N}/@_-])/iu;
/** More buttons would be a menu. */
const maxOffers = 5;
const fieldNames = { status: 'the status code', host: 'the host' } as const;

/** A name without a dot, where a query has a field for it: “on web-3”. */
const shortName =
  /(?:on|from|at) (?:the )?(?:host )?(\p{L}{2,30}(?:-\p{L}{2,30}){0,3}-?\d{1,4})(?![\p{L}\p{N}/@_.-])/iu;

/** A host that a request names, outside of quotations. */
export function hostIn({ goal, catalogue, change, replan }: PlanningInput): Fact | null {
  const { manifests, services, projects, queries = [] } = catalogue;
  const said = withoutQuotes(goal);
  const isField = queries.some((one) => fieldOf(one, 'host') !== null);
  const [words, value] = hostName.exec(said) ?? (isField ? shortName.exec(said) : null) ?? [];
  if (words === undefined || value === undefined || change !== null || replan !== null) return null;
  const [prefix, number] = value.toUpperCase().split('-');
  const isTicket = /^\d+$/u.test(number ?? '') && projects.some(({ key }) => key === prefix);
  const isName = manifests.has(value) || services.some(({ name }) => name === value);
  return isName || isTicket ? null : { type: 'host', words, value };
}

/** The text of a log search that stands for a status code: to count its letters would find none. */
function statusIn({ args }: Step, { goal }: PlanningInput): Fact | null {
  const about = String(args.about ?? '');
  const [words, value] = statusClass.exec(about) ?? statusCode.exec(about) ?? [];
  const isSaid = words !== undefined && withoutQuotes(goal).includes(words);
  return isSaid && value !== undefined ? { type: 'status', words, value: value.toLowerCase() } : null;
}

/**
 * A status code and a host are values of a field, not letters in an entry. A log search goes to a vetted query that has
 * a parameter for them; where none has, people are asked, and never given the answer to another question.
 */
export function inFields(answer: PlannerAnswer, input: PlanningInput): PlannerAnswer {
  if (input.change !== null || input.replan !== null) return answer;
  const steps = plansOf(answer).flatMap((plan) => plan.steps);
  const logs = steps.filter((step) => isLog(step, input.catalogue));
  const host = hostIn(input);
  const isHostSaid = steps.some(({ args }) => host !== null && JSON.stringify(args).includes(host.value));
  const [status] = logs.flatMap((step) => statusIn(step, input) ?? []);
  const facts = [status, logs.length > 0 && !isHostSaid ? host : undefined].filter((one) => one != null);
  return facts.reduce((before, fact) => withField(before, fact, input), answer);
}

const isLog = ({ tool }: Step, { manifests }: Catalogue): boolean =>
  manifests.get(tool)?.queries !== undefined && manifests.get(tool)?.args.shape.about !== undefined;

export function plansOf(answer: PlannerAnswer): Plan[] {
  if (answer.kind === 'plan') return [answer.plan];
  if (answer.kind === 'refuse') return [];
  return [...(answer.offers ?? []).map(({ plan }) => plan), ...(answer.blank ? [answer.blank.plan] : [])];
}

/** An answer with each of its plans changed, and without offers that cannot be; null where none of its plans can. */
export function withEach(
  answer: PlannerAnswer,
  changed: (plan: Plan) => Plan | null,
  optionFor: (option: string) => string = (option) => option,
): PlannerAnswer | null {
  if (answer.kind === 'refuse') return answer;
  if (answer.kind === 'plan') {
    const plan = changed(answer.plan);
    return plan && { kind: 'plan', plan };
  }
  const { blank, ...question } = answer;
  const made = (answer.offers ?? []).map((offer) => ({ ...offer, plan: changed(offer.plan) }));
  const left = made.flatMap(({ option, plan }) => (plan === null ? [] : [{ option, plan }]));
  const plan = blank && changed(blank.plan);
  if (left.length === 0 && plan == null) return null;
  const offers = buttonsOf(
    left.map((offer) => offer.plan),
    left.map(({ option }) => optionFor(option)),
  );
  return {
    ...question,
    ...(left.length === 0 ? {} : { offers, options: offers.map(({ option }) => option) }),
    ...(blank && plan ? { blank: { ...blank, plan } } : {}),
  };
}

function withField(answer: PlannerAnswer, fact: Fact, input: PlanningInput): PlannerAnswer {
  const plans = plansOf(answer);
  // One query may know the host in all services, where each offer names one of them.
  const anywhere = answer.kind === 'clarify' && answer.missing[0] === 'service' ? plans.slice(0, 1) : [];
  const [everywhere] = anywhere.flatMap((plan) => narrowed(inService(plan, null, input), fact, input) ?? []);
  if (everywhere !== undefined) return { kind: 'plan', plan: everywhere };
  return withEach(answer, (plan) => narrowed(plan, fact, input)) ?? instead(plans, fact, input);
}

/** The plan with the value in its field; null where no query for it has one. */
function narrowed(plan: Plan, fact: Fact, { goal, catalogue }: PlanningInput): Plan | null {
  const isAsked = (step: Step): boolean =>
    isLog(step, catalogue) && (fact.type === 'host' || String(step.args.about).includes(fact.words));
  const steps = plan.steps.map((step) => (isAsked(step) ? inField(step, fact, { goal, catalogue }) : step));
  const made = steps.filter((step) => step !== null);
  if (made.length < steps.length || !plan.steps.some(isAsked)) return null;
  return { ...plan, goal, steps: made, summary: planTitle(made, catalogue.manifests) };
}

/** The plan with its log searches in a service, or in none. */
function inService(plan: Plan, service: string | null, { catalogue }: PlanningInput): Plan {
  const steps = plan.steps.map((step): Step => {
    const { service: _before, ...args } = step.args;
    if (!isLog(step, catalogue)) return step;
    return { ...step, args: service === null ? args : { ...args, service } };
  });
  const inputs = plan.inputs.filter(({ name }) => name !== 'service');
  return { ...plan, steps, inputs };
}

/** The same question to the query that has the field, on the platform of the step if that has one. */
function inField(step: Step, fact: Fact, asked: Pick<PlanningInput, 'goal' | 'catalogue'>): Step | null {
  const { manifests } = asked.catalogue;
  const language = manifests.get(step.tool)?.queries;
  const fitting = fittingQueries(step, fact, asked);
  const query = fitting.find((one) => one.language === language) ?? fitting[0];
  const field = query === undefined ? null : fieldOf(query, fact.type);
  const tool = [...manifests.values()].find(({ queries }) => queries === query?.language)?.name;
  if (query === undefined || field === null || tool === undefined) return null;
  const { about: _letters, ...args } = step.args;
  return { ...step, tool, args: { ...args, named: query.name, [field]: fact.value } };
}

/** Queries with the field that answer the question of a step, best first: those that need no service where none is said. */
function fittingQueries(
  { tool, args }: Step,
  { type, words }: Fact,
  { goal, catalogue: { manifests, queries = [] } }: Pick<PlanningInput, 'goal' | 'catalogue'>,
): QueryTemplate[] {
  const own = queryOf({ tool, args }, { manifests, queries });
  const about = String(args.about ?? '')
    .replace(words, '')
    .trim();
  const isAsked = ({ says }: QueryTemplate): boolean =>
    type === 'status' ? about === '' : says.some((one) => own?.says.includes(one) ?? one === args.about);
  const isSaid = ({ says }: QueryTemplate): boolean => says.some((one) => goal.toLowerCase().includes(one));
  const takes = ({ parameters }: QueryTemplate): boolean => Object.hasOwn(parameters, 'service');
  const fits = (one: QueryTemplate): boolean => {
    const { services, parameters } = one;
    const lost = Object.keys(own?.parameters ?? {}).filter((arg) => arg in args && !(arg in parameters));
    if (lost.some((arg) => arg !== 'service')) return false;
    if (args.service === undefined) return !takes(one) || parameters.service?.default !== undefined;
    const isCovered = services.length === 0 || services.includes(String(args.service));
    return isCovered && (takes(one) || services.length === 1);
  };
  return queries
    .filter((one) => fieldOf(one, type) !== null && isAsked(one) && fits(one))
    .sort(
      (one, other) =>
        Number(takes(one)) - Number(takes(other)) || Number(isSaid(other)) - Number(isSaid(one)),
    );
}

const fieldOf = ({ parameters }: QueryTemplate, type: Fact['type']): string | null =>
  Object.entries(parameters).find(([, parameter]) => parameter.type === type)?.[0] ?? null;

const cannot = ({ value }: Fact): string => `I can’t narrow a log search to “${value}”`;

const refused = (explanation: string): PlannerAnswer => ({
  kind: 'refuse',
  reason: 'not_configured',
  explanation,
});

/** A question for the service that the query needs; or what can be looked for instead. */
function instead(plans: readonly Plan[], fact: Fact, input: PlanningInput): PlannerAnswer {
  const { manifests, services, queries = [] } = input.catalogue;
  const ofServices = services.flatMap(({ name }) => {
    const made = plans[0] && narrowed(inService(plans[0], name, input), fact, input);
    return made ? [{ option: name, plan: made }] : [];
  });
  if (ofServices.length > 0)
    return choiceOf('Which service is this about?', 'service', ofServices.slice(0, maxOffers));
  if (fact.type === 'status' && queries.some((one) => fieldOf(one, fact.type) !== null))
    return refused(
      `${cannot(fact)} as it is asked. Ask for that alone, for example “${fact.words} of ${services[0]?.name ?? 'checkout'} today”.`,
    );
  const why = `${cannot(fact)}: no query for it here has a parameter for ${fieldNames[fact.type]}.`;
  const isRead = ({ steps }: Plan): boolean => onlyReads(steps, manifests);
  const isCode = fact.type === 'status' && /^\d+$/u.test(fact.value);
  // A code may stand in an entry as it was said; a class never does, and another host is another question.
  const others = fact.type === 'host' ? plans.filter(isRead) : isCode ? plans : [];
  if (others.length === 0)
    return refused(`${why} An operator can add one, of the type ${fact.type}, to a vetted query.`);
  const instead = others.slice(0, maxOffers).map((plan) => ({ ...plan, goal: input.goal }));
  const offers = buttonsOf(
    instead,
    instead.map((plan) => planWords(plan, manifests)),
  );
  return choiceOf(`${why} Shall I look for this instead?`, 'field', offers);
}
