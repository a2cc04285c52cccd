import type { Offer } from '../core/answer.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Manifest } from '../core/manifest.ts';
import type { ArgValue, PlanDraft } from '../core/plan.ts';
import {
  certainReply,
  type Planner,
  type PlannerReply,
  type PlanningInput,
  type ReviewDraft,
} from '../core/planning.ts';
import { messageGoal } from '../core/request.ts';
import { planTitle } from '../core/title.ts';
import { looksLikeNotation } from '../notation/looks.ts';
import { nameIndex, withNames } from './everyday/names.ts';
import { quoteInto } from './everyday/texts.ts';
import { tokenize } from './everyday/tokens.ts';
import { buttonsOf, choiceOf } from './offer-labels.ts';

/** More of a kind would be a search of its own. */
const maxNamed = 2;
const maxLookUps = 10;

/** How monitoring begins its messages, and the labels in them. */
const alarmed =
  /^\W{0,3}(?:(?:FIRING|RESOLVED|TRIGGERED|ALERTING|Firing|Triggered)(?!\p{L})|(?:ALERT|CRITICAL|WARNING) ?[:\]])/u;
const label = /(?<![\p{L}\p{N}_])[\p{L}_]{2,30} ?[=:] ?[\p{L}\p{N}"]/gu;
const minLabels = 2;
/** CheckoutHighLatency. */
const alertName = /(?<![\p{L}\p{N}_])(?:\p{Lu}[\p{Ll}\p{N}]+){2,8}(?![\p{L}\p{N}_])/gu;

/** An alert's text where a request should be. Plan notation and calls of playbooks also have names with values. */
function isPasted(goal: string, catalogue: Catalogue): boolean {
  if (looksLikeNotation(goal, catalogue) || /^\s*run\s/iu.test(goal)) return false;
  const labels = goal.match(label)?.length ?? 0;
  return alarmed.test(goal) || (labels >= minLabels && goal.search(alertName) >= 0);
}

/**
 * Asks what to do with a message that a shortcut was used on, or with an alert that was pasted: look up what it names, or
 * pass it on. The message is data and never read as a request; the answer is the request.
 */
export function messageFirst(next: Planner, review: ReviewDraft): Planner {
  return {
    plan(input) {
      const { goal, quoted, change, replan, answers } = input;
      const isNew = change === null && replan === null;
      const isOfMessage = goal === messageGoal && quoted !== null;
      const message = isOfMessage ? quoted : isPasted(goal, input.catalogue) ? goal : null;
      if (message === null || !isNew) return next.plan(input);
      const [first, ...others] = answers;
      return first === undefined
        ? Promise.resolve(askAbout(message, input, review))
        : next.plan({ ...input, goal: first.answer, quoted: message, answers: others });
    },
  };
}

function askAbout(quoted: string, input: PlanningInput, review: ReviewDraft): PlannerReply {
  const { manifests } = input.catalogue;
  const offers = [lookUp(quoted, input), ...writesFor(quoted, input)].flatMap((offer): Offer[] => {
    const plan = offer && review({ ...offer.plan, goal: input.goal }, input).plan;
    return offer === null || plan === null
      ? []
      : [{ option: offer.option ?? planTitle(plan.steps, manifests), plan }];
  });
  const labelled = buttonsOf(
    offers.map(({ plan }) => plan),
    offers.map(({ option }) => option),
  );
  return certainReply(choiceOf('What should I do about this message?', 'goal', labelled), 'offline');
}

interface Call {
  readonly tool: Manifest;
  readonly args: Record<string, ArgValue>;
}
type Drafted = { readonly option?: string; readonly plan: PlanDraft };

/** One button for everything that the message names. */
function lookUp(quoted: string, { catalogue }: PlanningInput): Drafted | null {
  const { services, codes, addresses, incidents, alerts } = namedIn(quoted, catalogue);
  const calls = [...catalogue.manifests.values()]
    .filter(isForChannels)
    .flatMap((tool): Call[] => [
      ...services.flatMap((service) => ofService(service, tool, catalogue)),
      ...codes.flatMap((code) => ('code' in tool.args.shape ? [{ tool, args: { code } }] : [])),
      ...addresses.flatMap((address) => ofAddress(address, tool)),
      ...(tool.asked?.role === 'alarm' ? incidents.map((incident) => ({ tool, args: { incident } })) : []),
      ...(addresses.length > 0 ? [] : alerts.flatMap((alert) => ofAlert(alert, tool))),
    ]);
  if (calls.length === 0) return null;
  const found = [...incidents, ...services, ...codes, ...alerts.filter((one) => !codes.includes(one))];
  const names = [...found, ...(addresses.length > 0 ? ['its runbook'] : [])];
  return { option: `Look up ${names.join(', ')}`, plan: planOf(calls.slice(0, maxLookUps)) };
}

/** Its answer is posted where the message is. */
const isForChannels = ({ effect, yields }: Manifest): boolean =>
  effect === 'read' && (yields === 'public' || yields === 'internal');

interface Named {
  readonly services: readonly string[];
  readonly codes: readonly string[];
  readonly addresses: readonly string[];
  readonly incidents: readonly string[];
  readonly alerts: readonly string[];
}

function namedIn(quoted: string, catalogue: Catalogue): Named {
  const tokens = withNames(quoted, tokenize(quoted), nameIndex(catalogue));
  // "java.lang.NullPointerException" is known by its last part.
  const bare = tokenize(quoted.replaceAll(/[\p{L}\p{N}.]+/gu, (word) => lastName(word.split('.'))));
  const some = (all: readonly (string | undefined)[]): string[] =>
    [...new Set(all.filter((one) => one !== undefined))].slice(0, maxNamed);
  return {
    services: some(tokens.map(({ names }) => names.service)),
    codes: some(bare.map(({ kind, raw }) => (kind === 'code' && !/xx$/u.test(raw) ? raw : undefined))),
    addresses: some(tokens.map(({ kind, raw }) => (kind === 'address' ? raw : undefined))),
    incidents: some(tokens.map(({ kind, raw }) => (kind === 'incident' ? raw : undefined))),
    alerts: some(quoted.match(alertName) ?? []).slice(0, 1),
  };
}

/** From the first part with a capital, if lower case stands before it. */
function lastName(parts: readonly string[]): string {
  const at = parts.findIndex((part) => !/^\p{Ll}/u.test(part));
  return (at > 0 && /^\p{Lu}/u.test(parts[at] ?? '') ? parts.slice(at) : parts).join('.');
}

/** Its open incidents, and the vetted queries that need no more than a service. */
function ofService(service: string, tool: Manifest, { queries = [] }: Catalogue): Call[] {
  if (tool.asked?.role === 'alarms') return [{ tool, args: { service, status: 'open' } }];
  return queries
    .filter(
      ({ language, parameters, services }) =>
        language === tool.queries &&
        parameters.service !== undefined &&
        (services.length === 0 || services.includes(service)) &&
        Object.entries(parameters).every(([name, one]) => name === 'service' || one.default !== undefined),
    )
    .map(({ name }) => ({ tool, args: { named: name, service } }));
}

/** The page behind an address is searched for by its name, where the address says what it is: `…/runbooks/disk-full.md`. */
function ofAddress(address: string, tool: Manifest): Call[] {
  const isIts = tool.asked?.nouns?.some((noun) => address.toLowerCase().includes(noun)) === true;
  const path = URL.canParse(address) ? new URL(address).pathname : '';
  const page = (path.split('/').findLast((part) => part !== '') ?? '').replace(/\.[a-z]{2,4}$/iu, '');
  const query = page.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return isIts && query !== '' && 'query' in tool.args.shape ? [{ tool, args: { query } }] : [];
}

/** Runbooks are searched for by the words of an alert's name. */
function ofAlert(alert: string, tool: Manifest): Call[] {
  const isIts = tool.asked?.nouns?.includes('runbook') === true && 'query' in tool.args.shape;
  return isIts
    ? [{ tool, args: { query: alert.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').toLowerCase() } }]
    : [];
}

/** A page of each service that is named, else of the default one, and a ticket. */
function writesFor(quoted: string, { catalogue }: PlanningInput): Drafted[] {
  const { manifests, services, defaults } = catalogue;
  const named = namedIn(quoted, catalogue).services;
  const paged = named.length > 0 ? named : [defaults.service].filter((one) => one !== undefined);
  const project = services.find(({ name }) => name === paged[0])?.project ?? defaults.project;
  const write = (role: 'page' | 'create', args: Record<string, ArgValue>): Drafted[] => {
    const tool = [...manifests.values()].find(({ asked }) => asked?.role === role);
    if (tool === undefined) return [];
    quoteInto({ tool, args }, quoted);
    return [{ plan: planOf([{ tool, args }]) }];
  };
  return [
    ...paged.flatMap((service) => write('page', { service })),
    ...(project === undefined ? [] : write('create', { project })),
  ];
}

function planOf(calls: readonly Call[]): PlanDraft {
  const steps = calls.map(({ tool, args }, at) => ({
    id: `${tool.name.replace(/^.*\./u, '')}_${at + 1}`,
    tool: tool.name,
    why: 'Chosen for this message.',
    args,
  }));
  return { goal: messageGoal, summary: messageGoal, steps };
}
