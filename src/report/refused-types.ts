import { LRUCache } from 'lru-cache';
import type { Message } from '../blocks/message.ts';

/** Newer block types that a workspace rejected, so that not every message is sent to it twice. */
export interface RefusedTypes {
  add(teamId: string, types: readonly string[]): void;
  /** True when one of the types was rejected recently. */
  has(teamId: string, types: readonly string[]): boolean;
}

/** A single message may be rejected for other reasons, and workspaces learn new blocks: then they are tried again. */
const forgottenAfterMs = 60 * 60_000;

export function refusedTypes(): RefusedTypes {
  const known = new LRUCache<string, true>({ max: 1_000, ttl: forgottenAfterMs });
  const key = (teamId: string, type: string) => `${teamId} ${type}`;
  return {
    add(teamId, types) {
      for (const type of types) known.set(key(teamId, type), true);
    },
    has: (teamId, types) => types.some((type) => known.has(key(teamId, type))),
  };
}

/** Block types that a message has and its fallback does not. */
export function typesBeyond(message: Message, fallback: Message): string[] {
  const plain = new Set(fallback.blocks.map(({ type }) => type));
  return [...new Set(message.blocks.map(({ type }) => type))].filter((type) => !plain.has(type));
}
