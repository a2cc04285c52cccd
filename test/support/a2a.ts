import { SendMessageRequest, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { agentToken } from './agents.ts';
import type { Workspace } from './workspace.ts';

interface Speaks {
  readonly token?: string;
  readonly binding?: 'JSONRPC' | 'HTTP+JSON';
  readonly version?: '1.0' | '0.3';
}

/** A client of the bot's A2A door. */
export async function connectA2a(
  workspace: Workspace,
  { token = agentToken, binding = 'JSONRPC', version = '1.0' }: Speaks = {},
): Promise<Client> {
  const fetchImpl: typeof fetch = (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${token}` },
    });
  const options = { fetchImpl, legacyCompat: { enabled: version === '0.3' } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
    cardResolver: new DefaultAgentCardResolver(options),
  });
  const card = await new DefaultAgentCardResolver(options).resolve(`http://127.0.0.1:${workspace.env.PORT}`);
  const spoken = card.supportedInterfaces.filter(
    (one) => one.protocolBinding === binding && one.protocolVersion === version,
  );
  return factory.createFromAgentCard({ ...card, supportedInterfaces: spoken });
}

/** A message of an agent: text, or data. */
export function messageOf(
  messageId: string,
  said: string | Readonly<Record<string, unknown>>,
  of: { readonly taskId?: string; readonly contextId?: string } = {},
): SendMessageRequest {
  const parts = [typeof said === 'string' ? { text: said } : { data: said }];
  return SendMessageRequest.fromJSON({ message: { messageId, role: 'ROLE_USER', parts, ...of } });
}

/** Sends it, and returns the task that it makes or goes on with. */
export async function sendTask(client: Client, ...message: Parameters<typeof messageOf>): Promise<Task> {
  const sent = await client.sendMessage(messageOf(...message));
  if (!('status' in sent)) throw new TypeError('a message came back, not a task');
  return sent;
}

export const stateOf = (task: Task | undefined): string => TaskState[task?.status?.state ?? -1] ?? '';

/** Text of a task's status. */
export const saidBy = ({ status }: Pick<Task, 'status'>): string =>
  (status?.message?.parts ?? [])
    .flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
    .join();

/** Kinds and states of everything that a stream says, in order. */
export async function heard(stream: AsyncIterable<StreamResponse>): Promise<string[]> {
  const all: string[] = [];
  for await (const { payload } of stream) {
    const state =
      payload?.$case === 'task' || payload?.$case === 'statusUpdate'
        ? payload.value.status?.state
        : undefined;
    all.push(`${payload?.$case} ${state === undefined ? '' : TaskState[state]}`.trim());
  }
  return all;
}
