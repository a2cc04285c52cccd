import type { TrainCase, TrainValue } from './cases.ts';
import type { Names } from './names.ts';
import { pick, type Random } from './random.ts';

/** Talk between people about a plan, which names the same things but changes nothing. */
export function talked(
  cases: readonly TrainCase[],
  names: Names,
  random: Random,
  count: number,
): TrainCase[] {
  const plans = cases.filter(({ class: kind, was, answers }) => kind === 'plan' && !was && !answers);
  return Array.from({ length: count }, (_, at) => {
    const { steps, watch } = pick(plans, random);
    const own = steps.flatMap(({ args }) =>
      ['project', 'service', 'channel', 'key'].flatMap((arg) => plain(args[arg])),
    );
    const other = pick(names[pick(['project', 'service'] as const, random)], random);
    const values: Readonly<Record<string, string>> = {
      name: own.length > 0 && random() < 0.6 ? pick(own, random) : other,
      user: pick(names.user, random),
      number: String(2 + Math.floor(random() * 60)),
      priority: `P${1 + Math.floor(random() * 4)}`,
    };
    const said = pick(talk, random).replaceAll(/\{(\w+)\}/gu, (_all, name: string) => values[name] ?? '');
    return {
      ...{ id: `talk-${at}`, lang: 'en', class: 'none', steps: [] },
      was: { steps, ...(watch ? { watch } : {}) },
      text: pick(before, random) + said + pick(after, random),
    };
  });
}

const plain = (value: TrainValue | undefined): string[] =>
  typeof value === 'string' && !/[$?]/u.test(value) ? [value] : [];

const before = ['', '', '', '', 'hm, ', 'btw ', 'fyi ', 'lol ', 'well, ', 'yeah ', 'no idea, '];
const after = ['', '', '', '', ' lol', ' tbh', ' I think', '...', ' on mondays', ' today', ', right?', ' :/'];

const talk = [
  ...['{name} has the same issue', '{name} is always like this', '{name} is worse', 'why not {name}?'],
  ...['{name} again?', 'is {name} affected too?', '{name} was fine an hour ago', '{name} is back'],
  ...['I am looking at {name} now', 'it is only {name}', 'same here with {name}', 'could be {name}'],
  ...['I think it is {name}', '{name} deploys today, maybe that', 'who owns {name}?', 'what is {name}?'],
  ...['who is on {name} today?', 'does that page {name}?', 'nobody looks after {name}', 'poor {name} people'],
  ...['not {name} again', '{name} people know about it', 'we should move {name} somewhere else some day'],
  ...['{user} is on it', '{user} can you approve?', '{user} have you seen this?', 'ask {user} about that'],
  ...['thanks {user}', '{user} knows more', '{user} had this last week', 'has {user} looked at it?'],
  ...[
    '{user} can you take it?',
    'I told {user} already',
    '{user} said it is fine',
    '{user} will be back soon',
  ],
  ...[
    '{number} is a lot',
    'we had {number} of those yesterday',
    '{number} already? wow',
    '{number} is nothing',
  ],
  ...[
    'I counted {number} this morning',
    'it was {number} at noon',
    'is {number} not too low?',
    'only {number}?',
  ],
  ...['{priority}s are worse', 'the {priority}s are the real problem', '{priority} is nothing new'],
  ...['why not {priority}?', 'those {priority}s are mostly noise', 'who made this a {priority}?'],
  ...[
    'I changed my mind',
    'I am not so sure about that one',
    'let me think about it',
    'not sure this is right',
  ],
  ...[
    'who asked for this?',
    'ok',
    'ok for me',
    '+1',
    'nice',
    'looks good',
    'approved from my side',
    'do we need this?',
  ],
  ...['morning all', 'who has the keys to the data centre?', 'back in ten', 'can we talk about it first?'],
  ...['give me a minute', 'I am in a meeting', 'is this the right channel?', 'what does it do exactly?'],
  ...[
    'was that there before?',
    'that happens every time',
    'we need a post mortem for that',
    'same as last night',
  ],
  ...[
    '{name} paged last time, it was the cert',
    '{name} people again, always',
    '{name} was fine all day, weird',
  ],
  ...['das hatten wir bei {name} auch mal', "c'est toujours {name}", 'otra vez {name}', '{name} de novo'],
  ...[
    'grabbing coffee, back in {number} min',
    'back in {number}',
    'still over {number}? jeez',
    'since {number} days',
  ],
  ...[
    'we got {number} of these on monday, all dupes',
    'at {number} it gets loud',
    '{number} per cent were noise',
  ],
  ...[
    'who even owns {name} these days',
    '{user} closed that yesterday i thought',
    'friday cant come soon enough',
  ],
  ...[
    'i hate when this goes off every hour',
    'every {number} minutes the same noise',
    'lol {name}, nobody reads that',
  ],
  ...[
    'told you {number} is nothing',
    '{priority} is a trash can here',
    'jemand am {name} dran?',
    'quem cuida do {name}?',
  ],
  ...['sounds good to me', 'fine by me', 'I would wait', 'no strong opinion', 'never seen that before'],
];
