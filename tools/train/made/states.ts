import type { Bare, Parts } from './parts.ts';
import { Phrases } from './phrases.ts';
import type { Tongue } from './tongue.ts';

/** "hows checkout doing", "is search ok?": what is open on one service, or on two. */
export function stateAsked(tongue: Tongue, parts: Parts): { text: string; steps: Bare[] } {
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
