import { LRUCache } from 'lru-cache';
import type { Say } from '../blocks/message.ts';

/** Ways to reply to requesters later; a command can be answered for half an hour. */
export type Voices = LRUCache<string, Say>;
export const createVoices = (): Voices => new LRUCache({ max: 10_000, ttl: 30 * 60_000 });
