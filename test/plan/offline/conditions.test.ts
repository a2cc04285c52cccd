import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import type { Step } from '../../../src/core/plan.ts';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { watchFirst } from '../../../src/plan/watch.ts';
import { planningInput } from '../../support/planning.ts';

/**
 * Sentences that are put together from conditions and orders, so that it is known what they mean. The planner may ask about
 * one that it does not understand; what it plans is exactly that.
 */
interface Condition {
  readonly said: readonly string[];
  readonly holds: string;
  readonly fails: string;
  /** How the other case may be said once the condition was. */
  readonly others: readonly string[];
}

const conditions: readonly Condition[] = [
  {
    said: ['there are more than 5 open P1s in OPS', 'OPS has more than 5 open P1s'],
    holds: 'total > 5',
    fails: 'total <= 5',
    others: [],
  },
  {
    said: ['any P1 is open in OPS', 'there are open P1s in OPS'],
    holds: 'total > 0',
    fails: 'total == 0',
    others: ['there are none', 'there is none'],
  },
  {
    said: ['no P1 is open in OPS', 'there are no open P1s in OPS'],
    holds: 'total == 0',
    fails: 'total > 0',
    others: ['there are any', 'there is one'],
  },
  {
    said: ['OPS-9 is Done', 'the status of OPS-9 is Done'],
    holds: 'status == "Done"',
    fails: 'status != "Done"',
    others: ['it is not', 'it isn’t', 'it is not Done'],
  },
  {
    said: ['OPS-9 is not Done', 'OPS-9 isn’t Done yet'],
    holds: 'status != "Done"',
    fails: 'status == "Done"',
    others: ['it is', 'it is Done'],
  },
  {
    said: ['search has open incidents', 'there are open incidents on search'],
    holds: 'total > 0',
    fails: 'total == 0',
    others: ['there are none'],
  },
];

/** Orders, each with the target of the step that it means. */
const orders = [
  { said: ['page ops', 'please page ops'], target: 'ops' },
  {
    said: [
      'tell #ops "heads up"',
      'post "heads up" in #ops',
      'tell #ops we’re on it',
      'let #ops know that all is well',
    ],
    target: '#ops',
  },
  {
    said: ['ping ben', 'let ben know', 'DM ben', 'tell ben we’re fine'],
    target: '@ben',
  },
] as const;

type Meant = Readonly<Record<string, string>>;

interface Words {
  /** The condition, and what holds where it does or does not. */
  readonly when: string;
  readonly holds: string;
  readonly fails: string;
  readonly other: string;
  readonly a: string;
  readonly b: string;
  /** A target under a condition. */
  readonly on: (which: 'a' | 'b', condition: string) => Meant;
}

/** A form of a sentence with what it means: by target, when it is done. */
type Form = (words: Words) => readonly [string, Meant];

/** How people say that nobody but they themselves has to hear of something. */
const nothings = [
  'do nothing',
  'just tell me',
  'tell me',
  'let me know',
  'just show me',
  'leave it',
  'ignore it',
  'nothing',
  'skip it',
  'don’t bother',
  'no action needed',
  'that is fine',
];

const forms: readonly Form[] = [
  ...nothings.flatMap((nothing): Form[] => [
    ({ when, holds, a, on }) => [`if ${when} ${a}, otherwise ${nothing}`, on('a', holds)],
    ({ when, holds, a, on }) => [`if ${when} ${a}, if not ${nothing}`, on('a', holds)],
    ({ when, holds, a, on }) => [`${a} if ${when}, else ${nothing}`, on('a', holds)],
    ({ when, holds, a, on }) => [`is it true that ${when}? then ${a}, otherwise ${nothing}`, on('a', holds)],
    ({ when, fails, a, on }) => [`if ${when} ${nothing}, otherwise ${a}`, on('a', fails)],
    ({ when, fails, a, on }) => [`if ${when}, ${nothing}. If not, ${a}.`, on('a', fails)],
  ]),
  ({ when, holds, a, on }) => [`if ${when} ${a}`, on('a', holds)],
  ({ when, holds, a, on }) => [`if ${when}, then ${a}`, on('a', holds)],
  ({ when, holds, a, on }) => [`${a} if ${when}`, on('a', holds)],
  ({ when, holds, a, on }) => [`${a}, but only if ${when}`, on('a', holds)],
  ({ when, fails, a, on }) => [`${a} unless ${when}`, on('a', fails)],
  ({ when, fails, a, on }) => [`unless ${when}, ${a}`, on('a', fails)],
  ({ when, fails, a, on }) => [`${a}, but not if ${when}`, on('a', fails)],
  ({ when, holds, a, on }) => [`don’t ${a.replace('please ', '')} unless ${when}`, on('a', holds)],
  ({ when, holds, a, on }) => [`check if ${when}; if so ${a}`, on('a', holds)],
  ({ when, holds, a, on }) => [`${when}? then ${a}`, on('a', holds)],
  ({ when, fails, a, on }) => [`if ${when} do nothing, otherwise ${a}`, on('a', fails)],
  ({ when, holds, a, on }) => [`if ${when} ${a}, if not do nothing`, on('a', holds)],
  ({ when, holds, a, other, on }) => [`if ${when} ${a}, if ${other} do nothing`, on('a', holds)],
  ({ when, holds, fails, a, b, on }) => [
    `if ${when} ${a}, otherwise ${b}`,
    { ...on('a', holds), ...on('b', fails) },
  ],
  ({ when, holds, fails, a, b, on }) => [
    `${a} if ${when}, otherwise ${b}`,
    { ...on('a', holds), ...on('b', fails) },
  ],
  ({ when, holds, fails, a, b, on }) => [
    `if ${when} ${a}, ${b} otherwise`,
    { ...on('a', holds), ...on('b', fails) },
  ],
  ({ when, holds, fails, a, b, other, on }) => [
    `if ${when} ${a}, if ${other} ${b}`,
    { ...on('a', holds), ...on('b', fails) },
  ],
  ({ when, holds, fails, a, b, other, on }) => [
    `if ${when}, ${a}. If ${other}, ${b}.`,
    { ...on('a', holds), ...on('b', fails) },
  ],
  ({ when, holds, fails, a, b, on }) => [
    `check whether ${when}. If yes, ${a}, if no, ${b}`,
    { ...on('a', holds), ...on('b', fails) },
  ],
  ({ when, holds, fails, a, b, on }) => [
    `${when}? ${a}. Otherwise ${b}`,
    { ...on('a', holds), ...on('b', fails) },
  ],
  ({ when, holds, fails, a, b, on }) => [
    `${b} unless ${when}, in which case ${a}`,
    { ...on('a', holds), ...on('b', fails) },
  ],
  ({ when, holds, a, b, on }) => [`if ${when}, ${a} and ${b}`, { ...on('a', holds), ...on('b', holds) }],
  ({ when, holds, a, b, on }) => [`${a} and ${b} if ${when}`, { ...on('a', holds), ...on('b', holds) }],
  ({ when, holds, a, b, on }) => [`${a}, and if ${when} ${b}`, { ...on('a', ''), ...on('b', holds) }],
  ({ when, holds, a, b, on }) => [`first ${a}, then if ${when} ${b}`, { ...on('a', ''), ...on('b', holds) }],
  ({ when, holds, a, b, on }) => [`if ${when} ${a} but don’t ${b.replace('please ', '')}`, on('a', holds)],
  ({ when, holds, a, b, on }) => [
    `if ${when} ${a}, and in any case ${b}`,
    { ...on('a', holds), ...on('b', '') },
  ],
  ({ when, holds, a, b, on }) => [
    `${a} if over 10 P1s are open in PAY, otherwise if ${when} ${b}`,
    { ...on('a', 'total > 10'), ...on('b', `total <= 10 && ${holds}`) },
  ],
  ({ a, b, on }) => [
    `over 10 open P1s in OPS: ${a}, over 5: ${b}`,
    { ...on('a', 'total > 10'), ...on('b', 'total <= 10 && total > 5') },
  ],
  ({ a, b, on }) => [
    `if there are 3 or more open P1s in OPS ${a}, fewer: ${b}`,
    { ...on('a', 'total >= 3'), ...on('b', 'total < 3') },
  ],
];

const planner = watchFirst(createOfflinePlanner({ playbooks: [] }));
const writes = new Set(allManifests.filter(({ effect }) => effect === 'write').map(({ name }) => name));

function meantBy(steps: readonly Step[]): Meant {
  const done = steps.filter(({ tool }) => writes.has(tool));
  return Object.fromEntries(
    done.map(({ args, when = '' }) => {
      const named = when
        .replace(/\w+\.done == true/gu, 'status == "Done"')
        .replace(/\w+\.done == false/gu, 'status != "Done"');
      return [String(args.service ?? args.channel ?? args.user), named.replace(/\w+\./gu, '')];
    }),
  );
}

/** Every form with every condition; the wordings and orders take turns. */
function sentences(): (readonly [string, Meant])[] {
  return forms.flatMap((form, nth) =>
    conditions.map(({ said, holds, fails, others }, at) => {
      const turn = nth + at;
      const one = orders[turn % 3] ?? orders[0];
      const two = orders[(turn + 1 + (nth % 2)) % 3] ?? orders[1];
      const targets = { a: one.target, b: two.target };
      return form({
        ...{ holds, fails, on: (which, condition) => ({ [targets[which]]: condition }) },
        when: said[turn % said.length] ?? '',
        other: others[turn % others.length] ?? 'not',
        a: one.said[turn % one.said.length] ?? '',
        b: two.said[turn % two.said.length] ?? '',
      });
    }),
  );
}

/** What people say before and behind a request, which changes nothing of it. */
const before = [
  'hey, ',
  'k so ',
  'since we’re about to demo, ',
  'sorry to bother, ',
  'quick one: ',
  'morning! ',
  '[FIRING:1] HighErrorRate search prod - ',
  'ugh not again. ',
  'carts again lol, ',
  'not sure who’s around, but ',
  'can you ',
  'I don’t want to wake anybody needlessly, so ',
  'checkout is slow again. ',
  'before standup, ',
];
const behind = [
  ' thx',
  ', thanks',
  ' im in the car',
  ', I’m in a meeting',
  '. cheers, ben',
  ' asap',
  ' please',
  ' :)',
  ', ok?',
  ', as discussed',
  '!!',
  ' and thanks',
];

/** How many requests are asked about; what is planned is exactly what was meant. */
async function askedOf(requests: readonly (readonly [string, Meant])[]): Promise<number> {
  const [wrong, asked] = [[] as unknown[], [] as string[]];
  for (const [goal, meant] of requests) {
    const { answer } = await planner.plan(planningInput(goal));
    if (answer.kind !== 'plan') asked.push(goal);
    else if (JSON.stringify(sorted(meantBy(answer.plan.steps))) !== JSON.stringify(sorted(meant)))
      wrong.push({ goal, meant, planned: meantBy(answer.plan.steps) });
  }
  expect(wrong).toEqual([]);
  return asked.length;
}

test('a condition holds for what it is said of, in whatever words', async () => {
  // It must not ask about everything to be right.
  expect(await askedOf(sentences())).toBeLessThan(sentences().length / 5);
});

test('talk before and behind a condition turns nothing round', async () => {
  const talked = sentences().map(([goal, meant], nth): readonly [string, Meant] => {
    const [front, end] = [before[nth % before.length], behind[Math.floor(nth / 3) % behind.length]];
    return [`${nth % 3 === 1 ? '' : front}${goal}${nth % 3 === 0 ? '' : end}`, meant];
  });
  expect(await askedOf(talked)).toBeLessThan(talked.length / 2);
});

const sorted = (meant: Meant): [string, string][] => Object.entries(meant).sort();
