import type { WebClient } from '@slack/web-api';
import type { Repeat } from './retry.ts';

/** A Web API call by name, repeated as `repeat` allows. */
export type Call = <T>(
  method: string,
  repeat: Repeat,
  run: (client: WebClient) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;
