import type { Message } from './message.ts';

/** Placeholder for the address of a card that is not posted yet. The sender of the message replaces it. */
export function cardAddress(requestId: string, number: number): string {
  return `${scheme}${requestId}/${number}`;
}

export interface CardPlace {
  readonly requestId: string;
  readonly number: number;
}

/** The message with real addresses; a card without one is named without a link. */
export async function withCardAddresses(
  message: Message,
  addressOf: (card: CardPlace) => Promise<string | null>,
): Promise<Message> {
  const known = new Map<string, string | null>();
  for (const [placeholder, requestId = '', number] of JSON.stringify(message).matchAll(pattern)) {
    known.set(placeholder, await addressOf({ requestId, number: Number(number) }));
  }
  if (known.size === 0) return message;
  return { ...message, blocks: message.blocks.map((block) => resolved(block, known)) };
}

/** Whether it has placeholders. */
export function namesCards(message: Message): boolean {
  return JSON.stringify(message).includes(scheme);
}

const scheme = 'countersign-card:';
const pattern = new RegExp(`${scheme}([\\w-]+)/(\\d+)`, 'g');

function resolved<T>(node: T, known: ReadonlyMap<string, string | null>): T;
function resolved(node: unknown, known: ReadonlyMap<string, string | null>): unknown {
  if (Array.isArray(node)) return node.map((one) => resolved(one, known));
  if (typeof node !== 'object' || node === null) return node;
  if ('type' in node && node.type === 'link' && 'url' in node && known.has(String(node.url))) {
    const url = known.get(String(node.url)) ?? null;
    return url === null ? { type: 'text', text: 'text' in node ? node.text : '' } : { ...node, url };
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(value, known)]));
}
