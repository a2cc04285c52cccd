import { ControlRefusal } from './control/request.ts';
import { type Now, world } from './world.ts';

/** The bot's door for alerts, and its secret. */
export interface AlertsDoor {
  readonly url: string;
  readonly token: string;
}

export interface AlertSnapshot {
  readonly name: string;
  readonly about: string;
  /** Since when it fires; null while it does not. */
  readonly since: string | null;
}

const timeoutMs = 10_000;

/** The company's monitoring: its alerts fire and are resolved by hand, and are delivered as Alertmanager does. */
export class Monitoring {
  readonly #since = new Map<string, Date>();
  readonly #listeners = new Set<() => void>();
  readonly #door: AlertsDoor | null;
  readonly #now: Now;

  constructor(door: AlertsDoor | null, now: Now) {
    this.#door = door;
    this.#now = now;
  }

  alerts(): AlertSnapshot[] {
    return world.alerts.map(({ name, about }) => {
      return { name, about, since: this.#since.get(name)?.toISOString() ?? null };
    });
  }

  /** Fires or resolves an alert. Throws a ControlRefusal if it is unknown, or cannot be delivered. */
  async set(name: string, status: 'firing' | 'resolved'): Promise<void> {
    const alert = world.alerts.find((one) => one.name === name);
    if (alert === undefined) throw new ControlRefusal('alert_not_found', `There is no alert ${name}.`, 404);
    const since = this.#since.get(name);
    if ((since !== undefined) === (status === 'firing'))
      throw new ControlRefusal('nothing_to_do', `${name} is ${status} already.`);
    const startsAt = since ?? this.#now();
    await this.#deliver(payloadOf(alert, status, { startsAt, now: this.#now() }));
    if (status === 'firing') this.#since.set(name, startsAt);
    else this.#since.delete(name);
    this.#changed();
  }

  reset(): void {
    this.#since.clear();
    this.#changed();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #deliver(payload: object): Promise<void> {
    if (this.#door === null)
      throw new ControlRefusal('no_door', 'The bot has no door for alerts here; the demo has one.');
    const { url, token } = this.#door;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(payload), signal }).catch(
      (cause: unknown) => {
        throw new ControlRefusal('not_delivered', `The bot cannot be reached: ${String(cause)}`);
      },
    );
    if (!answer.ok)
      throw new ControlRefusal('not_delivered', `The bot's door answered with ${answer.status}.`);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A delivery of Alertmanager's webhook, version 4. */
function payloadOf(
  { name, about, labels }: (typeof world.alerts)[number],
  status: 'firing' | 'resolved',
  { startsAt, now }: { readonly startsAt: Date; readonly now: Date },
): object {
  const named = { alertname: name, ...labels };
  const alert = {
    status,
    labels: named,
    annotations: { summary: about },
    startsAt: startsAt.toISOString(),
    endsAt: status === 'resolved' ? now.toISOString() : '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.acme.example:9090/graph?g0.expr=up',
    fingerprint: Buffer.from(name).toString('hex').slice(0, 16),
  };
  return {
    ...{ version: '4', groupKey: `{}:{alertname="${name}"}`, truncatedAlerts: 0, status },
    ...{ receiver: 'countersign', groupLabels: { alertname: name }, commonLabels: named },
    ...{ commonAnnotations: alert.annotations, externalURL: 'http://alertmanager.acme.example:9093' },
    alerts: [alert],
  };
}
