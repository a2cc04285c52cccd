import { randomBytes } from 'node:crypto';
import { SlackApiError } from '../errors.ts';

/** Slack accepts five responses within 30 minutes. */
const maxUses = 5;
const lifetimeMs = 30 * 60_000;

/** The changes that a response to a response_url may make. */
export interface ResponseTarget {
  readonly channel: string;
  readonly user: string;
  /** The message with the clicked button. */
  readonly messageTs?: string;
}

interface Issued extends ResponseTarget {
  readonly at: number;
  uses: number;
}

export class ResponseUrls {
  readonly #now: () => number;
  readonly #known = new Map<string, Issued>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The path below the address of this Slack. */
  issue(kind: 'commands' | 'actions', team: string, target: ResponseTarget): string {
    const path = `/${kind}/${team}/${randomBytes(6).toString('hex')}/${randomBytes(12).toString('hex')}`;
    this.#forget();
    this.#known.set(path, { ...target, at: this.#now(), uses: 0 });
    return path;
  }

  #forget(): void {
    for (const [path, issued] of this.#known) {
      if (this.#now() - issued.at <= 2 * lifetimeMs) return;
      this.#known.delete(path);
    }
  }

  /** Counts one use; throws `expired_url`, `used_url` or `no_such_url`. */
  use(path: string): ResponseTarget {
    const issued = this.#known.get(path);
    if (issued === undefined) throw new SlackApiError('no_such_url');
    if (this.#now() - issued.at > lifetimeMs) throw new SlackApiError('expired_url');
    if (issued.uses >= maxUses) throw new SlackApiError('used_url');
    issued.uses += 1;
    return issued;
  }
}
