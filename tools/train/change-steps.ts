import { type Change, type Editable, speaks } from './change.ts';
import { pick } from './random.ts';

/** One step more, one less, another order, or a condition. */

export const extended: Change = (steps, names, random) => {
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

const nouns: Readonly<Record<string, string>> = {
  'pagerduty.page': 'page',
  'slack.post': 'message',
  'jira.create': 'ticket',
  'jira.comment': 'comment',
  'pagerduty.note': 'note',
};

/** Whether another step needs its result. */
const isUsed = (id: string, steps: readonly Editable[]): boolean =>
  steps.some(
    (step) =>
      step.id !== id &&
      new RegExp(`"\\$?${id}"`, 'u').test(JSON.stringify([step.args, step.when, step.needs])),
  );

/** The writes that can be left out. */
const loose = (steps: readonly Editable[]): Editable[] =>
  steps.filter(({ tool, id }) => nouns[tool] !== undefined && !isUsed(id, steps));

export const shortened: Change = (steps, _names, random) => {
  const found = loose(steps);
  if (steps.length < 2 || found.length === 0) return null;
  const last = pick(found, random);
  if (found.filter(({ tool }) => tool === last.tool).length > 1) return null;
  const { service, channel, user } = last.args;
  const name = nouns[last.tool];
  const verb =
    last.tool === 'pagerduty.page'
      ? `page ${service}`
      : last.tool === 'slack.post'
        ? `tell ${channel ?? user}`
        : `${name} anything`;
  remove(steps, last);
  return pick(
    [
      ...[
        `no ${name}`,
        `without the ${name}`,
        `drop the ${name}`,
        `skip the ${name}`,
        `leave the ${name} out`,
      ],
      ...[
        `don't ${verb}`,
        `no need to ${verb}`,
        `remove the ${name}`,
        `leave out the ${name}`,
        `no ${name} please`,
      ],
      ...(last.tool === 'pagerduty.page'
        ? [
            ...[
              "don't page anyone",
              'no paging',
              "don't wake anybody",
              'drop the paging',
              'kill the paging bit',
            ],
            ...['no page, ppl are asleep', 'dont wake anyone', 'paging can wait', 'ohne page', 'sem o page'],
            ...[
              'sin page',
              'sans la page',
              'nobody needs to be woken',
              'niemanden wecken',
              'leave them asleep',
            ],
          ]
        : []),
      ...(last.tool === 'slack.post'
        ? [
            ...['no post', 'skip the post', "don't post anything", 'drop the post', 'dont post', 'kein post'],
            ...['dont post, just show me here', 'just show me', 'no message, here is fine', 'sem o post'],
            ...['sans le post', 'sin el mensaje', 'nothing in the channel', 'leave the channel alone'],
          ]
        : []),
    ],
    random,
  );
};

/** Takes a step out; the ids of those after it move up. */
function remove(steps: Editable[], step: Editable): void {
  const at = steps.indexOf(step);
  const later = JSON.parse(
    JSON.stringify(steps.slice(at + 1)).replaceAll(/"(\$?)s(\d+)"/gu, (all, dollar: string, nth: string) =>
      Number(nth) > at + 1 ? `"${dollar}s${Number(nth) - 1}"` : all,
    ),
  ) as Editable[];
  steps.splice(at, steps.length - at, ...later);
}

/** A condition more or less. */
export const conditioned: Change = (steps, _names, random) => {
  const bound = steps.filter(({ when }) => when !== undefined);
  if (bound.length > 0) {
    const last = bound.at(-1) as Editable;
    if (bound.length > 1 || last.args.text === undefined) return null;
    delete last.when;
    return pick(always[last.tool === 'pagerduty.page' ? 'page' : 'other'], random);
  }
  const [read] = steps;
  const writes = steps.filter(({ tool }) => nouns[tool] !== undefined);
  if (read === undefined || !/^(?:jira\.(?:count|search|sla)|pagerduty\.incidents)$/u.test(read.tool))
    return null;
  const [write] = writes;
  if (writes.length !== 1 || write === undefined) return null;
  const number = 2 + Math.floor(random() * 40);
  const [words, op, right] = pick(
    [
      ['only if theres any', '>', 0],
      ['only if there are any', '>', 0],
      ['but only when there is something', '>', 0],
      ['if any', '>', 0],
      ['not when there are none', '>', 0],
      ['nur wenn es welche gibt', '>', 0],
      ['only when there are none', '==', 0],
      [`only if more than ${number}`, '>', number],
      [`post only over ${number}`, '>', number],
      [`only from ${number} on`, '>=', number],
      [`when its under ${number}`, '<', number],
    ] as const,
    random,
  );
  if (words.startsWith('post') && write.tool !== 'slack.post') return null;
  write.when = { left: read.id, op, right };
  return words;
};
const always = {
  page: ['always page', 'page in any case', 'page regardless', 'drop the condition', 'no condition, page'],
  other: [
    ...[
      'drop the condition, always post',
      'always',
      'in any case',
      'no condition',
      'regardless of the number',
    ],
    ...[
      'without the condition',
      'dont check first, just do it',
      'immer',
      'toujours',
      'siempre',
      'whatever it says',
    ],
  ],
};

/** Acknowledged, resolved or noted: another order about the same incident; done or commented, about a ticket. */
export const swapped: Change = (steps, _names, random) => {
  const step = steps.find(({ tool }) => /^pagerduty\.(?:ack|resolve)$/u.test(tool));
  if (step === undefined) return null;
  const isAck = step.tool === 'pagerduty.ack';
  Object.assign(step, { tool: isAck ? 'pagerduty.resolve' : 'pagerduty.ack' });
  return pick(
    isAck
      ? [
          ...['resolve it, not just ack', 'resolve it', 'resolve instead', 'no, resolve it, its over'],
          ...['close it instead', 'actually resolve it', 'rather resolve', 'resolve not ack'],
        ]
      : [
          ...['just ack it', 'ack, not resolve', 'ack is enough', 'only ack, its not over', 'ack instead'],
          ...["don't resolve, just ack", 'not resolved yet, ack it', 'ack only'],
        ],
    random,
  );
};

/** One more look-up like the one that is there. */
export const doubled: Change = (steps, names, random) => {
  const [read] = steps;
  if (steps.length !== 1 || read === undefined || nouns[read.tool] !== undefined) return null;
  const arg = (['project', 'service'] as const).find((name) => typeof read.args[name] === 'string');
  if (arg === undefined || !/^(?:jira|pagerduty|logs)\./u.test(read.tool)) return null;
  const value = pick(names[arg], random);
  if (value === read.args[arg] || /^pagerduty\.(?:ack|resolve)$/u.test(read.tool)) return null;
  steps.push({ ...structuredClone(read), id: 's2', args: { ...read.args, [arg]: value } });
  return pick(
    [
      ...[`${value} as well`, `${value} too`, `and ${value}`, `same for ${value}`, `also ${value}`],
      ...[`and for ${value} too`, `+ ${value}`, `plus ${value}`, `auch ${value}`, `${value} aussi`],
    ],
    random,
  );
};

/** The target of a write is a ticket that gets another order, too. */
export const followed: Change = (steps, names, random) => {
  const comment = steps.find(({ tool, args }) => tool === 'jira.comment' && typeof args.key === 'string');
  const move = steps.find(({ tool }) => tool === 'jira.transition');
  const key = comment?.args.key ?? move?.args.key;
  if (key === undefined || /^[$?]/u.test(String(key)) || (comment && move)) return null;
  const id = `s${steps.length + 1}`;
  if (move === undefined) {
    steps.push({ id, tool: 'jira.transition', args: { key, status: 'Done' }, needs: [] });
    return pick(['+ move it to Done', 'and move it to Done', 'then Done', 'set it to Done too'], random);
  }
  const text = pick(names.text, random);
  steps.push({ id, tool: 'jira.comment', args: { key, text }, needs: [] });
  return `${pick(['and comment', '+ comment', 'with a comment', 'and comment on it'], random)} "${text}"`;
};
