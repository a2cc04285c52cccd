import { type Change, type Editable, speaks } from './change.ts';
import type { Names } from './names.ts';
import { pick } from './random.ts';

/** Other values in the same steps: names, bounds, words, urgency. */

export const renamed: Change = (steps, names, random) => {
  const step = pick(steps, random);
  const args = [...targets, 'label', 'assignee', 'code', 'incident'].filter(
    (arg) =>
      (typeof step.args[arg] === 'string' && !/^[$?]|^(?:me|unassigned)$/u.test(String(step.args[arg]))) ||
      typeof step.args[arg] === 'number',
  );
  if (args.length === 0) return null;
  const arg = pick(args, random);
  const old = step.args[arg];
  const value = anotherValue(arg, names, random);
  if (value === old) return null;
  for (const one of steps) if (one.args[arg] === old) one.args[arg] = value;
  const verb =
    step.tool === 'pagerduty.page'
      ? pick(['page ', 'wake ', 'use '], random)
      : step.tool === 'slack.post'
        ? pick(['post to ', 'tell ', 'send it to '], random)
        : pick(['use ', 'make it ', 'take ', 'for ', ''], random);
  return pick(
    [
      `${verb}${value}`,
      `${verb}${value} instead`,
      `${value} instead of ${old}`,
      `${value}, not ${old}`,
      `not ${old} but ${value}`,
      `change ${old} to ${value}`,
      `I meant ${value}`,
      `should be ${value}`,
      ...[`${value}`, `${old} -> ${value}`, `swap ${old} for ${value}`, `${old} should be ${value}`],
      ...[`its ${value} not ${old}`, `${value} rather`, `${value} i meant`, `make that ${value}`],
      ...[
        `${value} not ${old}, its theirs`,
        `${value}, ${old} is the wrong one`,
        `rather ${value} than ${old}`,
      ],
      ...[`${value} statt ${old}`, `nicht ${old} sondern ${value}`, `${value} au lieu de ${old}`],
      ...[
        `${value} en vez de ${old}`,
        `${value} em vez de ${old}`,
        `pas ${old}, ${value}`,
        `no ${old}, ${value}`,
      ],
      ...[`${capitalOf(arg)} ${value}`, `${capitalOf(arg)} should be ${value}`, `other ${arg}: ${value}`],
    ],
    random,
  );
};

const targets = ['project', 'service', 'channel', 'user', 'key', 'priority'];
const capitalOf = (arg: string): string => arg.replace('key', 'ticket');

function anotherValue(arg: string, names: Names, random: () => number): string | number {
  const number = Math.floor(random() * 9_000);
  if (arg === 'priority') return `P${1 + (number % 5)}`;
  if (arg === 'incident') return 100 + number;
  if (arg === 'code') return pick([`E-${number}`, `${500 + (number % 12)}`, `ERR${number}`], random);
  if (arg === 'label') return pick(['infra-debt', 'flaky', 'release-blocker', 'customer', 'night'], random);
  return pick(names[(arg === 'assignee' ? 'user' : arg) as keyof Names], random);
}

const opposite: Readonly<Record<string, string>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' };
const words: Readonly<Record<string, readonly string[]>> = {
  '>': ['more than', 'over', 'above'],
  '>=': ['at least', 'from'],
  '<': ['fewer than', 'below', 'under'],
  '<=': ['at most', 'up to'],
};

export const rebound: Change = (steps, _names, random) => {
  const bounds = steps.flatMap(({ when }) =>
    when && 'op' in when && typeof when.right === 'number' && when.right > 1 && when.op in words
      ? [when]
      : [],
  );
  const [first] = bounds;
  if (first === undefined) return null;
  const { op, right } = first;
  const number = 2 + Math.floor(random() * 60);
  const other = random() < 0.5 ? op : pick(['>', '>=', '<'], random);
  if (number === right) return null;
  for (const one of steps) {
    const { when } = one;
    if (when && 'op' in when && when.right === right)
      one.when = { ...when, op: when.op === op ? other : (opposite[other] ?? when.op), right: number };
  }
  if (other === op)
    return pick(
      [
        `make it ${number}`,
        `${number} not ${right}`,
        `${number} instead of ${right}`,
        `limit ${number}`,
        `the limit should be ${number}`,
        `${pick(words[op] ?? [], random)} ${number}`,
        `change ${right} to ${number}`,
        ...[
          `bump it to ${number}`,
          `${right} is too much, ${number}`,
          `${right} trips all the time, ${number}`,
        ],
        ...[
          `raise it to ${number}`,
          `lower it to ${number}`,
          `limit ${number} not ${right}`,
          `${number} pls`,
        ],
        ...[`${number} is better`, `${right} was a typo, ${number}`, `limite ${number}`, `grenze ${number}`],
      ],
      random,
    );
  return pick(
    [
      `only if ${pick(words[other] ?? [], random)} ${number}`,
      `when it is ${pick(words[other] ?? [], random)} ${number}`,
      `do it at ${pick(words[other] ?? [], random)} ${number}`,
      ...(other === '>='
        ? [`${number} or more`, `from ${number} on`, `erst ab ${number}`, `>= ${number}`]
        : []),
      ...(other === '>'
        ? [`bump to >${number}`, `> ${number}`, `only over ${number}`, `mehr als ${number}`]
        : []),
      ...(other === '<' ? [`when its under ${number}`, `< ${number}`, `the other way: below ${number}`] : []),
    ],
    random,
  );
};

export const retold: Change = (steps, names, random) => {
  const told = steps.filter(({ tool }) => speaks.has(tool));
  if (told.length === 0) return null;
  const text = pick(names.text, random);
  pick(told, random).args.text = text;
  return pick(
    [
      `say "${text}"`,
      `text should be "${text}"`,
      `make it say ${text}`,
      `write "${text}" instead`,
      `the message should be: ${text}`,
      `with the text "${text}"`,
    ],
    random,
  );
};

/** A page's urgency, or the priority of a ticket. */
export const urgent: Change = (steps, _names, random) => {
  const pages = steps.filter(({ tool }) => tool === 'pagerduty.page');
  if (pages.length === 0) return prioritised(steps, random);
  const isHigh = random() < 0.6;
  for (const { args } of pages) args.urgency = isHigh ? 'high' : 'low';
  return pick(isHigh ? pressing : calm, random);
};

const pressing = [
  ...[
    'make it urgent',
    'high urgency',
    'it is urgent',
    'this is urgent',
    'urgent!',
    'urgent',
    'make that urgent',
  ],
  ...[
    'with high urgency',
    'high urgency please',
    'make it high urgency',
    'raise the urgency',
    'mark it urgent',
  ],
  ...['as urgent', 'page with high urgency', 'urgency high', 'it has to be urgent', 'set urgency to high'],
];
const calm = [
  ...[
    'low urgency',
    'make it low urgency',
    'not urgent',
    'it is not urgent',
    "it isn't urgent",
    'urgency low',
  ],
  ...[
    'with low urgency',
    'low urgency is enough',
    'lower the urgency',
    'not that urgent',
    'low urgency only',
  ],
  ...['page with low urgency', 'no need to make it urgent', 'set urgency to low'],
];

function prioritised(steps: readonly Editable[], random: () => number): string | null {
  const step = steps.find(({ tool }) => /^jira\.(?:count|search|create)$/u.test(tool));
  if (step === undefined) return null;
  const priority = `P${1 + Math.floor(random() * 4)}`;
  const old = step.args.priority;
  if (priority === old) return null;
  for (const { args, tool } of steps)
    if (args.priority === old && /^(?:jira\.(?:count|search|create)|sla\.threshold)$/u.test(tool))
      args.priority = priority;
  return pick(
    [
      ...[`make it ${priority}`, `make it a ${priority}`, `${priority} please`, `as ${priority}`],
      ...[`use ${priority}`, `with priority ${priority}`, `priority ${priority}`, `only ${priority}`],
      ...(old === undefined
        ? []
        : [`use ${priority} instead`, `${priority} instead of ${old}`, `${priority}, not ${old}`]),
    ],
    random,
  );
}

/** The time that reads look back. */
export const windowed: Change = (steps, _names, random) => {
  const found = steps.filter(({ args }) => /^P/u.test(String(args.window ?? '')));
  const [first] = found;
  if (first === undefined) return null;
  const [said, window] = pick(windows, random);
  const old = first.args.window;
  if (window === old) return null;
  for (const { args } of found) if (args.window === old) args.window = window;
  return pick(
    [
      ...[`last ${said}`, `${said} rather`, `over ${said}`, `for the last ${said}`, `make it ${said}`],
      ...[`look back ${said}`, `last ${said} only`, `past ${said}`, `sur ${said} plutôt`, `letzte ${said}`],
    ],
    random,
  );
};
const windows = [
  ['24h', 'PT24H'],
  ['2h', 'PT2H'],
  ['6 hours', 'PT6H'],
  ['15 min', 'PT15M'],
  ['30 minutes', 'PT30M'],
  ['7 days', 'P7D'],
  ['3 days', 'P3D'],
] as const;
