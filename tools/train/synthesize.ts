import { comparesOf, type TrainCase, type TrainStep } from './cases.ts';
import { bounded } from './made/bounded.ts';
import { english } from './made/english.ts';
import { french } from './made/french.ts';
import { german } from './made/german.ts';
import { lookedUp } from './made/looked-up.ts';
import { type Bare, type Kind, Parts } from './made/parts.ts';
import { Phrases } from './made/phrases.ts';
import { portuguese } from './made/portuguese.ts';
import { ruledOut } from './made/ruled-out.ts';
import { several } from './made/several.ts';
import { spanish } from './made/spanish.ts';
import type { Tongue } from './made/tongue.ts';
import type { Names } from './names.ts';
import { pick, type Random } from './random.ts';

const kinds: readonly Kind[] = [...bounded, ...lookedUp, ...ruledOut];

/**
 * Requests generated from parts, so that the plan is known: for forms that few people write out and that must not fail.
 * "Unless", "otherwise", sums, tiers, states, corrections, and orders that are ruled out.
 */
export function synthesized(names: Names, random: Random, count: number): TrainCase[] {
  const parts = new Parts(names, random);
  return Array.from({ length: count }, (_, at) => {
    parts.begin();
    const [text, ...steps] = pick(kinds, random)(parts);
    return {
      id: `made-${at}`,
      lang: 'en',
      class: 'plan',
      text: text.replaceAll(/\s+/gu, ' ').trim(),
      steps: steps.map(withNeeds),
    };
  });
}

/** English is a third: it has examples of most forms. */
const tongues = [
  english,
  english,
  english,
  german,
  french,
  spanish,
  portuguese,
  german,
  french,
  spanish,
  portuguese,
];

/** Requests of several parts, in five languages. */
export function synthesizedSeveral(names: Names, random: Random, count: number): TrainCase[] {
  const parts = new Parts(names, random);
  return Array.from({ length: count }, (_, at) => {
    const tongue = pick(tongues, random);
    const { text, steps, watch } = several(tongue, parts);
    return {
      ...{ id: `several-${at}`, lang: tongue.lang, class: 'plan', text, steps: steps.map(withNeeds) },
      ...(watch === undefined ? {} : { watch }),
    };
  });
}

/** "How is it doing" about services. */
export function synthesizedStates(names: Names, random: Random, count: number): TrainCase[] {
  const parts = new Parts(names, random);
  return Array.from({ length: count }, (_, at) => {
    const tongue = pick(tongues, random);
    const { text, steps } = stateAsked(tongue, parts);
    return { id: `state-${at}`, lang: tongue.lang, class: 'plan', text, steps: steps.map(withNeeds) };
  });
}

function withNeeds(step: Bare, at: number): TrainStep {
  const compares = step.when === undefined ? [] : comparesOf(step.when);
  const ids = compares.flatMap(({ left, right }) => [
    ...[left].flat(),
    ...(/^s\d+$/u.test(String(right)) ? [String(right)] : []),
  ]);
  return { id: `s${at + 1}`, ...step, needs: step.needs ?? [...new Set(ids)] };
}

/** "hows checkout doing", "is search ok?": what is open on one service, or on two. */
function stateAsked(tongue: Tongue, parts: Parts): { text: string; steps: Bare[] } {
  parts.begin();
  const phrases = new Phrases(tongue, parts);
  const names = Array.from({ length: parts.chance(0.12) ? 2 : 1 }, () => parts.name('service'));
  const services = [...new Set(names)];
  const said = phrases.say(tongue.howIs, { service: services.join(phrases.say(tongue.and)) });
  return {
    text: `${parts.pick(tongue.greeting)}${said}`,
    steps: services.map((service) => ({ tool: 'pagerduty.incidents', args: { service, status: 'open' } })),
  };
}
