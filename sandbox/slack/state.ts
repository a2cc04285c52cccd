import type { Now, World } from '../world.ts';
import type { AgentThread, Canvas, Channel, Message, Prompts, View } from './model.ts';

type Listener = () => void;

/** A change to one message, for the events of the Slack API. */
export type MessageChange =
  | { readonly kind: 'posted' | 'deleted'; readonly message: Message }
  | { readonly kind: 'changed'; readonly message: Message; readonly previous: Message };

/** The workspace's whole state. Web API methods and people change it; `changed()` notifies the listeners. */
export class SlackState {
  readonly world: World;
  readonly channels = new Map<string, Channel>();
  /** Open modals by user, the top one last. */
  readonly stacks = new Map<string, View[]>();
  readonly homes = new Map<string, View>();
  readonly canvases = new Map<string, Canvas>();
  /** By direct channel. */
  readonly prompts = new Map<string, Prompts>();
  readonly #agentThreads = new Map<string, AgentThread>();
  readonly #messages = new Map<string, Message[]>();
  readonly #byTs = new Map<string, Message>();
  readonly #threads = new Map<string, Message[]>();
  readonly #listeners = new Set<Listener>();
  readonly #messageListeners = new Set<(change: MessageChange) => void>();
  readonly #now: Now;
  #lastTs = 0;
  #lastId = 0;

  constructor(world: World, now: Now) {
    this.world = world;
    this.#now = now;
    this.reset();
  }

  /** Restores the seeded workspace. */
  reset(): void {
    const indexes = [this.#messages, this.#byTs, this.#threads];
    const shown = [this.homes, this.canvases, this.prompts, this.#agentThreads];
    for (const part of [this.channels, this.stacks, ...shown, ...indexes]) part.clear();
    for (const one of this.world.channels) {
      const bot = one.botIsMember ? [this.world.bot.userId] : [];
      const members = new Set([...one.members, ...bot]);
      this.channels.set(one.id, { id: one.id, name: one.name, topic: one.topic, members });
    }
    this.changed();
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#now().getTime();
  }

  /** A message timestamp: seconds and six digits, unique and always rising. */
  nextTs(): string {
    this.#lastTs = Math.max(this.now() * 1_000, this.#lastTs + 1);
    return `${Math.floor(this.#lastTs / 1_000_000)}.${String(this.#lastTs % 1_000_000).padStart(6, '0')}`;
  }

  /** An id such as V0000000A, unique in this workspace. */
  nextId(prefix: string): string {
    this.#lastId += 1;
    return `${prefix}0${this.#lastId.toString(36).toUpperCase().padStart(7, '0')}`;
  }

  /** Block and action ids that the app left out: about five letters, like Slack's. */
  nextShortId(): string {
    this.#lastId += 1;
    return `b${this.#lastId.toString(36).padStart(4, '0')}`;
  }

  messages(channel: string): readonly Message[] {
    return this.#messages.get(channel) ?? [];
  }

  /** The public message with that timestamp; `ephemeralFor` finds ephemeral ones. */
  message(channel: string, ts: string, ephemeralFor?: string): Message | undefined {
    const found = this.#byTs.get(`${channel}:${ts}`);
    return found?.ephemeralFor === undefined || found.ephemeralFor === ephemeralFor ? found : undefined;
  }

  /** The public replies in a message's thread, in order. */
  replies(channel: string, ts: string): readonly Message[] {
    return this.#threads.get(`${channel}:${ts}`) ?? [];
  }

  agentThreads(): AgentThread[] {
    return [...this.#agentThreads.values()];
  }

  agentThread(channel: string, threadTs: string): AgentThread {
    const unused = { channel, threadTs, status: '', session: null, title: null };
    return this.#agentThreads.get(`${channel}:${threadTs}`) ?? unused;
  }

  setAgentThread(thread: AgentThread): void {
    this.#agentThreads.set(`${thread.channel}:${thread.threadTs}`, thread);
    this.changed();
  }

  addMessage(message: Message): void {
    push(this.#messages, message.channel, message);
    this.#byTs.set(`${message.channel}:${message.ts}`, message);
    if (message.threadTs !== undefined && message.ephemeralFor === undefined) {
      push(this.#threads, `${message.channel}:${message.threadTs}`, message);
      const shown = this.#agentThreads.get(`${message.channel}:${message.threadTs}`);
      if (shown !== undefined && message.user === this.world.bot.userId)
        this.setAgentThread({ ...shown, status: '' });
    }
    this.#tell({ kind: 'posted', message });
  }

  removeMessage(message: Message): void {
    drop(this.#messages, message.channel, message);
    drop(this.#threads, `${message.channel}:${message.threadTs ?? ''}`, message);
    this.#byTs.delete(`${message.channel}:${message.ts}`);
    this.#tell({ kind: 'deleted', message });
  }

  /** Call after changing a message in place, with its previous state. */
  messageChanged(message: Message, previous: Message): void {
    this.#tell({ kind: 'changed', message, previous });
  }

  /** The direct conversation between the bot and a person, created if missing. */
  openIm(user: string): Channel {
    const id = `D${user.slice(1)}`;
    const known = this.channels.get(id);
    if (known !== undefined) return known;
    const members = new Set([user, this.world.bot.userId]);
    const channel: Channel = { id, name: '', topic: '', im: user, members };
    this.channels.set(id, channel);
    this.changed();
    return channel;
  }

  botIsIn(channel: Channel): boolean {
    return channel.members.has(this.world.bot.userId);
  }

  /** Any open modal by its id or the app's own external id. */
  findView(match: { id?: string; externalId?: string }): View | undefined {
    const all = [...[...this.stacks.values()].flat(), ...this.homes.values()];
    return all.find(
      (view) =>
        (match.id !== undefined && view.id === match.id) ||
        (match.externalId !== undefined && view.definition.external_id === match.externalId),
    );
  }

  /** The meaning of typed `@name` and `#name`. */
  names(): ReadonlyMap<string, string> {
    const { people, bot, channels, userGroups } = this.world;
    return new Map([
      ...people.map((one) => [`@${one.name}`, `<@${one.id}>`] as const),
      [`@${bot.name}`, `<@${bot.userId}>`] as const,
      ...channels.map((one) => [`#${one.name}`, `<#${one.id}|${one.name}>`] as const),
      ...userGroups.map((one) => [`@${one.handle}`, `<!subteam^${one.id}>`] as const),
      ...['here', 'channel', 'everyone'].map((one) => [`@${one}`, `<!${one}>`] as const),
    ]);
  }

  /** Like `names`, for slash commands, where each name follows its id. Broadcasts stay text. */
  commandNames(): ReadonlyMap<string, string> {
    const { people, bot, channels, userGroups } = this.world;
    return new Map([
      ...people.map((one) => [`@${one.name}`, `<@${one.id}|${one.name}>`] as const),
      [`@${bot.name}`, `<@${bot.userId}|${bot.name}>`] as const,
      ...channels.map((one) => [`#${one.name}`, `<#${one.id}|${one.name}>`] as const),
      ...userGroups.map((one) => [`@${one.handle}`, `<!subteam^${one.id}|@${one.handle}>`] as const),
    ]);
  }

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onMessage(listener: (change: MessageChange) => void): void {
    this.#messageListeners.add(listener);
  }

  #tell(change: MessageChange): void {
    for (const listener of this.#messageListeners) listener(change);
    this.changed();
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function push(lists: Map<string, Message[]>, key: string, message: Message): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [message]);
  else list.push(message);
}

function drop(lists: Map<string, Message[]>, key: string, message: Message): void {
  lists.set(
    key,
    (lists.get(key) ?? []).filter((one) => one !== message),
  );
}
