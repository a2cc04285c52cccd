import { createContext, useContext, useMemo } from 'react';
import type { Method } from './control-api.ts';
import type { SandboxState } from './model.ts';

export interface Sandbox {
  state: SandboxState;
  /** Slack user id of the person the page acts as. */
  as: string;
  theme: 'light' | 'dark';
  /** Sends to the control API and returns whether it was accepted; an error is shown as a notice. */
  send: (method: Method, path: string, body?: unknown) => Promise<boolean>;
}

export const SandboxContext = createContext<Sandbox | undefined>(undefined);

export function useSandbox(): Sandbox {
  const sandbox = useContext(SandboxContext);
  if (!sandbox) throw new Error('useSandbox outside of SandboxContext');
  return sandbox;
}

/** Names of people, channels and user groups by Slack id. */
export interface Directory {
  nameOf: (id: string) => string | undefined;
}

export function useDirectory(): Directory {
  const { state } = useSandbox();
  return useMemo(() => {
    const names = new Map<string, string>([
      [state.slack.botUserId, state.slack.botName],
      ...state.people.map((one): [string, string] => [one.id, one.realName]),
      ...state.slack.channels.map((one): [string, string] => [one.id, one.name]),
      ...state.slack.userGroups.map((one): [string, string] => [one.id, one.handle]),
    ]);
    return { nameOf: (id) => names.get(id) };
  }, [state]);
}
