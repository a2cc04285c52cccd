import type { TrainCase, TrainValue } from './cases.ts';
import type { Names } from './names.ts';
import { pick, type Random } from './random.ts';

/**
 * Requests that aim at a person. A message reaches people; a page reaches services only, so a person who is paged is a
 * question for the service.
 */
export function aimedAtPeople(names: Names, random: Random, count: number): TrainCase[] {
  return Array.from({ length: count }, (_, at) => {
    const isPage = random() < 0.55;
    const isWorded = random() < 0.6;
    const handle = pick(names.user, random);
    const name = pick(firstNames, random);
    // A handle without its "@" could be a service's name.
    const who = random() < 0.3 ? handle : random() < 0.2 ? capital(name) : name;
    const text = pick(names.text, random);
    const said = pick(isPage ? (isWorded ? pagedWith : paged) : isWorded ? toldThat : told, random);
    const target: Record<string, TrainValue> = isPage ? { service: '?' } : { user: who };
    const tool = isPage ? 'pagerduty.page' : 'slack.post';
    const words = isWorded ? { text } : isPage ? {} : { text: '?' };
    return {
      ...{ id: `person-${at}`, lang: 'en', people: [who.replace(/^@/u, '')] },
      class: isPage || !isWorded ? 'clarify' : 'plan',
      text: said.replace('{who}', () => who).replace('{text}', () => text),
      steps: [{ id: 's1', tool, args: { ...target, ...words }, write: true }],
    };
  });
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const firstNames = [
  ...['ana', 'bob', 'marek', 'priya', 'tom', 'lena', 'jonas', 'maria', 'sam', 'kofi', 'yuki', 'omar', 'zoe'],
  ...[
    'pawel',
    'ingrid',
    'chen',
    'fatima',
    'luis',
    'dave',
    'sven',
    'nadia',
    'hugo',
    'mei',
    'ravi',
    'ola',
    'tim',
  ],
  ...['alice', 'carlos', 'aisha', 'peter', 'joana', 'rui', 'elif', 'noor', 'anders', 'katja', 'mike', 'sara'],
];
const paged = [
  ...['page {who}', 'page {who} please', 'wake {who}', 'wake {who} up', 'wake up {who}', 'page {who} now'],
  ...['can you page {who}?', 'get {who} out of bed', 'call {who}', 'pls page {who}', 'page {who} again'],
];
const pagedWith = [
  ...['page {who} about {text}', 'page {who} "{text}"', 'page {who}: {text}', 'wake {who}, {text}'],
  ...['page {who} because {text}', 'wake {who} up with "{text}"', 'page {who} directly: "{text}"'],
];
const told = ['ping {who}', 'dm {who}', 'message {who}', 'ping {who} pls', 'write to {who}', 'nudge {who}'];
const toldThat = [
  ...['ping {who} about {text}', 'tell {who} {text}', 'tell {who} that {text}', 'dm {who} "{text}"'],
  ...['let {who} know that {text}', 'message {who}: {text}', 'ping {who} that {text}', 'send {who} "{text}"'],
  ...['tell {who} about {text}', 'give {who} a heads-up about {text}', 'ping {who} "{text}"'],
];
