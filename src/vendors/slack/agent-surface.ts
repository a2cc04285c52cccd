import { describeError, VendorError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Call } from './call.ts';

/** The bot's work in a thread. */
export interface Doing {
  readonly channel: string;
  /** The message that starts the thread. */
  readonly threadTs: string;
  /** Follows the bot's name, such as "is reading Jira…"; empty when it is done. */
  readonly words: string;
  /** Names a new session in the person's list. */
  readonly title: string;
}

/** A request that a person sends by a click. */
export interface Prompt {
  readonly title: string;
  readonly message: string;
}

/** Slack's surface for agents. */
export interface AgentSurface {
  showDoing(doing: Doing): Promise<void>;
  /** Suggests up to four requests in a direct conversation. */
  suggest(channel: string, prompts: readonly Prompt[]): Promise<void>;
}

/** The thread is gone, or the bot is: these say nothing about the app. */
const aboutPlace = /_(?:not_found|not_in_channel|invalid_thread_ts|is_archived)$/u;

export function agentSurface(call: Call, log: Log): AgentSurface {
  /** The app was installed before it was declared as an agent: it has no stop button, but still says what it does. */
  let hasSessions = true;

  async function setSession({ channel, threadTs, words, title }: Doing): Promise<void> {
    const status = words === '' ? 'active' : 'processing';
    const of = { channel_id: channel, thread_ts: threadTs, status, ...(title === '' ? {} : { title }) };
    try {
      await call('agents.sessions.setStatus', 'again', (client) => client.agents.sessions.setStatus(of));
    } catch (error) {
      const isFinal = error instanceof VendorError && !error.retryable && !error.mayHaveHappened;
      if (!isFinal || error.refusesUs || aboutPlace.test(error.code)) throw error;
      hasSessions = false;
      log.warn(
        describeError(error),
        'Slack shows no stop button in threads: declare the app as an agent, as slack-manifest.yml does',
      );
    }
  }

  return {
    async showDoing(doing) {
      if (hasSessions) await setSession(doing);
      const of = { channel_id: doing.channel, thread_ts: doing.threadTs, status: doing.words };
      await call('assistant.threads.setStatus', 'again', (client) => client.assistant.threads.setStatus(of));
    },
    async suggest(channel, prompts) {
      const of = { channel_id: channel, prompts: [...prompts] };
      await call('assistant.threads.setSuggestedPrompts', 'again', (client) =>
        client.assistant.threads.setSuggestedPrompts(of),
      );
    },
  };
}
