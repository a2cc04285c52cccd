import type { TrainCase, TrainStep, TrainWhen } from './cases.ts';
import type { Names } from './names.ts';
import { pick, type Random } from './random.ts';

/** Changes of a plan in words, generated from existing plans: another name, bound or text, one step more or less. */
export function changed(
  cases: readonly TrainCase[],
  names: Names,
  random: Random,
  count: number,
): TrainCase[] {
  const plans = cases.filter(isChangeable);
  const made: TrainCase[] = [];
  const kinds = [renamed, renamed, rebound, retold, extended, shortened];
  while (made.length < count) {
    const before = pick(plans, random);
    const steps = structuredClone(before.steps) as Editable[];
    const text = pick(kinds, random)(steps, names, random);
    if (text === null) continue;
    const words =
      pick(['', '', '', 'no, ', 'please ', 'hmm, ', 'wait, ', 'ok but ', 'actually ', 'pls '], random) + text;
    made.push({
      id: `change-${made.length}`,
      lang: 'en',
      class: 'plan',
      text: words,
      was: { steps: before.steps },
      steps,
    });
  }
  return made;
}

type Editable = Omit<TrainStep, 'args' | 'when'> & {
  args: Record<string, TrainStep['args'][string]>;
  when?: TrainWhen;
};
type Change = (steps: Editable[], names: Names, random: Random) => string | null;

const isChangeable = ({ class: kind, lang, steps, was, answers, watch }: TrainCase): boolean =>
  kind === 'plan' &&
  lang === 'en' &&
  !was &&
  !answers &&
  !watch &&
  steps.length <= 4 &&
  steps.every(({ args }) => !('text_has' in args));

const renamed: Change = (steps, names, random) => {
  const step = pick(steps, random);
  const args = ['project', 'service', 'channel', 'user', 'key', 'priority'].filter(
    (arg) => typeof step.args[arg] === 'string' && !String(step.args[arg]).startsWith('$'),
  );
  if (args.length === 0) return null;
  const arg = pick(args, random);
  const old = step.args[arg];
  const value =
    arg === 'priority' ? `P${1 + Math.floor(random() * 5)}` : pick(names[arg as keyof Names], random);
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
    ],
    random,
  );
};

const opposite: Readonly<Record<string, string>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' };
const words: Readonly<Record<string, readonly string[]>> = {
  '>': ['more than', 'over', 'above'],
  '>=': ['at least', 'from'],
  '<': ['fewer than', 'below', 'under'],
  '<=': ['at most', 'up to'],
};

const rebound: Change = (steps, _names, random) => {
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
      ],
      random,
    );
  return pick(
    [
      `only if ${pick(words[other] ?? [], random)} ${number}`,
      `when it is ${pick(words[other] ?? [], random)} ${number}`,
      `do it at ${pick(words[other] ?? [], random)} ${number}`,
    ],
    random,
  );
};

const speaks = new Set(['slack.post', 'pagerduty.page', 'jira.comment', 'pagerduty.note']);

const retold: Change = (steps, names, random) => {
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

const extended: Change = (steps, names, random) => {
  const id = `s${steps.length + 1}`;
  const when = steps.findLast((step) => step.when !== undefined)?.when;
  const bound = when === undefined ? {} : { when: structuredClone(when) };
  const needs = when && 'left' in when ? [when.left].flat() : [];
  const isChannel = random() < 0.5;
  const to = pick(isChannel ? names.channel : names.user, random);
  const target = isChannel ? { channel: to } : { user: to };
  const lead = pick(['and ', 'also ', 'plus ', ''], random);
  if (random() < 0.4) {
    const text = pick(names.text, random);
    steps.push({ id, tool: 'slack.post', args: { ...target, text }, needs, ...bound });
    return `${lead}tell ${to} "${text}"`;
  }
  if (random() < 0.5) {
    const service = pick(names.service, random);
    steps.push({ id, tool: 'pagerduty.page', args: { service }, needs, ...bound });
    return `${lead}page ${service}${pick(['', ' too', ' as well'], random)}`;
  }
  const read = steps.findLast(
    ({ tool }) => !speaks.has(tool) && !/create|transition|ack|resolve/u.test(tool),
  );
  if (read === undefined) return null;
  steps.push({ id, tool: 'slack.post', args: { ...target, text: `$${read.id}` }, needs: [read.id] });
  return `${lead}send the result to ${to}`;
};

const shortened: Change = (steps, _names, random) => {
  const last = steps.at(-1);
  const isUsed = steps.some((step) =>
    JSON.stringify([step.args, step.when, step.needs]).includes(`${last?.id}"`),
  );
  if (steps.length < 2 || last === undefined || isUsed) return null;
  const name = {
    'pagerduty.page': 'page',
    'slack.post': 'message',
    'jira.create': 'ticket',
    'jira.comment': 'comment',
  }[last.tool];
  if (name === undefined) return null;
  const verb =
    last.tool === 'pagerduty.page'
      ? `page ${last.args.service}`
      : last.tool === 'slack.post'
        ? `tell ${last.args.channel ?? last.args.user}`
        : `${name} anything`;
  steps.pop();
  return pick(
    [
      `no ${name}`,
      `without the ${name}`,
      `drop the ${name}`,
      `skip the ${name}`,
      `leave the ${name} out`,
      `don't ${verb}`,
      `no need to ${verb}`,
    ],
    random,
  );
};
