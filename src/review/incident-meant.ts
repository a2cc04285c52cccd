import { cut, oneLine } from '../core/clean-text.ts';
import { describeError } from '../core/errors.ts';
import type { Request } from '../core/request.ts';
import type { Meant } from './resolve-names.ts';

/** The fields of a PagerDuty incident that identify it. */
export interface Incident {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  /** Null if its service is not in countersign.yml. */
  readonly service: string | null;
  readonly serviceName: string;
  readonly url: string;
}

export interface IncidentPort {
  readonly pagerduty: {
    /** By id or number; null if there is none. */
    incident(idOrNumber: string, signal: AbortSignal): Promise<Incident | null>;
    /** By dedup key; null if there is none. */
    incidentByKey(dedupKey: string, signal: AbortSignal): Promise<Incident | null>;
    /** Newest first. */
    incidents(
      filter: {
        readonly services: readonly [string];
        readonly states: readonly ('triggered' | 'acknowledged')[];
        readonly order: 'newest';
        readonly limit: number;
      },
      signal: AbortSignal,
    ): Promise<{ readonly incidents: readonly Incident[] }>;
  };
  /** Names of the operator's services. */
  readonly services: ReadonlySet<string>;
  /** Ids of the incidents made or changed by runs in a request's thread, newest first. */
  ofThread(request: Request): Promise<readonly string[]>;
}

/** Time limit for asking PagerDuty, in milliseconds. */
const askMs = 4_000;
/** Maximum incidents named in an answer. */
const maxNamed = 5;
const idPattern = /^[A-Z0-9]{5,20}$/;

const is = ({ id, number }: Incident): Meant => ({ ok: true, value: id, called: String(number) });
const no = (why: string): Meant => ({ ok: false, why });

/** Resolves an incident from a number, an id, a dedup key, a PagerDuty address, a service (its open incident), or `thread`. */
export function incidentMeant(port: IncidentPort): (said: string, request: Request) => Promise<Meant> {
  return async (said, request) => {
    const signal = AbortSignal.timeout(askMs);
    try {
      return said.toLowerCase() === 'thread'
        ? await inThread(request, port, signal)
        : await named(said, port, signal);
    } catch (error) {
      const why = describeError(error).message;
      // An id is unambiguous without PagerDuty; its existence is checked again before the write.
      return idPattern.test(said) && !/^\d+$/.test(said)
        ? { ok: true, value: said }
        : no(`the incident ${said} could not be looked up: ${why}`);
    }
  };
}

async function named(
  said: string,
  { pagerduty, services }: IncidentPort,
  signal: AbortSignal,
): Promise<Meant> {
  if (/^https?:/i.test(said)) return byAddress(said, pagerduty, signal);
  if (services.has(said)) return openAt(said, pagerduty, signal);
  const bare = said.replace(/^#/, '');
  const isShort = /^\d+$/.test(bare) || idPattern.test(bare);
  const found = isShort ? await pagerduty.incident(bare, signal) : null;
  return ours(found ?? (await pagerduty.incidentByKey(bare, signal)), said);
}

async function openAt(
  service: string,
  pagerduty: IncidentPort['pagerduty'],
  signal: AbortSignal,
): Promise<Meant> {
  const filter = {
    services: [service],
    states: ['triggered', 'acknowledged'],
    order: 'newest',
    limit: maxNamed,
  } as const;
  const { incidents } = await pagerduty.incidents(filter, signal);
  const [only, ...others] = incidents;
  if (only === undefined) return no(`${service} has no open incident`);
  if (others.length === 0) return is(only);
  return no(`${service} has several open incidents: say which of ${namesOf(incidents)}`);
}

function namesOf(incidents: readonly Incident[]): string {
  return incidents.map(({ number, title }) => `#${number} “${cut(oneLine(title), 60)}”`).join(', ');
}

/** Nothing is fetched from the address itself: we look up its id, and PagerDuty must report the same address. */
async function byAddress(
  said: string,
  pagerduty: IncidentPort['pagerduty'],
  signal: AbortSignal,
): Promise<Meant> {
  const url = URL.canParse(said) ? new URL(said) : null;
  const id = /^\/incidents\/([A-Z0-9]{5,20})\/?$/.exec(url?.pathname ?? '')?.[1];
  if (url === null || id === undefined) return no(`“${said}” is not the address of a PagerDuty incident`);
  const found = await pagerduty.incident(id, signal);
  if (found !== null && (!URL.canParse(found.url) || new URL(found.url).origin !== url.origin)) {
    return no(
      `“${said}” is not an address of your PagerDuty: there incident #${found.number} is at ${found.url}`,
    );
  }
  return ours(found, said);
}

function ours(found: Incident | null, said: string): Meant {
  if (found === null) return no(`PagerDuty has no incident “${said}”`);
  if (found.service !== null) return is(found);
  const name = oneLine(found.serviceName);
  return no(`incident #${found.number} belongs to “${name}”, which is not a service in countersign.yml`);
}

async function inThread(request: Request, port: IncidentPort, signal: AbortSignal): Promise<Meant> {
  const [id, ...others] = await port.ofThread(request);
  if (id === undefined) {
    return no(
      'no run in this thread has paged anybody, so there is no incident of this thread: say its number',
    );
  }
  if (others.length === 0) return ours(await port.pagerduty.incident(id, signal), id);
  const found = await Promise.all(
    [id, ...others].slice(0, maxNamed).map((one) => port.pagerduty.incident(one, signal)),
  );
  const names = namesOf(found.filter((one) => one !== null));
  return no(`this thread is about several incidents: say which of ${names}`);
}
