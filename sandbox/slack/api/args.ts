import { refusal, SlackApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';

/** The arguments of one Web API call; forms contain lists and objects as JSON strings, JSON bodies directly. */
export class Args {
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }

  string(name: string): string | undefined {
    const value = this.#fields[name];
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return typeof value === 'string' ? value : undefined;
  }

  /** Slack returns `invalid_arguments` and names the argument if it is missing. */
  need(name: string): string {
    const value = this.string(name);
    if (value === undefined || value === '') {
      throw refusal('invalid_arguments', [`missing required field: ${name}`]);
    }
    return value;
  }

  flag(name: string): boolean {
    return ['true', '1'].includes(this.string(name) ?? '');
  }

  /** A whole number; throws `invalid_arguments` for anything else. */
  whole(name: string, fallback: number): number {
    const value = this.string(name);
    if (value === undefined || value === '') return fallback;
    if (!/^\d+$/.test(value))
      throw refusal('invalid_arguments', [`must provide a number [json-pointer:/${name}]`]);
    return Number(value);
  }

  /** The value, parsed if it is a JSON string; throws `code` for invalid JSON. */
  json(name: string, code: string): unknown {
    const value = this.#fields[name];
    if (typeof value !== 'string') return value;
    if (value.trim() === '') return undefined;
    try {
      return JSON.parse(value);
    } catch (error) {
      if (error instanceof SyntaxError) throw new SlackApiError(code);
      throw error;
    }
  }
}
