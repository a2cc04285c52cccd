import type { TrainCompare, TrainValue } from '../cases.ts';
import { type Bare, compare, type Part, type Parts } from './parts.ts';
import type { Tongue } from './tongue.ts';

/** The parts of a request in a language. */
export class Phrases {
  readonly tongue: Tongue;
  readonly #parts: Parts;

  constructor(tongue: Tongue, parts: Parts) {
    this.tongue = tongue;
    this.#parts = parts;
  }

  /** One of the templates, with the values in it. */
  say(templates: readonly string[], values: Readonly<Record<string, string | number>> = {}): string {
    const template = this.#parts.pick(templates);
    return template.replaceAll(/\{(\w+)\}/gu, (all, name: string) => String(values[name] ?? all));
  }

  /** Something countable, without its number. */
  countable(): Part {
    const { tongue } = this;
    if (this.#parts.chance(0.3)) {
      const service = this.#parts.name('service');
      return {
        text: this.say(tongue.incidents, { service }),
        step: { tool: 'pagerduty.incidents', args: { service, status: 'open' } },
      };
    }
    const { text, args } = this.#tickets(tongue.tickets);
    return { text, step: { tool: 'jira.count', args } };
  }

  #tickets(templates: Tongue['tickets']): { text: string; args: Record<string, TrainValue> } {
    const [template, filters] = this.#parts.pick(templates);
    const project = this.#parts.name('project');
    const priority = `P${this.#parts.number(1, 4)}`;
    const args = {
      ...{ project, ...(template.includes('{p}') ? { priority } : {}) },
      ...(filters.includes('open') ? { status: 'open' } : {}),
      ...(filters.includes('bug') ? { type: 'bug' } : {}),
      ...(filters.includes('unassigned') ? { assignee: 'unassigned' } : {}),
    };
    return { text: this.say([template], { project, p: priority }), args };
  }

  /** A bound on something countable, and the words around it. */
  bounded(step: string): { count: Part; bound: string; if: string; compare: TrainCompare } {
    const count = this.countable();
    const shape = this.#parts.number(1, 10);
    const { tongue } = this;
    if (shape <= 2)
      return { count, bound: '', if: this.say(tongue.ifAny, { a: count.text }), compare: over(step, '>') };
    if (shape === 3)
      return { count, bound: '', if: this.say(tongue.ifNone, { a: count.text }), compare: over(step, '==') };
    const { op, right, text } = this.bound();
    const said = this.say(tongue.ifs, { c: `${text} ${count.text}` });
    return { count, bound: text, if: said, compare: compare(step, { text, op, right }) };
  }

  bound(): { op: keyof Tongue['bounds']; right: number; text: string } {
    const op = this.#parts.pick(['>', '>', '>=', '>=', '<', '<='] as const);
    const right = this.#parts.number(2, 60);
    return { op, right, text: this.say(this.tongue.bounds[op], { n: right }) };
  }

  /** The state of a ticket, an incident or an agreed time. */
  state(step: string): { step: Bare; if: string; compare: TrainCompare } {
    const { tongue } = this;
    const kind = this.#parts.number(1, 5);
    const key = this.#parts.name('key');
    if (kind === 1) {
      const said = this.say(tongue.ifBreached, { key });
      return {
        ...{ step: { tool: 'jira.sla', args: { key } }, if: said },
        compare: { left: step, op: 'is', right: 'breached' },
      };
    }
    const incident = this.#parts.number(20, 90_000);
    const isTicket = kind <= 3;
    const [template, op, right] = this.#parts.pick(isTicket ? tongue.ifTicket : tongue.ifIncident);
    return {
      step: isTicket ? { tool: 'jira.get', args: { key } } : { tool: 'pagerduty.get', args: { incident } },
      if: this.say([template], { key, incident }),
      compare: { left: step, op, right },
    };
  }

  /** Without words of its own a message is about what was found. */
  order(isConditional: boolean): Part {
    const { tongue } = this;
    const parts = this.#parts;
    const text = parts.pick(tongue.texts);
    const kind = parts.number(1, 10);
    if (kind <= 4) return this.#page(text);
    if (kind <= 7) return this.#tell(text, isConditional);
    const key = parts.name('key');
    if (kind === 8) {
      const [project, p] = [parts.name('project'), `P${parts.number(1, 3)}`];
      return {
        text: this.say(tongue.create, { project, p, text }),
        step: { tool: 'jira.create', args: { project, priority: p, summary: text } },
      };
    }
    if (kind === 9)
      return {
        text: this.say(tongue.comment, { key, text }),
        step: { tool: 'jira.comment', args: { key, text } },
      };
    if (parts.chance(0.5)) {
      const incident = parts.number(20, 90_000);
      return {
        text: this.say(tongue.ack, { incident }),
        step: { tool: 'pagerduty.ack', args: { incident } },
      };
    }
    const status = parts.pick(['Done', 'In Progress', 'Blocked', 'In Review']);
    return {
      text: this.say(tongue.move, { key, status }),
      step: { tool: 'jira.transition', args: { key, status } },
    };
  }

  #page(text: string): Part {
    const service = this.#parts.name('service');
    const isWorded = this.#parts.chance(0.4);
    return {
      text: this.say(isWorded ? this.tongue.pageWith : this.tongue.page, { service, text }),
      step: { tool: 'pagerduty.page', args: { service, ...(isWorded ? { text } : {}) } },
    };
  }

  #tell(text: string, isConditional: boolean): Part {
    const { to, args } = this.receiver();
    const isWorded = !isConditional || this.#parts.chance(0.5);
    return {
      text: this.say(isWorded ? this.tongue.tellWith : this.tongue.tell, { to, text }),
      step: { tool: 'slack.post', args: { ...args, ...(isWorded ? { text } : {}) } },
    };
  }

  receiver(): { to: string; args: Record<string, TrainValue> } {
    const kind = this.#parts.chance(0.65) ? 'channel' : 'user';
    const to = this.#parts.name(kind);
    return { to, args: { [kind]: to } };
  }

  /** Something to look up for whoever asks. */
  read(): Part {
    const { tongue } = this;
    const service = this.#parts.name('service');
    switch (this.#parts.number(1, 6)) {
      case 1:
        return {
          text: this.say(tongue.oncall, { service }),
          step: { tool: 'pagerduty.oncall', args: { service } },
        };
      case 2:
      case 3:
        return {
          text: this.say(tongue.listOpen, { service }),
          step: { tool: 'pagerduty.incidents', args: { service, status: 'open' } },
        };
      case 4: {
        const query = this.#parts.pick(tongue.topics);
        return {
          text: this.say(tongue.runbook, { topic: query }),
          step: { tool: 'runbook.search', args: { query } },
        };
      }
      case 5: {
        const key = this.#parts.name('key');
        return { text: this.say(tongue.getTicket, { key }), step: { tool: 'jira.get', args: { key } } };
      }
      default: {
        const { text, args } = this.#tickets(tongue.search);
        return { text, step: { tool: 'jira.search', args } };
      }
    }
  }
}

const over = (left: string, op: string): TrainCompare => ({ left, op, right: 0 });
