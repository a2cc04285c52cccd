import { type Fields, isFields } from '../fields.ts';

/** Findings in Slack's own wording, each with the JSON pointer of its place. */
export class Findings {
  readonly #lines: string[] = [];

  add(at: string, problem: string): void {
    this.#lines.push(`${problem} [json-pointer:${at}]`);
  }

  /** Slack reports the enclosing text object before the invalid text inside it. */
  addBefore(position: number, at: string, problem: string): void {
    this.#lines.splice(position, 0, `${problem} [json-pointer:${at}]`);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }
}

/** Checks one value at one place of a payload and reports what Slack would reject. */
export type Rule = (value: unknown, at: string, findings: Findings) => void;

/** A member of an object: `need` is required, `may` is optional. */
export interface Member {
  readonly rule: Rule;
  readonly required: boolean;
}

export type Members = Readonly<Record<string, Member>>;

export function need(rule: Rule): Member {
  return { rule, required: true };
}

export function may(rule: Rule): Member {
  return { rule, required: false };
}

/** An object with exactly these members; Slack rejects unknown members. */
export function object(
  members: Members,
  more?: (value: Fields, at: string, findings: Findings) => void,
): Rule {
  return (value, at, findings) => {
    if (!isFields(value)) return findings.add(at, 'must provide an object');
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(members, key)) findings.add(at, `invalid additional property: ${key}`);
    }
    for (const [name, member] of Object.entries(members)) {
      if (value[name] !== undefined && value[name] !== null)
        member.rule(value[name], `${at}/${name}`, findings);
      else if (member.required) findings.add(at, `missing required field: ${name}`);
    }
    more?.(value, at, findings);
  };
}

export function string(range: { min?: number; max?: number } = {}): Rule {
  return (value, at, findings) => {
    if (typeof value !== 'string') return findings.add(at, 'must provide a string');
    if (range.max !== undefined && value.length > range.max) {
      findings.add(at, `must be less than ${range.max + 1} characters`);
    }
    if (range.min !== undefined && value.length < range.min) {
      findings.add(at, `must be more than ${range.min - 1} characters`);
    }
  };
}

export function list(item: Rule, range: { min?: number; max?: number } = {}): Rule {
  return (value, at, findings) => {
    if (!Array.isArray(value)) return findings.add(at, 'must provide an array');
    if (range.max !== undefined && value.length > range.max) {
      findings.add(at, `no more than ${range.max} items allowed`);
    }
    if (range.min !== undefined && value.length < range.min) {
      findings.add(at, `must provide at least ${range.min} items`);
    }
    for (const [index, one] of value.entries()) item(one, `${at}/${index}`, findings);
  };
}

/** One of several object types, distinguished by `type`. */
export function byType(table: () => Readonly<Record<string, Rule>>): Rule {
  return (value, at, findings) => {
    if (!isFields(value)) return findings.add(at, 'must provide an object');
    if (typeof value.type !== 'string') return findings.add(at, 'missing required field: type');
    const rules = table();
    const rule = Object.hasOwn(rules, value.type) ? rules[value.type] : undefined;
    if (rule === undefined) return findings.add(`${at}/type`, `unsupported type: ${value.type}`);
    rule(value, at, findings);
  };
}

export function choice(...values: readonly (string | number)[]): Rule {
  return (value, at, findings) => {
    if (!values.some((one) => one === value)) findings.add(at, `must be one of: ${values.join(', ')}`);
  };
}

export function flag(value: unknown, at: string, findings: Findings): void {
  if (typeof value !== 'boolean') findings.add(at, 'must provide a boolean');
}

export function number(range: { min?: number; max?: number } = {}): Rule {
  return (value, at, findings) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      return findings.add(at, 'must provide a number');
    if (range.max !== undefined && value > range.max) findings.add(at, `must be no more than ${range.max}`);
    if (range.min !== undefined && value < range.min) findings.add(at, `must be at least ${range.min}`);
  };
}

export function pattern(expression: RegExp, problem: string): Rule {
  return (value, at, findings) => {
    if (typeof value !== 'string' || !expression.test(value)) findings.add(at, problem);
  };
}

/** An http or https address of at most 3,000 characters. */
export function url(value: unknown, at: string, findings: Findings): void {
  string({ max: 3_000 })(value, at, findings);
  if (typeof value !== 'string') return;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) findings.add(at, 'must be a valid URL');
}
