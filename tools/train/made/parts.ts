import type { TrainCompare, TrainStep, TrainValue, TrainWhen } from '../cases.ts';
import type { Names } from '../names.ts';
import { pick, type Random } from '../random.ts';

export interface Part {
  readonly text: string;
  readonly step: Bare;
}
export type Bare = Pick<TrainStep, 'tool' | 'args'> & Partial<Pick<TrainStep, 'when' | 'needs'>>;
export interface Bound {
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

/** The pieces of a generated request, each with the step that it stands for. */
export class Parts {
  readonly #names: Names;
  readonly #random: Random;
  /** Services whose name can also be a project's. */
  readonly #simple: readonly string[];
  #shared: string | null = null;

  constructor(names: Names, random: Random) {
    this.#names = names;
    this.#random = random;
    this.#simple = names.service.filter((name) => /^[a-z]{2,12}$/u.test(name));
  }

  pick<Item>(list: readonly Item[]): Item {
    return pick(list, this.#random);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  number(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  /** Starts a request; in some a project, a service and a channel have one name, as in most companies. */
  begin(): void {
    this.#shared = this.chance(0.3) ? this.pick(this.#simple) : null;
  }

  name(kind: keyof Names): string {
    const shared = this.#shared;
    if (shared === null || !this.chance(0.7)) return this.pick(this.#names[kind]);
    if (kind === 'project') return this.chance(0.35) ? shared : shared.toUpperCase();
    if (kind === 'service') return shared;
    return kind === 'channel' ? `#${shared}` : this.pick(this.#names[kind]);
  }

  bound(): Bound {
    const [text, op] = this.pick(bounds);
    const right = this.number(2, 60);
    return { text: text.replace('{n}', String(right)), op, right };
  }

  filter(): { text: string; args: Record<string, TrainValue> } {
    const priority = this.chance(0.5) ? `P${this.number(1, 4)}` : '';
    const type = this.chance(0.3) ? 'bug' : '';
    const status = this.chance(0.6) ? 'open ' : this.chance(0.4) ? 'unassigned ' : '';
    const noun = type ? 'bugs' : this.pick(['tickets', 'issues']);
    const args = {
      ...(priority ? { priority } : {}),
      ...(type ? { type } : {}),
      ...(status === 'open ' ? { status: 'open' } : status ? { assignee: 'unassigned' } : {}),
    };
    return {
      text: `${status}${priority ? (type ? `${priority} ${noun}` : this.pick([`${priority}s`, `${priority} ${noun}`])) : noun}`,
      args,
    };
  }

  /** Something countable: "open P1s in OPS". */
  count(): Part {
    if (this.chance(0.25)) {
      const service = this.name('service');
      const text = this.pick([
        `open incidents on ${service}`,
        `open incidents of ${service}`,
        `${service} incidents that are open`,
      ]);
      return { text, step: { tool: 'pagerduty.incidents', args: { service, status: 'open' } } };
    }
    const project = this.name('project');
    const { text, args } = this.filter();
    return {
      text: this.pick([`${text} in ${project}`, `${project} ${text}`, `${text} of ${project}`]),
      step: { tool: 'jira.count', args: { project, ...args } },
    };
  }

  order(): Part {
    return this.pick([
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
    const [service, text] = [this.name('service'), this.name('text')];
    if (this.chance(0.6))
      return {
        text: `${this.pick(['page', 'wake', 'alert'])} ${service}`,
        step: { tool: 'pagerduty.page', args: { service } },
      };
    return {
      text: this.pick([`page ${service} "${text}"`, `page ${service}: ${text}`]),
      step: { tool: 'pagerduty.page', args: { service, text } },
    };
  };

  #tell = (): Part => {
    const isChannel = this.chance(0.6);
    const to = this.name(isChannel ? 'channel' : 'user');
    const target = isChannel ? { channel: to } : { user: to };
    const text = this.name('text');
    if (this.chance(0.5))
      return {
        text: this.pick([`tell ${to}`, `ping ${to}`, `let ${to} know`, `warn ${to}`]),
        step: { tool: 'slack.post', args: target },
      };
    return {
      text: this.pick([
        `post "${text}" to ${to}`,
        `tell ${to} "${text}"`,
        `tell ${to} that ${text}`,
        `let ${to} know that ${text}`,
      ]),
      step: { tool: 'slack.post', args: { ...target, text } },
    };
  };

  #create = (): Part => {
    const [project, summary, priority] = [this.name('project'), this.name('text'), `P${this.number(1, 3)}`];
    const type = this.pick(['bug', 'task', '']);
    const head = `${this.pick(['open', 'create', 'file', 'raise'])} a ${priority}${type ? ` ${type}` : ''} in ${project}`;
    return {
      text: `${head}${this.pick([' ', ': ', ' called ', ' titled '])}"${summary}"`,
      step: { tool: 'jira.create', args: { project, priority, ...(type ? { type } : {}), summary } },
    };
  };

  #comment = (): Part => {
    const [key, text] = [this.name('key'), this.name('text')];
    return {
      text: this.pick([
        `comment "${text}" on ${key}`,
        `comment on ${key}: ${text}`,
        `add the comment "${text}" to ${key}`,
      ]),
      step: { tool: 'jira.comment', args: { key, text } },
    };
  };

  #move = (): Part => {
    const [key, status] = [this.name('key'), this.pick(['Done', 'In Progress', 'Blocked', 'In Review'])];
    return {
      text: `${this.pick(['move', 'set'])} ${key} to ${status}`,
      step: { tool: 'jira.transition', args: { key, status } },
    };
  };

  gap = (): string => this.pick([', ', '; ', '. ', ': ', ' -> ', ', then ', '? ']);
  is = (): string => this.pick(['is', 'are', 'goes', 'number', 'come to', 'hits', '']);
  else = (): string =>
    this.pick(['otherwise', 'else', 'if not,', 'otherwise just', 'or else', 'if that is not the case']);
}

/** A text and its steps, put together from parts. */
export type Kind = (parts: Parts) => readonly [string, ...Bare[]];

export const on = ({ step }: Part, when: TrainWhen): Bare => ({ ...step, when });
export const compare = (left: string, { op, right }: Bound): TrainCompare => ({ left, op, right });
