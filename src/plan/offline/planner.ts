import { allManifests } from '../../../manifests/all.ts';
import type { Offer } from '../../core/answer.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { cut } from '../../core/inert.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../../core/planning.ts';
import type { Playbook } from '../playbooks/playbook.ts';
import { Composer, type Composed, type Given } from './compose.ts';
import { readEntities } from './entities.ts';
import type { Text } from './frames.ts';
import { createLexicon, type Lexicon } from './lexicon.ts';
import { refusalOf } from './refusals.ts';
import { planOf } from './to-plan.ts';
import { readingsOf } from './search.ts';
import { tokensOf } from './tokens.ts';

/** A request with everything that can be found in it word by word. */
export function readText(goal: string, input: Pick<PlanningInput, 'catalogue' | 'now'>, lexicon: Lexicon): Text {
  const { catalogue, now } = input;
  const { tokens, entities } = readEntities(tokensOf(goal), goal, { catalogue, lexicon, now });
  return { goal, tokens, entities, phrases: tokens.map((_token, index) => lexicon.phrasesAt(tokens, index)), lexicon, catalogue, frames: new Map() };
}

export interface Candidate {
  readonly composed: Composed;
  readonly plan: Plan;
}

function key(plan: Plan): string {
  return JSON.stringify(plan.steps.map(({ tool, args, when }) => [tool, args, when]));
}

/** The plans that a request may mean, the likeliest first. */
export function candidatesFor(text: Text, given: Given): Candidate[] {
  const composed = readingsOf(text)
    .map((reading) => new Composer(text, given).run(reading))
    .filter(({ steps }) => steps.length > 0)
    .sort((a, b) => b.score - a.score);
  const seen = new Map<string, Candidate>();
  for (const one of composed) {
    const plan = planOf(text.goal, one, text.lexicon.tools);
    if (!seen.has(key(plan))) seen.set(key(plan), { composed: one, plan });
  }
  return [...seen.values()];
}

export interface OfflineOptions {
  readonly playbooks: readonly Playbook[];
}

function planGoal(input: PlanningInput, lexicon: Lexicon): PlannerReply {
  const text = readText(input.goal, input, lexicon);
  const refused = refusalOf(text, input.catalogue.manifests.values());
  if (refused) return { planner: 'offline', usage: null, notes: [], confidence: 0.95, answer: refused };
  const [best, second, third] = candidatesFor(text, new Map());
  const base = { planner: 'offline' as const, usage: null, notes: [] };
  if (!best) return { ...base, confidence: 0.3, answer: { kind: 'clarify', question: 'What?', missing: ['goal'], options: [] } };
  const sure = best.composed.left.length === 0 && best.composed.needs.length === 0;
  if (sure) return { ...base, confidence: 0.95, answer: { kind: 'plan', plan: best.plan } };
  const offers: Offer[] = [best, second, third].filter((one) => one !== undefined).map((one, i) => ({ option: `${i} ${cut(one.plan.summary, 60)}`, plan: one.plan }));
  const what = [...best.composed.left.map((i) => text.tokens[i]?.raw), ...best.composed.needs.map((n) => `${n.kind}:${n.missing}`)].join(', ');
  return { ...base, confidence: 0.5, answer: { kind: 'clarify', question: `? ${what}`, missing: ['goal'], options: offers.map((o) => o.option), offers } };
}

const lexicons = new WeakMap<Catalogue['manifests'], Lexicon>();

function lexiconFor({ manifests }: Catalogue): Lexicon {
  const known = lexicons.get(manifests) ?? createLexicon(new Map<string, Manifest>([...allManifests.map((one) => [one.name, one] as const), ...manifests]).values());
  lexicons.set(manifests, known);
  return known;
}

/** Plans without a model: words, grammar and the catalogue. The same goal always gives the same answer. */
export function createOfflinePlanner(_options: OfflineOptions): Planner {
  return {
    plan(input: PlanningInput): Promise<PlannerReply> {
      return Promise.resolve(planGoal(input, lexiconFor(input.catalogue)));
    },
  };
}
