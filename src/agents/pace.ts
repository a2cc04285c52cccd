import { type Agent, AgentError } from '../core/agent.ts';
import type { AgentContext } from './context.ts';
import { tellFlood } from './propose.ts';

/** Calls of any kind in a minute, and at once, in each process: people share its connections. */
const maxCalls = 120;
const maxAtOnce = 10;
const minuteMs = 60_000;

/** Bounds the calls of one agent. */
export interface Pace {
  /** The function that comes back ends what was entered. */
  enter(): Promise<() => void>;
  call<T>(call: () => Promise<T>): Promise<T>;
}

export function paceOf(agent: Agent, context: AgentContext): Pace {
  let [since, calls, atOnce] = [0, 0, 0];
  async function enter(): Promise<() => void> {
    if (atOnce >= maxAtOnce) {
      const message = `You may have ${maxAtOnce} calls at once. Wait for their answers.`;
      throw new AgentError('too_many_at_once', message);
    }
    const now = context.now().getTime();
    if (now - since >= minuteMs) [since, calls] = [now, 0];
    calls += 1;
    if (calls > maxCalls) {
      if (calls === maxCalls + 1) await tellFlood(agent, context);
      const message = `You may call ${maxCalls} times a minute. Wait a minute; poll less often.`;
      throw new AgentError('too_many_calls', message);
    }
    atOnce += 1;
    let isOver = false;
    return () => {
      if (!isOver) atOnce -= 1;
      isOver = true;
    };
  }
  return {
    enter,
    async call(call) {
      const leave = await enter();
      try {
        return await call();
      } finally {
        leave();
      }
    },
  };
}
