import type { Message } from '../../src/blocks/message.ts';
import type { CardBook, OutboxPort, ParcelKind, Place, QueuedParcel } from '../../src/report/ports.ts';

type State = 'pending' | 'sent' | 'dead';
type Row = { -readonly [K in keyof QueuedParcel]: QueuedParcel[K] } & {
  state: State;
  nextAt: number;
  lastError: string | null;
};

/** An outbox in memory that keeps the store's rules: in order within a conversation, leased while it is sent. */
export class MemoryOutbox implements OutboxPort {
  readonly rows: Row[] = [];
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  add(of: {
    key: string;
    kind: ParcelKind;
    place: Place;
    message: Message;
    fallback?: Message;
    conversation?: string;
  }): void {
    const { key, kind, place, message } = of;
    const payload = JSON.parse(JSON.stringify({ place, message, fallback: of.fallback ?? null }));
    const waiting = this.rows.find((row) => row.key === key && row.state === 'pending');
    if (waiting) {
      waiting.payload = payload;
      waiting.version += 1;
      return;
    }
    if (kind !== 'update' && this.rows.some((row) => row.key === key)) return;
    this.rows.push({
      id: this.rows.length + 1,
      teamId: 'T0SANDBOX',
      conversation: of.conversation ?? 'req-1',
      key,
      kind,
      payload,
      version: 1,
      attempts: 0,
      sentTs: null,
      createdAt: this.#now(),
      state: 'pending',
      nextAt: 0,
      lastError: null,
    });
  }

  async due(take: { now: Date; limit: number; leaseMs: number }): Promise<readonly QueuedParcel[]> {
    const heads = new Map<string, Row>();
    for (const row of this.rows) {
      if (row.state === 'pending' && !heads.has(row.conversation)) heads.set(row.conversation, row);
    }
    const ready = [...heads.values()].filter((row) => row.nextAt <= take.now.getTime()).slice(0, take.limit);
    for (const row of ready) {
      row.attempts += 1;
      row.nextAt = take.now.getTime() + take.leaseMs;
    }
    return ready.map((row) => ({ ...row }));
  }

  async renew({ id, until }: { id: number; until: Date }): Promise<void> {
    const row = this.#row(id);
    if (row.state === 'pending') row.nextAt = until.getTime();
  }

  async markSent(sent: Parameters<OutboxPort['markSent']>[0]): Promise<QueuedParcel | null> {
    const row = this.#row(sent.id);
    row.sentTs = sent.sentTs ?? row.sentTs;
    row.nextAt = 0;
    if (row.version === sent.version) row.state = 'sent';
    else row.attempts = 0;
    const waits = (one: Row) => one.conversation === row.conversation && one.state === 'pending';
    const next = this.rows.find(waits);
    if (sent.until === null || next === undefined || next.nextAt > sent.now.getTime()) return null;
    next.attempts += 1;
    next.nextAt = sent.until.getTime();
    return { ...next };
  }

  async markFailed(failed: { id: number; error: string; nextAttemptAt: Date }): Promise<void> {
    const row = this.#row(failed.id);
    row.lastError = failed.error;
    row.nextAt = failed.nextAttemptAt.getTime();
  }

  async giveUp({ id, error, instead }: Parameters<OutboxPort['giveUp']>[0]): Promise<void> {
    const row = this.#row(id);
    row.lastError = error;
    row.state = 'dead';
    if (instead === null) return;
    const { parcel, ...message } = instead;
    this.add({ ...message, place: parcel.place, message: parcel.message });
  }

  states(): State[] {
    return this.rows.map((row) => row.state);
  }

  #row(id: number): Row {
    const row = this.rows[id - 1];
    if (!row) throw new Error(`no row ${id}`);
    return row;
  }
}

/** Where the cards of tests are: every request belongs to #ops. */
export class MemoryCards implements CardBook {
  readonly #cards = new Map<string, { channel: string; ts: string }>();
  readonly channel: string;

  constructor(channel = 'C0OPS') {
    this.channel = channel;
  }

  async homeOf(): Promise<{ channel: string; threadTs: string | null }> {
    return { channel: this.channel, threadTs: null };
  }

  async cardOf(_team: string, requestId: string, number: number) {
    return this.#cards.get(`${requestId}:${number}`) ?? null;
  }

  cardNow(team: string, requestId: string, number: number) {
    return this.cardOf(team, requestId, number);
  }

  async shown(): Promise<void> {}

  async watchAt() {
    return { channel: this.channel, threadTs: null, ts: null };
  }

  async rememberWatch(): Promise<void> {}

  async remember(card: { requestId: string; number: number; channel: string; ts: string }): Promise<void> {
    this.#cards.set(`${card.requestId}:${card.number}`, { channel: card.channel, ts: card.ts });
  }
}
