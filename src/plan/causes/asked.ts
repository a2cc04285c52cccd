import type { Catalogue } from '../../core/catalogue.ts';
import { namesOf } from '../../core/catalogue.ts';
import type { Plan } from '../../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../../core/planning.ts';
import { emptyWords } from '../everyday/empty-words.ts';
import { nameIndex, withNames } from '../everyday/names.ts';
import { type Token, tokenize } from '../everyday/tokens.ts';
import { situationOf } from './investigation.ts';

/** The service of an incident, as PagerDuty has it; null where it is none of the operator's, or is not known. */
export type IncidentService = (incident: string) => Promise<string | null>;

/** The investigation in the hint with the checks that a model adds, or why there are none. Never throws. */
export type Ideas = (
  input: PlanningInput,
) => Promise<{ readonly plan: Plan | null } & Pick<PlannerReply, 'usage' | 'notes'>>;

const words = (line: string): ReadonlySet<string> => new Set(line.split(' '));

/** Asks for the causes. */
const whys = words('why y investigate investigation diagnose troubleshoot debug cause causes');
/** Asks how a thing is doing. */
const states = words('status state health situation triage doing going happening wrong matter');
/** How a thing may be doing: asked about, not stated. */
const conditions = words(
  'down up slow slower sluggish laggy failing failed broken unhealthy healthy degraded dead alive ok okay fine working flaky erroring crashing unavailable unreachable hanging stuck unstable impacted affected responding available',
);
const openers = words('is are why y how what whats');

interface Asked {
  /** Name of a service, or an incident as it was said. */
  readonly about: { readonly service: string } | { readonly incident: string };
  readonly isWhy: boolean;
}

/** A question about how a service is doing, or why, that says nothing else; null for anything else. */
function askedIn(text: string, catalogue: Catalogue): Asked | null {
  const tokens = withNames(text, tokenize(text), nameIndex(catalogue));
  const named = tokens.filter(
    (token) => serviceOf(token, catalogue) !== undefined || token.kind === 'incident',
  );
  const [only, ...others] = named;
  if (only === undefined || others.length > 0) return null;
  const rest = tokens.filter((token) => token !== only).map(({ low, kind }) => ({ low: bare(low), kind }));
  const isKnown = ({ low, kind }: Pick<Token, 'low' | 'kind'>): boolean =>
    (kind === 'mark' && /^[,.?!:;]$/u.test(low)) ||
    ((kind === 'word' || kind === 'hyphened') &&
      [whys, states, conditions, emptyWords].some((set) => set.has(low))) ||
    (only.kind === 'incident' && low === 'incident');
  if (!rest.every(isKnown)) return null;
  const said = new Set(rest.map(({ low }) => low));
  const isWhy = !said.isDisjointFrom(whys);
  const first = bare(tokens[0]?.low ?? '');
  const isAsked = openers.has(first) || text.trimEnd().endsWith('?');
  const isState =
    !said.isDisjointFrom(states) || (isAsked && (first === 'how' || !said.isDisjointFrom(conditions)));
  const service = serviceOf(only, catalogue);
  if (service === undefined) return isWhy ? { about: { incident: only.raw }, isWhy } : null;
  return isWhy || isState ? { about: { service }, isWhy } : null;
}

const bare = (low: string): string => low.replace(/'s$/u, '');

/** A project also stands for its service. */
const serviceOf = ({ names, kind }: Token, { projects }: Catalogue): string | undefined =>
  kind === 'channel'
    ? undefined
    : (names.service ?? projects.find(({ key }) => key === names.project)?.service);

/** Plans questions about the state of a service, and why it is so; anything else goes to `next`. */
export function situationFirst(
  next: Planner,
  serviceOfIncident: IncidentService,
  ideas: Ideas | null = null,
): Planner {
  return {
    async plan(input) {
      const said = input.replan !== null ? null : askedIn(input.change?.words ?? input.goal, input.catalogue);
      // The words of a change that name nothing new are about the plan.
      const reply = said === null ? null : await replyTo(said, input, serviceOfIncident, ideas);
      return reply ?? next.plan(input);
    },
  };
}

async function replyTo(
  { about, isWhy }: Asked,
  input: PlanningInput,
  serviceOfIncident: IncidentService,
  ideas: Ideas | null,
): Promise<PlannerReply | null> {
  const answered = input.answers.findLast(({ missing }) => missing.includes('service'))?.answer;
  const service =
    'service' in about ? about.service : (answered ?? (await serviceOfIncident(about.incident)));
  const reply = { planner: 'offline', confidence: 1, usage: null } as const;
  if (service === null || !namesOf(input.catalogue, 'service').includes(service)) {
    const question = `Which service is ${'incident' in about ? about.incident : 'this'} about?`;
    const options = namesOf(input.catalogue, 'service').slice(0, 5);
    return { ...reply, answer: { kind: 'clarify', question, missing: ['service'], options }, notes: [] };
  }
  const made = situationOf({ goal: input.goal, service, isWhy }, input);
  if (made === null) return null;
  const more = isWhy && ideas !== null ? await ideas({ ...input, hint: made.plan }) : null;
  const notes = [...made.notes, ...(more?.notes ?? [])];
  return {
    ...{ ...reply, notes, usage: more?.usage ?? null },
    answer: { kind: 'plan', plan: more?.plan ?? made.plan },
  };
}
