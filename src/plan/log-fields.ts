import type { Offer } from '../core/answer.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Plan, Step } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import type { QueryTemplate } from '../core/queries/template.ts';
import { planTitle } from '../core/title.ts';
import { labelsOf, planWords } from './offer-labels.ts';
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
const fieldNames = { status: 'the status code', host: 'the host' } as const;

/**
 * A status code and a host are values of a field, not letters in an entry. They go to a vetted query that has a parameter
 * for them; where none has, people are asked: counting letters would find none.
 */
export function logFieldsFirst(planner: Planner): Planner {
  return {
    async plan(input) {
      const reply = await planner.plan(input);
      const isOfAPlan = input.change !== null || input.replan !== null;
      const fact = isOfAPlan || reply.planner === 'person' ? null : factIn(reply, input);
      if (fact === null) return reply;
      for (const words of replacements(fact, input.catalogue)) {
        const again = await planner.plan({ ...input, goal: input.goal.replace(fact.words, words) });
        const found = answered(again, reply, fact, input);
        if (found !== null) return found;
      }
      if (fact.type === 'host') return reply;
      const isKnown = (input.catalogue.queries ?? []).some((one) => fieldOf(one, fact.type) !== null);
      if (isKnown)
        return refused(
          reply,
          `${cannot(fact)} as it is asked. Ask for that alone, for example “${fact.words} of ${exampleService(input)} today”.`,
        );
      return asks(reply, fact, isClass(fact) ? [] : plansOf(reply));
    },
  };
}

const isClass = ({ value }: Fact): boolean => /x/i.test(value);

function factIn(reply: PlannerReply, { goal, catalogue }: PlanningInput): Fact | null {
  const said = withoutQuotes(goal);
  const abouts = plansOf(reply).flatMap(({ steps }) =>
    steps.flatMap(({ tool, args }) =>
      isLog(tool, catalogue) && typeof args.about === 'string' ? [args.about] : [],
    ),
  );
  const [words, value] = statusClass.exec(said) ?? [];
  if (words !== undefined && value !== undefined && abouts.some((about) => about.includes(value)))
    return { type: 'status', words, value: value.toLowerCase() };
  const code = abouts.find((about) => statusCode.test(about) && said.includes(about));
  if (code !== undefined) return { type: 'status', words: code, value: code.slice(0, 3) };
  const [onHost, host] = hostName.exec(said) ?? [];
  const isKnown = (name: string) =>
    catalogue.manifests.has(name) || catalogue.services.some((one) => one.name === name);
  if (onHost === undefined || host === undefined || isKnown(host)) return null;
  const carries = ({ args }: Step): boolean => JSON.stringify(args).includes(host);
  const isCarried = plansOf(reply).some(({ steps }) => steps.some(carries));
  return isCarried ? null : { type: 'host', words: onHost, value: host };
}

const isLog = (tool: string, { manifests }: Catalogue): boolean =>
  manifests.get(tool)?.queries !== undefined && manifests.get(tool)?.args.shape.about !== undefined;

/** The words that stand for the value in a request that the planner knows: what people call the query, or none. */
function replacements({ type }: Fact, { queries = [] }: Catalogue): string[] {
  if (type === 'host') return [''];
  return [...new Set(queries.flatMap((one) => (fieldOf(one, type) === null ? [] : one.says.slice(0, 1))))];
}

const fieldOf = ({ parameters }: QueryTemplate, type: Fact['type']): string | null =>
  Object.entries(parameters).find(([, parameter]) => parameter.type === type)?.[0] ?? null;

/** The plan with the value in its field, or a question; null where the request is not about log entries. */
function answered(
  again: PlannerReply,
  first: PlannerReply,
  fact: Fact,
  { goal, catalogue }: PlanningInput,
): PlannerReply | null {
  if (again.answer.kind !== 'plan') return null;
  const { plan } = again.answer;
  const asked = plan.steps.filter(({ tool }) => isLog(tool, catalogue));
  if (asked.length === 0) return null;
  const steps = plan.steps.map((step) => (asked.includes(step) ? inField(step, fact, catalogue) : step));
  if (steps.some((step) => step === null)) {
    const isRead = plan.steps.every(({ tool }) => catalogue.manifests.get(tool)?.effect === 'read');
    return fact.type === 'host' ? asks(first, fact, isRead ? [{ ...plan, goal }] : []) : null;
  }
  const found = steps.filter((step) => step !== null);
  const summary = planTitle(found, catalogue.manifests);
  return { ...again, answer: { kind: 'plan', plan: { ...plan, goal, steps: found, summary } } };
}

/** The same question to the query that has the field, on the platform of the step if that has one. */
function inField(step: Step, { type, value }: Fact, { queries = [], manifests }: Catalogue): Step | null {
  const ownLanguage = manifests.get(step.tool)?.queries;
  const own = queries.find(({ language, name }) => language === ownLanguage && name === step.args.named);
  const says: readonly unknown[] = own?.says ?? [step.args.about];
  const fitting = queries.filter(
    (one) => fieldOf(one, type) !== null && one.says.some((words) => says.includes(words)),
  );
  const query = fitting.find(({ language }) => language === ownLanguage) ?? fitting[0];
  const field = query === undefined ? null : fieldOf(query, type);
  const tool = [...manifests.values()].find(({ queries: language }) => language === query?.language)?.name;
  if (query === undefined || field === null || tool === undefined) return null;
  const { about: _letters, ...args } = step.args;
  return { ...step, tool, args: { ...args, named: query.name, [field]: value } };
}

function plansOf({ answer }: PlannerReply): Plan[] {
  if (answer.kind === 'plan') return [answer.plan];
  return answer.kind === 'refuse' ? [] : (answer.offers ?? []).map(({ plan }) => plan);
}

const cannot = ({ value }: Fact): string => `I can’t narrow a log search to “${value}”`;
const exampleService = ({ catalogue }: PlanningInput): string => catalogue.services[0]?.name ?? 'checkout';

const refused = (reply: PlannerReply, explanation: string): PlannerReply => ({
  ...reply,
  answer: { kind: 'refuse', reason: 'not_configured', explanation },
});

function asks(reply: PlannerReply, fact: Fact, plans: readonly Plan[]): PlannerReply {
  const why = `${cannot(fact)}: no query for it here has a parameter for ${fieldNames[fact.type]}.`;
  const labels = labelsOf(plans.map((plan) => planWords(plan)));
  const offers = plans.flatMap((plan, at): Offer[] => {
    const option = labels[at];
    return option === undefined ? [] : [{ option, plan }];
  });
  if (offers.length === 0)
    return refused(reply, `${why} An operator can add one, of the type ${fact.type}, to a vetted query.`);
  const options = offers.map(({ option }) => option);
  const question = `${why} Shall I look for this instead?`;
  return { ...reply, answer: { kind: 'clarify', question, missing: ['field'], options, offers } };
}
