import fc from 'fast-check';
import { expect, test } from 'vitest';
import { basisOf } from '../../src/approval/basis.ts';
import { approveCard, expire, rejectCard } from '../../src/approval/card-actions.ts';
import type { ApprovalContext } from '../../src/approval/context.ts';
import { storeRevision } from '../../src/approval/propose.ts';
import { remindAll } from '../../src/approval/reminders.ts';
import { writeCardRef } from '../../src/blocks/card-ref.ts';
import { tellNobody } from '../../src/blocks/message.ts';
import { firstTurn } from '../../src/core/planning-turn.ts';
import type { Policy } from '../../src/core/policy.ts';
import { type Revision, seal } from '../../src/core/revision.ts';
import { killSwitchName } from '../../src/core/run.ts';
import * as switches from '../../src/store/switches.ts';
import '../support/properties.ts';
import { approvalContext, directoryOf } from '../support/approval.ts';
import { rule } from '../support/rules.ts';
import { openTestRunner } from '../support/runner.ts';
import { planOf, roomyPolicy, runCatalogue, sealedOf } from '../support/runs.ts';
import { givenRequest, NOON, TEAM } from '../support/store.ts';

/**
 * A model of one request over two processes on one database: people click, edit and break glass, processes restart,
 * time passes in both directions, people leave and come back. In any order, exactly what a plain reading of the rules
 * allows is written, and once.
 */

const asker = 'U0BEN';
const approvers = ['U0ANA', 'U0CHIARA', 'U0DEV'] as const;
const glass = 'U0EVA';
const people = [asker, ...approvers, glass, 'U0STRANGER'] as const;
type Who = (typeof people)[number];

const policy: Policy = {
  ...roomyPolicy,
  reads: 'ask',
  breakGlass: [{ kind: 'user', id: glass }],
  rules: [rule({ approvers: approvers.map((id) => ({ kind: 'user', id })), needed: 2, fourEyes: true })],
};
const use = openTestRunner(policy);
const lifeMs = 30 * 60_000;

type Event =
  | { readonly kind: 'approve'; readonly who: Who; readonly by: 0 | 1; readonly old: boolean }
  | { readonly kind: 'together'; readonly who: Who; readonly other: Who }
  | { readonly kind: 'glass'; readonly who: Who; readonly by: 0 | 1 }
  | { readonly kind: 'reject' | 'edit'; readonly who: Who; readonly by: 0 | 1 }
  | { readonly kind: 'pass'; readonly minutes: number }
  | { readonly kind: 'expire' | 'nudge' | 'restart'; readonly by: 0 | 1 }
  | { readonly kind: 'leave' | 'return'; readonly who: Who }
  | { readonly kind: 'kill'; readonly isOn: boolean }
  | { readonly kind: 'forge'; readonly number: number };

const who = fc.constantFrom(...people);
const by = fc.constantFrom(0 as const, 1 as const);
const event: fc.Arbitrary<Event> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('approve' as const), who, by, old: fc.boolean() }), weight: 6 },
  { arbitrary: fc.record({ kind: fc.constant('together' as const), who, other: who }), weight: 3 },
  fc.record({ kind: fc.constant('glass' as const), who, by }),
  fc.record({ kind: fc.constantFrom('reject' as const, 'edit' as const), who, by }),
  fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: -20, max: 25 }) }),
  fc.record({ kind: fc.constantFrom('expire' as const, 'nudge' as const, 'restart' as const), by }),
  fc.record({ kind: fc.constantFrom('leave' as const, 'return' as const), who }),
  fc.record({ kind: fc.constant('kill' as const), isOn: fc.boolean() }),
  fc.record({ kind: fc.constant('forge' as const), number: fc.integer({ min: 1, max: 4 }) }),
);

/** The decision by a plain reading of the rules. */
class Model {
  now = NOON.getTime();
  readonly left = new Set<Who>();
  isKilled = false;
  /** Revisions, oldest first. */
  readonly cards: {
    expiresAt: number;
    authors: Set<Who>;
    approvals: Set<Who>;
    state: 'open' | 'over' | 'granted';
  }[] = [];
  granted: number | null = null;
  written = 0;

  get newest() {
    const card = this.cards.at(-1);
    if (card === undefined) throw new Error('there is no card');
    return card;
  }

  propose(author: Who): void {
    const authors = new Set([...(this.cards.at(-1)?.authors ?? []), author]);
    for (const card of this.cards) if (card.state === 'open') card.state = 'over';
    this.cards.push({ expiresAt: this.now + lifeMs, authors, approvals: new Set(), state: 'open' });
  }

  isOpen(index: number): boolean {
    const card = this.cards[index];
    return card?.state === 'open' && this.now < card.expiresAt;
  }

  approve(index: number, person: Who): void {
    const card = this.cards[index];
    if (card === undefined || this.isKilled || !this.isOpen(index) || this.left.has(person)) return;
    if (!approvers.some((id) => id === person) || card.authors.has(person)) return;
    card.approvals.add(person);
    if ([...card.approvals].filter((id) => !this.left.has(id)).length >= 2) this.grant(index);
  }

  grant(index: number): void {
    const card = this.cards[index];
    if (card !== undefined) card.state = 'granted';
    this.granted = index + 1;
  }
}

class World {
  readonly model = new Model();
  readonly #id: string;
  readonly #revisions: Revision[] = [];
  #processes: readonly ApprovalContext[];

  constructor(id: string) {
    this.#id = id;
    this.#processes = this.#started();
  }

  async propose(author: Who, byProcess: 0 | 1): Promise<void> {
    const number = this.#revisions.length + 1;
    const createdAt = new Date(this.model.now);
    const plan = planOf([
      {
        id: 'post',
        tool: 'slack.post',
        why: 'tell',
        args: { channel: '#ops', text: `${this.#id} ${number}` },
      },
    ]);
    const before = this.#revisions.at(-1) ?? null;
    const authors = [...new Set([...(before?.sealed.authors ?? [asker]), author])];
    const revision = seal({
      ...sealedOf(this.#id, plan, {
        number,
        authors,
        ...basisOf({ plan, targets: [] }, { policy, catalogue: runCatalogue }),
      }),
      createdAt: createdAt.toISOString(),
      expiresAt: new Date(this.model.now + lifeMs).toISOString(),
    });
    const turn = { ...firstTurn(author, `${this.#id}:${number}`), basedOn: before };
    expect(await storeRevision(revision, turn, null, this.#at(byProcess))).toEqual({ kind: 'new', number });
    this.#revisions.push(revision);
    this.model.propose(author);
  }

  async apply(happened: Event): Promise<void> {
    const { model } = this;
    switch (happened.kind) {
      case 'approve': {
        const index = this.#revisions.length - (happened.old ? 2 : 1);
        await this.#click(index, happened.who, happened.by);
        return model.approve(index, happened.who);
      }
      case 'together': {
        const index = this.#revisions.length - 1;
        await Promise.all([this.#click(index, happened.who, 0), this.#click(index, happened.other, 1)]);
        model.approve(index, happened.who);
        return model.approve(index, happened.other);
      }
      case 'glass': {
        const index = this.#revisions.length - 1;
        await this.#click(index, happened.who, happened.by, 'nobody else is awake');
        const mayBreak = happened.who === glass && !model.left.has(glass) && !model.isKilled;
        if (mayBreak && model.isOpen(index)) model.grant(index);
        return;
      }
      case 'reject':
        return this.#reject(happened.who, happened.by);
      case 'edit':
        // Only an open plan can be changed.
        if (model.newest.state === 'open') await this.propose(happened.who, happened.by);
        return;
      case 'pass':
        model.now += happened.minutes * 60_000;
        return use.at(new Date(model.now));
      case 'expire':
        await expire(this.#at(happened.by));
        if (model.newest.state === 'open' && model.now >= model.newest.expiresAt) model.newest.state = 'over';
        return;
      case 'nudge':
        return remindAll(this.#at(happened.by));
      case 'restart':
        this.#processes = this.#started();
        return;
      case 'leave':
        model.left.add(happened.who);
        return;
      case 'return':
        model.left.delete(happened.who);
        return;
      case 'kill': {
        model.isKilled = happened.isOn;
        const change = {
          teamId: TEAM,
          name: killSwitchName,
          isOn: happened.isOn,
          actor: 'U0OPS',
          reason: 'test',
        };
        return switches.set(use.db(), { ...change, at: new Date(model.now) });
      }
      case 'forge':
        // Somebody starts a run that nobody granted, or starts one again.
        return this.#start(`run-${this.#id}-${happened.number}`);
    }
  }

  /** Starts the granted run, as the process that handled the click does, and updates what should have been written. */
  async settle(): Promise<void> {
    const { model } = this;
    if (model.granted === null) return;
    const isFirst = model.written === 0 && !model.isKilled;
    await this.#start(`run-${this.#id}-${model.granted}`);
    if (isFirst) model.written = 1;
    else if (model.written === 0) model.written = -1;
  }

  async grants(): Promise<number[]> {
    const rows = await use
      .db()
      .selectFrom('grants')
      .select('number')
      .where('requestId', '=', this.#id)
      .execute();
    return rows.map(({ number }) => number);
  }

  written(): string[] {
    return use
      .vendors()
      .posts.map((post) => JSON.stringify(post))
      .filter((post) => post.includes(this.#id));
  }

  async #click(index: number, userId: Who, byProcess: 0 | 1, reason?: string): Promise<void> {
    const revision = this.#revisions[index];
    if (revision === undefined) return;
    const click = {
      teamId: TEAM,
      userId,
      home: null,
      value: writeCardRef(revision),
      from: 'details',
    } as const;
    const more = reason === undefined ? {} : { glass: reason };
    await approveCard({ ...click, ...more }, this.#at(byProcess), tellNobody);
  }

  async #reject(userId: Who, byProcess: 0 | 1): Promise<void> {
    const revision = this.#revisions.at(-1);
    if (revision === undefined) return;
    const value = writeCardRef(revision);
    const click = { teamId: TEAM, userId, home: null, value, reason: 'no' };
    await rejectCard(click, this.#at(byProcess), tellNobody);
    if (this.model.newest.state === 'open' && !this.model.left.has(userId)) this.model.newest.state = 'over';
  }

  async #start(runId: string): Promise<void> {
    const known = await use.db().selectFrom('runs').select('id').where('id', '=', runId).executeTakeFirst();
    if (known === undefined) return;
    await use.run({ teamId: TEAM, runId });
  }

  #at(process: 0 | 1): ApprovalContext {
    const found = this.#processes[process];
    if (found === undefined) throw new Error('no such process');
    return found;
  }

  #started(): ApprovalContext[] {
    return [use.db(), use.second()].map((db) => {
      const people = directoryOf((id) => ({
        deactivated: this.model.left.has(id as Who),
        external: id === 'U0STRANGER',
      }));
      return approvalContext(db, {
        ...{ policy, catalogue: runCatalogue, people, now: () => new Date(this.model.now) },
      });
    });
  }
}

let requests = 0;
const met = { granted: 0, written: 0, refused: 0 };

test('no order of clicks, edits, expiries, clock jumps and restarts writes without a valid grant', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 14 }), async (events) => {
      requests += 1;
      const id = `model${requests}`;
      await use.db().deleteFrom('switches').execute();
      await givenRequest(use.db(), id, { requester: asker });
      const world = new World(id);
      use.at(NOON);
      await world.propose(asker, 0);
      for (const happened of events) {
        await world.apply(happened);
        await world.settle();
        const { model } = world;
        expect(await world.grants(), JSON.stringify(happened)).toEqual(
          model.granted === null ? [] : [model.granted],
        );
        expect(world.written(), JSON.stringify(happened)).toHaveLength(Math.max(0, model.written));
      }
      const { granted, written } = world.model;
      met.granted += granted === null ? 0 : 1;
      met.written += Math.max(0, written);
      met.refused += granted === null ? 1 : 0;
    }),
    { numRuns: Number(process.env.FC_RUNS ?? '50') },
  );
  // A model in which nobody ever agrees would prove nothing.
  expect(Math.min(met.granted, met.written, met.refused)).toBeGreaterThan(3);
}, 120_000);
