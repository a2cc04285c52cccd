import type { IncomingMessage } from 'node:http';
import { paths } from './card.ts';

type Call = Record<string, unknown>;

/**
 * A REST request as the same call of JSON-RPC, whose parameters are the same. Null for one that does not exist. The SDK
 * has this only for Express.
 */
export function callOf({ url = '/', method = 'GET' }: IncomingMessage, body: unknown): Call | null {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const path = decoded(pathname.slice(paths.rest.length));
  if (path === null || typeof body !== 'object' || body === null) return null;
  const query = Object.fromEntries(searchParams);
  const call = (name: string, params: object): Call => ({ jsonrpc: '2.0', id: 0, method: name, params });
  const [, id = '', verb = ''] = /^\/tasks\/([^:]+)(?::(subscribe|cancel))?$/.exec(path) ?? [];
  if (id !== '' && verb === 'subscribe') return call('SubscribeToTask', { id });
  if (method === 'POST') {
    if (path === '/message:send') return call('SendMessage', body);
    if (path === '/message:stream') return call('SendStreamingMessage', body);
    return id !== '' && verb === 'cancel' ? call('CancelTask', { id }) : null;
  }
  if (id !== '' && verb === '') return call('GetTask', { ...query, id });
  if (path === '/extendedAgentCard') return call('GetExtendedAgentCard', {});
  return path === '/tasks'
    ? call('ListTasks', { ...query, includeArtifacts: query.includeArtifacts === 'true' })
    : null;
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
