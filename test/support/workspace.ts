import type { Sandbox } from '../../sandbox/start.ts';
import { type Bot, type BotProcess, eventually, startBot, startHere } from './bot.ts';
import { openSurroundings, overHttp, type WorkspaceOptions } from './surroundings.ts';

type Snapshot = ReturnType<Sandbox['slack']['state']>;
export type Message = Snapshot['channels'][number]['messages'][number];
export type View = Snapshot['views'][string][number];

type StartOne<B> = (sandbox: Sandbox, env: Readonly<Record<string, string>>) => Promise<B>;

/** People in a local workspace with the bot beside them, as scenarios act: by command, click and form. */
export class Workspace<B extends Bot = Bot> {
  readonly sandbox: Sandbox;
  readonly env: Readonly<Record<string, string>>;
  bot: B;
  readonly #startOne: StartOne<B>;
  readonly #cleanUp: () => Promise<void>;
  /** Changes in Slack so far. */
  #changes = 0;

  private constructor(
    sandbox: Sandbox,
    bot: B,
    env: Readonly<Record<string, string>>,
    { startOne, cleanUp }: { startOne: StartOne<B>; cleanUp: () => Promise<void> },
  ) {
    this.sandbox = sandbox;
    this.bot = bot;
    this.env = env;
    this.#startOne = startOne;
    this.#cleanUp = cleanUp;
    sandbox.slack.onChange(() => {
      this.#changes += 1;
    });
  }

  static start(options: WorkspaceOptions = {}): Promise<Workspace> {
    return Workspace.#open(options, startHere);
  }

  /** The bot is a process of its own, which can be killed. */
  static spawn(options: WorkspaceOptions = {}): Promise<Workspace<BotProcess>> {
    return Workspace.#open(options, startBot);
  }

  static async #open<B extends Bot>(options: WorkspaceOptions, startOne: StartOne<B>): Promise<Workspace<B>> {
    const { sandbox, env, cleanUp } = await openSurroundings(options);
    try {
      return new Workspace(sandbox, await startOne(sandbox, env), env, { startOne, cleanUp });
    } catch (error) {
      await cleanUp();
      throw error;
    }
  }

  /** The same with signed HTTP instead of Socket Mode. */
  static async startHttp(options: Omit<WorkspaceOptions, 'sandbox'> = {}): Promise<Workspace> {
    return Workspace.start(await overHttp(options));
  }

  static async spawnHttp(options: Omit<WorkspaceOptions, 'sandbox'> = {}): Promise<Workspace<BotProcess>> {
    return Workspace.spawn(await overHttp(options));
  }

  /** Where the bot listens with signed HTTP. */
  get url(): string {
    return `http://127.0.0.1:${this.env.PORT}`;
  }

  async stop(): Promise<void> {
    await this.bot.stop();
    // The people are the same in every workspace of these tests.
    for (const person of this.sandbox.world.people) person.isGuest = false;
    await this.#cleanUp();
  }

  /** Another bot on the same database: within this process if the first one is. */
  startAnother(env: Readonly<Record<string, string>> = {}): Promise<B> {
    return this.#startOne(this.sandbox, { ...this.env, ...env });
  }

  /** The same as a process of its own, where that matters: to be killed, or to be truly at the same time. */
  startProcess(env: Readonly<Record<string, string>> = {}): Promise<BotProcess> {
    return startBot(this.sandbox, { ...this.env, ...env });
  }

  plan(as: string, text: string, channel = 'ops') {
    return this.sandbox.slack.command({ as, channel, text });
  }

  messages(channel = 'ops', as?: string): readonly Message[] {
    return this.sandbox.slack.messages(channel, as);
  }

  /** The newest card in a channel whose words contain `text`, once it is there. */
  card(text: string | RegExp, channel = 'ops', ms?: number): Promise<Message> {
    const fits = (message: Message) =>
      message.isBot &&
      message.blocks.length > 0 &&
      message.ephemeralFor === undefined &&
      matches(wordsOf(message), text);
    return this.#shown(() => this.messages(channel).findLast(fits), `a card with ${text}`, ms);
  }

  /** The newest reply in the thread of a card whose words contain `text`, once it is there. */
  reply(card: Message, text: string | RegExp, ms?: number): Promise<Message> {
    const fits = (m: Message) => m.threadTs === card.ts && m.ts !== card.ts && matches(wordsOf(m), text);
    return this.#shown(() => this.messages(card.channel).findLast(fits), `a reply with ${text}`, ms);
  }

  /** The newest message that only `as` can see. */
  whisper(as: string, text: string | RegExp, channel = 'ops'): Promise<Message> {
    const id = this.person(as);
    const fits = (m: Message) => m.ephemeralFor === id && matches(wordsOf(m), text);
    return this.#shown(
      () => this.messages(channel, id).findLast(fits),
      `a private word with ${text} for ${as}`,
    );
  }

  /** The card as it is now, once its words contain `text`. */
  becomes(card: Message, text: string | RegExp, ms?: number): Promise<Message> {
    const now = () => this.messages(card.channel).find((m) => m.ts === card.ts);
    const fits = () => {
      const message = now();
      return message && matches(wordsOf(message), text) ? message : null;
    };
    return this.#shown(fits, `the card to say ${text}; it says ${wordsOf(now() ?? card)}`, ms);
  }

  click(as: string, message: Message, actionId: string) {
    return this.sandbox.slack.clickButton({ as, channel: message.channel, ts: message.ts, actionId });
  }

  /** The modal that lies on top for a person, once it is there. */
  modal(as: string): Promise<View> {
    const id = this.person(as);
    return this.#shown(() => this.sandbox.slack.state(id).views[id]?.at(-1), `a modal for ${as}`);
  }

  /** The App Home of a person, once it was published. */
  home(id: string): Promise<View> {
    return this.#shown(() => this.sandbox.slack.state(id).homes[id], `a home tab for ${id}`);
  }

  person(handle: string): string {
    return this.#person(handle).id;
  }

  #person(handle: string) {
    const found = this.sandbox.world.people.find((one) => one.name === handle);
    if (!found) throw new Error(`there is no ${handle}`);
    return found;
  }

  /** From now on they are a guest of the workspace, until it stops. */
  makeGuest(handle: string): void {
    this.#person(handle).isGuest = true;
  }

  /** Pages that PagerDuty holds, oldest first, without the one that monitoring had opened before the start. */
  pages() {
    return this.sandbox.pagerduty.store.incidents().slice(1);
  }

  /** Resolves every page in PagerDuty, so that the next one about the same problem is one of its own. */
  resolvePages(): void {
    for (const incident of this.pages()) {
      if (incident.status !== 'resolved')
        this.sandbox.pagerduty.store.setStatus(incident, 'resolved', 'PANA01');
    }
  }

  /** Resolves once something holds. */
  async until(holds: () => boolean, what: string, ms?: number): Promise<void> {
    await this.#wait(() => holds() || null, what, ms);
  }

  /** Resolves with what Slack shows, once it is there; looks again only after a change. */
  #shown<T>(ask: () => T | null | undefined, what: string, ms?: number): Promise<T> {
    let seen = -1;
    const look = () => {
      if (seen === this.#changes) return null;
      seen = this.#changes;
      return ask();
    };
    return this.#wait(look, what, ms);
  }

  #wait<T>(ask: () => T | null | undefined, what: string, ms?: number): Promise<T> {
    return eventually(
      ask,
      () => `${what}\n--- Slack ---\n${this.transcript()}\n--- log ---\n${this.bot.log().slice(-6000)}`,
      ms,
    );
  }

  /** Everything in Slack as text, for failing tests. */
  transcript(): string {
    const { channels } = this.sandbox.slack.state();
    const line = (m: Message) =>
      `${m.threadTs ? '    ' : ''}${m.user}${m.ephemeralFor ? ` (to ${m.ephemeralFor})` : ''}: ${wordsOf(m)}`;
    return channels.map((c) => `#${c.name}\n${c.messages.map(line).join('\n')}`).join('\n');
  }
}

function matches(words: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? words.includes(wanted) : wanted.test(words);
}

/** All words of a message or view as a reader sees them: text objects, rich text, task titles, in order. */
export function wordsOf(message: { readonly text?: string; readonly blocks?: unknown }): string {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      if (
        typeof inner === 'string' &&
        (key === 'text' || key === 'title' || key === 'details' || key === 'output')
      )
        found.push(inner);
      else visit(inner);
    }
  };
  visit(message.blocks);
  return found.length > 0 ? found.join(' ') : (message.text ?? '');
}

/** Labels of the buttons in a message or view. */
export function labelsOf(blocks: unknown): string[] {
  if (typeof blocks !== 'object' || blocks === null) return [];
  const { type, text } = blocks as { type?: unknown; text?: { text?: string } };
  return type === 'button' ? [text?.text ?? ''] : Object.values(blocks).flatMap(labelsOf);
}

/** Action ids of every element in a message or view, but for the feedback buttons of every answer and finished run. */
export function actionsOf(blocks: unknown): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && value.type === 'feedback_buttons') return;
    if ('action_id' in value) found.push(String(value.action_id));
    Object.values(value).forEach(visit);
  };
  visit(blocks);
  return found;
}
