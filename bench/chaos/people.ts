import { setTimeout as pause } from 'node:timers/promises';
import { PersonError } from '../../sandbox/slack/errors.ts';
import type { SlackSandbox } from '../../sandbox/slack/slack-sandbox.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { type Case, caseOf } from './case.ts';
import { cardsOf, type Seen, unanswered } from './verdict.ts';

export interface Asked extends Case {
  acknowledged: boolean;
}

/**
 * Milliseconds after which a person clicks again because the card has not changed: longer each time, up to a limit.
 * Not all at once: while one run writes to a service, approvals of others are refused.
 */
const againMs = { first: 4_000, longest: 16_000 };

/** People who make requests, approve them and resolve their pages, while there are any. */
export class People {
  readonly asked: Asked[] = [];
  readonly #sandbox: Sandbox;
  readonly #slack: SlackSandbox;
  /** By card: when it may be clicked next, and the pause after that. */
  readonly #clicked = new Map<string, { readonly next: number; readonly pauseMs: number }>();
  #under: Promise<void>[] = [];

  /** `slack`: their workspace; the other vendors are shared. */
  constructor(sandbox: Sandbox, slack: SlackSandbox) {
    this.#sandbox = sandbox;
    this.#slack = slack;
  }

  get team(): string {
    return this.#slack.world.team.id;
  }

  /** Makes the next request. */
  ask(): void {
    const one: Asked = { ...caseOf(this.asked.length + 1, this.team), acknowledged: false };
    this.asked.push(one);
    const { as, goal: text } = one;
    const delivered = this.#slack.command({ as, channel: 'ops', text });
    this.#under.push(
      delivered.then(({ acknowledged }) => {
        one.acknowledged = acknowledged;
      }),
    );
  }

  /** Clicks on everything that can be approved, and resolves older pages. */
  async look(): Promise<void> {
    for (const { ts } of this.messages().filter(({ canApprove }) => canApprove)) {
      const { next, pauseMs } = this.#clicked.get(ts) ?? { next: 0, pauseMs: againMs.first };
      if (Date.now() < next) continue;
      const soon = pauseMs * (0.5 + Math.random() / 2);
      this.#clicked.set(ts, { next: Date.now() + soon, pauseMs: Math.min(pauseMs * 2, againMs.longest) });
      const click = { as: 'chiara', channel: 'ops', ts, actionId: 'plan.approve' };
      // The button may have just disappeared.
      this.#under.push(
        this.#slack.clickButton(click).then(
          () => undefined,
          (error: unknown) => {
            if (!(error instanceof PersonError)) throw error;
          },
        ),
      );
    }
    const { store } = this.#sandbox.pagerduty;
    for (const incident of store.incidents()) {
      const isOld = Date.now() - incident.createdAt.getTime() > 2_000;
      if (incident.status !== 'resolved' && isOld) store.setStatus(incident, 'resolved', 'PANA01');
    }
    await pause(200);
  }

  /** Resolves when Slack has an outcome for every action. */
  async done(): Promise<void> {
    await Promise.all(this.#under);
    this.#under = [];
  }

  /** All public messages in the channel. */
  messages(): Seen[] {
    return this.#inChannel('ops').flatMap((message) =>
      message.ephemeralFor !== undefined || !message.isBot
        ? []
        : [
            {
              text: message.text,
              all: JSON.stringify(message.blocks),
              key: String(message.metadata?.event_payload.key ?? ''),
              ts: message.ts,
              threadTs: message.threadTs ?? null,
              canApprove: JSON.stringify(message.blocks).includes('"plan.approve"'),
            },
          ],
    );
  }

  /** Number of the bot's private messages to each person. */
  whispers(): Map<string, number> {
    const { people } = this.#slack.world;
    const words = this.#inChannel('ops').filter(({ isBot, text }) => isBot && !/Working on it/.test(text));
    return new Map(
      people.map(({ name, id }) => [name, words.filter(({ ephemeralFor }) => ephemeralFor === id).length]),
    );
  }

  /** How often each mark arrived at its destination. */
  effects(): Map<string, number> {
    const { jira, pagerduty } = this.#sandbox;
    const written = [
      ...this.#inChannel('incidents').map(({ text, blocks }) => JSON.stringify([text, blocks])),
      ...jira.store.issues().flatMap(({ comments }) => comments.map((each) => JSON.stringify(each))),
      ...pagerduty.store.incidents().flatMap(({ title, notes }) => [title, ...notes.map((n) => n.content)]),
    ];
    return new Map(
      this.asked.map(({ mark }) => [mark, written.filter((text) => text.includes(mark)).length]),
    );
  }

  /** Somebody has no answer, or a card can still be approved. */
  isWaiting(): boolean {
    const [messages, whispers] = [this.messages(), this.whispers()];
    const cards = this.asked.flatMap(({ mark }) => cardsOf(mark, messages));
    const silent = unanswered({ asked: this.asked, messages, whispers });
    return silent.length > 0 || cards.some(({ canApprove }) => canApprove);
  }

  #inChannel(name: string) {
    return this.#slack.state().channels.find((one) => one.name === name)?.messages ?? [];
  }

  /** All content of this workspace, as one text. */
  everything(): string {
    return JSON.stringify(this.#slack.state().channels);
  }
}
