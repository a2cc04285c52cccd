import { type Operator, opposites } from '../../src/plan/everyday/draft.ts';
import {
  comparesOf,
  type TrainCase,
  type TrainCompare,
  type TrainStep,
  type TrainValue,
  type TrainWhen,
} from './cases.ts';
import type { Names } from './names.ts';
import { pick, type Random } from './random.ts';

/**
 * Requests generated from parts, so that the plan is known: for forms that few people write out and that must not fail.
 * "Unless", "otherwise", sums, tiers, states, corrections, and orders that are ruled out.
 */
export function synthesized(names: Names, random: Random, count: number): TrainCase[] {
  const maker = new Maker(names, random);
  return Array.from({ length: count }, (_, at) => maker.one(`made-${at}`));
}

interface Part {
  readonly text: string;
  readonly step: Bare;
}
type Bare = Pick<TrainStep, 'tool' | 'args'> & Partial<Pick<TrainStep, 'when' | 'needs'>>;
interface Bound {
  readonly text: string;
  readonly op: string;
  readonly right: number;
}

const bounds: readonly (readonly [string, string])[] = [
  ...(['more than {n}', 'over {n}', 'above {n}', 'beyond {n}', '> {n}'].map((text) => [text, '>']) as [
    string,
    string,
  ][]),
  ...(['at least {n}', '{n} or more', '{n}+', '>= {n}', 'no fewer than {n}'].map((text) => [text, '>=']) as [
    string,
    string,
  ][]),
  ...(['fewer than {n}', 'less than {n}', 'below {n}', 'under {n}'].map((text) => [text, '<']) as [
    string,
    string,
  ][]),
  ...(['at most {n}', 'no more than {n}', 'up to {n}', 'not more than {n}'].map((text) => [text, '<=']) as [
    string,
    string,
  ][]),
  ['exactly {n}', '=='],
];

class Maker {
  readonly #names: Names;
  readonly #random: Random;

  constructor(names: Names, random: Random) {
    this.#names = names;
    this.#random = random;
  }

  one(id: string): TrainCase {
    const [text, ...steps] = this.#pick(this.#kinds)();
    return {
      id,
      lang: 'en',
      class: 'plan',
      text: text.replaceAll(/\s+/gu, ' ').trim(),
      steps: steps.map(withNeeds),
    };
  }

  #pick<Item>(list: readonly Item[]): Item {
    return pick(list, this.#random);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #number(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  #name(kind: keyof Names): string {
    return this.#pick(this.#names[kind]);
  }

  #bound(): Bound {
    const [text, op] = this.#pick(bounds);
    const right = this.#number(2, 60);
    return { text: text.replace('{n}', String(right)), op, right };
  }

  #filter(): { text: string; args: Record<string, TrainValue> } {
    const priority = this.#chance(0.5) ? `P${this.#number(1, 4)}` : '';
    const type = this.#chance(0.3) ? 'bug' : '';
    const status = this.#chance(0.6) ? 'open ' : this.#chance(0.4) ? 'unassigned ' : '';
    const noun = type ? 'bugs' : this.#pick(['tickets', 'issues']);
    const args = {
      ...(priority ? { priority } : {}),
      ...(type ? { type } : {}),
      ...(status === 'open ' ? { status: 'open' } : status ? { assignee: 'unassigned' } : {}),
    };
    return {
      text: `${status}${priority ? (type ? `${priority} ${noun}` : this.#pick([`${priority}s`, `${priority} ${noun}`])) : noun}`,
      args,
    };
  }

  /** Something countable: "open P1s in OPS". */
  #count(): Part {
    if (this.#chance(0.25)) {
      const service = this.#name('service');
      const text = this.#pick([
        `open incidents on ${service}`,
        `open incidents of ${service}`,
        `${service} incidents that are open`,
      ]);
      return { text, step: { tool: 'pagerduty.incidents', args: { service, status: 'open' } } };
    }
    const project = this.#name('project');
    const { text, args } = this.#filter();
    return {
      text: this.#pick([`${text} in ${project}`, `${project} ${text}`, `${text} of ${project}`]),
      step: { tool: 'jira.count', args: { project, ...args } },
    };
  }

  #order(): Part {
    return this.#pick([
      this.#page,
      this.#page,
      this.#tell,
      this.#tell,
      this.#create,
      this.#comment,
      this.#move,
    ])();
  }

  #page = (): Part => {
    const [service, text] = [this.#name('service'), this.#name('text')];
    if (this.#chance(0.6))
      return {
        text: `${this.#pick(['page', 'wake', 'alert'])} ${service}`,
        step: { tool: 'pagerduty.page', args: { service } },
      };
    return {
      text: this.#pick([`page ${service} "${text}"`, `page ${service}: ${text}`]),
      step: { tool: 'pagerduty.page', args: { service, text } },
    };
  };

  #tell = (): Part => {
    const isChannel = this.#chance(0.6);
    const to = this.#name(isChannel ? 'channel' : 'user');
    const target = isChannel ? { channel: to } : { user: to };
    const text = this.#name('text');
    if (this.#chance(0.5))
      return {
        text: this.#pick([`tell ${to}`, `ping ${to}`, `let ${to} know`, `warn ${to}`]),
        step: { tool: 'slack.post', args: target },
      };
    return {
      text: this.#pick([
        `post "${text}" to ${to}`,
        `tell ${to} "${text}"`,
        `tell ${to} that ${text}`,
        `let ${to} know that ${text}`,
      ]),
      step: { tool: 'slack.post', args: { ...target, text } },
    };
  };

  #create = (): Part => {
    const [project, summary, priority] = [
      this.#name('project'),
      this.#name('text'),
      `P${this.#number(1, 3)}`,
    ];
    const type = this.#pick(['bug', 'task', '']);
    const head = `${this.#pick(['open', 'create', 'file', 'raise'])} a ${priority}${type ? ` ${type}` : ''} in ${project}`;
    return {
      text: `${head}${this.#pick([' ', ': ', ' called ', ' titled '])}"${summary}"`,
      step: { tool: 'jira.create', args: { project, priority, ...(type ? { type } : {}), summary } },
    };
  };

  #comment = (): Part => {
    const [key, text] = [this.#name('key'), this.#name('text')];
    return {
      text: this.#pick([
        `comment "${text}" on ${key}`,
        `comment on ${key}: ${text}`,
        `add the comment "${text}" to ${key}`,
      ]),
      step: { tool: 'jira.comment', args: { key, text } },
    };
  };

  #move = (): Part => {
    const [key, status] = [this.#name('key'), this.#pick(['Done', 'In Progress', 'Blocked', 'In Review'])];
    return {
      text: `${this.#pick(['move', 'set'])} ${key} to ${status}`,
      step: { tool: 'jira.transition', args: { key, status } },
    };
  };

  #gap = (): string => this.#pick([', ', '; ', '. ', ': ', ' -> ', ', then ', '? ']);
  #is = (): string => this.#pick(['is', 'are', 'goes', 'number', 'come to', 'hits', '']);
  #else = (): string =>
    this.#pick(['otherwise', 'else', 'if not,', 'otherwise just', 'or else', 'if that is not the case']);

  readonly #kinds: readonly (() => readonly [string, ...Bare[]])[] = [
    // A bound, before or after the order.
    () => {
      const [a, bound, order] = [this.#count(), this.#bound(), this.#order()];
      const text = this.#pick([
        `if ${a.text} ${this.#is()} ${bound.text}${this.#gap()}${order.text}`,
        `${order.text} if there are ${bound.text} ${a.text}`,
        `${a.text}: ${bound.text}? ${order.text}`,
        `${order.text} when ${a.text} ${this.#is()} ${bound.text}`,
        `only ${order.text} if there are ${bound.text} ${a.text}`,
      ]);
      return [text, a.step, on(order, { left: 's1', op: bound.op, right: bound.right })];
    },
    // Unless: the opposite.
    () => {
      const [a, bound, order] = [this.#count(), this.#bound(), this.#order()];
      const text = this.#pick([
        `unless ${a.text} ${this.#is()} ${bound.text}, ${order.text}`,
        `${order.text} unless there are ${bound.text} ${a.text}`,
        `unless there are ${bound.text} ${a.text}, ${order.text}`,
        `${order.text}, but not if there are ${bound.text} ${a.text}`,
      ]);
      return [
        text,
        a.step,
        on(order, { left: 's1', op: opposites[bound.op as Operator], right: bound.right }),
      ];
    },
    () => {
      const [a, bound, order] = [this.#count(), this.#bound(), this.#order()];
      const text = this.#pick([
        `don't ${order.text} unless there are ${bound.text} ${a.text}`,
        `unless there are ${bound.text} ${a.text} do not ${order.text}`,
      ]);
      return [text, a.step, on(order, { left: 's1', op: bound.op, right: bound.right })];
    },
    // The other case.
    () => {
      const [a, bound, order, other] = [this.#count(), this.#bound(), this.#order(), this.#order()];
      const text = this.#pick([
        `${a.text}: ${bound.text} -> ${order.text}, ${this.#else()} ${other.text}`,
        `if ${a.text} ${this.#is()} ${bound.text}${this.#gap()}${order.text}${this.#pick(['; ', ', ', '. '])}${this.#else()} ${other.text}`,
        `${order.text} if there are ${bound.text} ${a.text}, ${this.#else()} ${other.text}`,
      ]);
      return [
        text,
        a.step,
        on(order, { left: 's1', op: bound.op, right: bound.right }),
        on(other, { left: 's1', op: opposites[bound.op as Operator], right: bound.right }),
      ];
    },
    // The other case is nothing.
    () => {
      const [a, bound, order] = [this.#count(), this.#bound(), this.#order()];
      const nothing = this.#pick([
        'otherwise do nothing',
        'else leave it',
        'otherwise just tell me',
        'if not, forget it',
        'otherwise nothing to do',
        'else only let me know',
      ]);
      return [
        `if there are ${bound.text} ${a.text}${this.#gap()}${order.text}, ${nothing}`,
        a.step,
        on(order, { left: 's1', op: bound.op, right: bound.right }),
      ];
    },
    // Any or none.
    () => {
      const [a, order] = [this.#count(), this.#order()];
      const none = this.#chance(0.5);
      const text = none
        ? this.#pick([
            `no ${a.text}? ${order.text}`,
            `if there are no ${a.text}${this.#gap()}${order.text}`,
            `${order.text} if there are no ${a.text}`,
            `${a.text}: none -> ${order.text}`,
          ])
        : this.#pick([
            `any ${a.text}? ${order.text}`,
            `if there are any ${a.text}${this.#gap()}${order.text}`,
            `${order.text} if there are ${a.text}`,
            `${a.text}: if any, ${order.text}`,
          ]);
      return [text, a.step, on(order, { left: 's1', op: none ? '==' : '>', right: 0 })];
    },
    // Sums, both, either.
    () => {
      const [a, b, bound, order] = [this.#count(), this.#count(), this.#bound(), this.#order()];
      const text = this.#pick([
        `if ${a.text} plus ${b.text} ${this.#is()} ${bound.text} together${this.#gap()}${order.text}`,
        `${order.text} if ${a.text} and ${b.text} add up to ${bound.text}`,
      ]);
      return [text, a.step, b.step, on(order, { left: ['s1', 's2'], op: bound.op, right: bound.right })];
    },
    () => {
      const [a, b, one, two, order] = [
        this.#count(),
        this.#count(),
        this.#bound(),
        this.#bound(),
        this.#order(),
      ];
      const all = this.#chance(0.6);
      const both = [compare('s1', one), compare('s2', two)];
      return [
        `if ${a.text} ${this.#is()} ${one.text} ${all ? 'and' : 'or'} ${b.text} ${this.#is()} ${two.text}${this.#gap()}${order.text}`,
        a.step,
        b.step,
        on(order, all ? { all: both } : { any: both }),
      ];
    },
    // The state of a ticket.
    () => {
      const [key, state, order] = [
        this.#name('key'),
        this.#pick(['Done', 'In Progress', 'Blocked', 'In Review', 'closed']),
        this.#order(),
      ];
      const not = this.#chance(0.5);
      const text = not
        ? this.#pick([
            `if ${key} isn't ${state}${this.#gap()}${order.text}`,
            `unless ${key} is ${state}, ${order.text}`,
            `${order.text} unless ${key} is already ${state}`,
            `${order.text} if ${key} is still not ${state}`,
          ])
        : this.#pick([
            `if ${key} is ${state}${this.#gap()}${order.text}`,
            `${order.text} if ${key} is ${state}`,
            `${key} ${state}? ${order.text}`,
            `once ${key} is ${state}, ${order.text}`,
          ]);
      return [
        text,
        { tool: 'jira.get', args: { key } },
        on(order, { left: 's1', op: not ? '!=' : 'is', right: state }),
      ];
    },
    // The state of an incident.
    () => {
      const [number, order] = [this.#number(2, 60_000), this.#order()];
      const said = this.#pick([`incident ${number}`, `#${number}`, `incident #${number}`]);
      const [state, words] = this.#pick([
        ['resolved', ['is still open', 'is not resolved', "isn't resolved yet", 'has not been resolved']],
        ['acknowledged', ['is not acknowledged', "isn't acked", 'is still not acked', 'has not been acked']],
      ] as const);
      const not = this.#chance(0.7);
      const is = not ? this.#pick(words) : `is ${this.#pick(['', 'already ', 'now '])}${state}`;
      const text = this.#pick([
        `${order.text} if ${said} ${is}`,
        `if ${said} ${is}${this.#gap()}${order.text}`,
        `${order.text} when ${said} ${is}`,
      ]);
      return [
        text,
        { tool: 'pagerduty.get', args: { incident: number } },
        on(order, { left: 's1', op: not ? '!=' : 'is', right: state }),
      ];
    },
    // The count itself is the message.
    () => {
      const a = this.#count();
      const channel = this.#name('channel');
      const text = this.#pick([
        `post the number of ${a.text} to ${channel}`,
        `post how many ${a.text} there are in ${channel}`,
        `tell ${channel} how many ${a.text} there are`,
        `send the count of ${a.text} to ${channel}`,
        `count ${a.text} and post it to ${channel}`,
      ]);
      return [text, a.step, { tool: 'slack.post', args: { channel, text: '$s1' }, needs: ['s1'] }];
    },
    () => {
      const [project, priority, channel] = [
        this.#name('project'),
        `P${this.#number(1, 4)}`,
        this.#name('channel'),
      ];
      const text = this.#pick([
        `post the ${priority} count of ${project} to ${channel}`,
        `${project} ${priority} count to ${channel}`,
        `post the number of ${priority}s of ${project} in ${channel}`,
      ]);
      return [
        text,
        { tool: 'jira.count', args: { project, priority } },
        { tool: 'slack.post', args: { channel, text: '$s1' }, needs: ['s1'] },
      ];
    },
    // A look-up and a bound, as typed on a phone.
    () => {
      const [project, priority, bound, order] = [
        this.#name('project'),
        `P${this.#number(1, 4)}`,
        this.#bound(),
        this.#order(),
      ];
      const text = this.#pick([
        `${project} ${priority} and ${order.text} ${bound.text}`,
        `${project} ${priority}s, ${order.text} ${bound.text}`,
        `check ${project} ${priority} and ${order.text} if ${bound.text}`,
      ]);
      return [
        text,
        { tool: 'jira.count', args: { project, priority } },
        on(order, { left: 's1', op: bound.op, right: bound.right }),
      ];
    },
    // More than the agreed limit.
    () => {
      const [project, priority, order] = [this.#name('project'), `P${this.#number(1, 3)}`, this.#order()];
      const text = this.#pick([
        `if ${project} has more ${priority}s than the SLA allows${this.#gap()}${order.text}`,
        `${order.text} if ${priority}s in ${project} are over the SLA limit`,
      ]);
      return [
        text,
        { tool: 'jira.count', args: { project, priority } },
        { tool: 'sla.threshold', args: { project, priority } },
        on(order, { left: 's1', op: '>', right: 's2' }),
      ];
    },
    // Tiers.
    () => {
      const [a, low, order, other] = [this.#count(), this.#number(1, 8), this.#order(), this.#order()];
      const high = low + this.#number(1, 8);
      const text = this.#pick([
        `${a.text}: ${low} to ${high} -> ${order.text}, more than ${high} -> ${other.text}`,
        `if there are ${low} to ${high} ${a.text}, ${order.text}; above ${high} ${other.text}`,
      ]);
      return [
        text,
        a.step,
        on(order, {
          all: [
            { left: 's1', op: '>=', right: low },
            { left: 's1', op: '<=', right: high },
          ],
        }),
        on(other, { left: 's1', op: '>', right: high }),
      ];
    },
    // Something ruled out is not a step.
    () => {
      const [a, order] = [this.#count(), this.#order()];
      const no = this.#pick([
        `no need to ${order.text}`,
        `don't ${order.text}`,
        `please don't ${order.text}`,
        `you don't have to ${order.text}`,
        `nobody has to ${order.text}`,
      ]);
      return [
        this.#pick([
          `how many ${a.text}? ${no}`,
          `${no}, just count ${a.text}`,
          `number of ${a.text}, ${no}`,
        ]),
        a.step,
      ];
    },
    () => {
      const [order, other] = [this.#order(), this.#order()];
      const no = this.#pick([`no need to ${other.text}`, `don't ${other.text}`, `do not ${other.text}`]);
      return [
        this.#pick([`${order.text}, ${no}`, `${no}, just ${order.text}`, `${order.text}. ${no}`]),
        order.step,
      ];
    },
    // A correction wins.
    () => {
      const [one, two] = [this.#name('project'), this.#name('project')];
      const { text, args } = this.#filter();
      return [
        `how many ${text} in ${one}${this.#pick([', no wait, ', ', sorry, ', ' .. I mean ', ', no, ', ' - make that '])}${two}`,
        { tool: 'jira.count', args: { project: two, ...args } },
      ];
    },
    () => {
      const [one, two] = [this.#name('service'), this.#name('service')];
      return [
        `page ${one}${this.#pick([', no wait, ', ', sorry, ', '.. actually ', ', I mean '])}${two}`,
        { tool: 'pagerduty.page', args: { service: two } },
      ];
    },
  ];
}

const on = ({ step }: Part, when: TrainWhen): Bare => ({ ...step, when });
const compare = (left: string, { op, right }: Bound): TrainCompare => ({ left, op, right });

function withNeeds(step: Bare, at: number): TrainStep {
  const compares = step.when === undefined ? [] : comparesOf(step.when);
  const ids = compares.flatMap(({ left, right }) => [
    ...[left].flat(),
    ...(/^s\d+$/u.test(String(right)) ? [String(right)] : []),
  ]);
  return { id: `s${at + 1}`, ...step, needs: step.needs ?? [...new Set(ids)] };
}
