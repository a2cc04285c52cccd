import { betweenQuotes } from './quotations.ts';

const courtesy =
  /(?:^|[\s,]{1,3})(?:(?:if|when|whenever) (?:you (?:can|could|want|wish|like|would|don['’]?t mind|have (?:time|a (?:sec|second|minute|moment))|get (?:a chance|to it))|possible|(?:that|it)(?:['’]?s| is) (?:ok|okay|fine|alright|possible)|not too much trouble)|wenn (?:möglich|du kannst|du magst|es geht)|si (?:possible|tu peux|vous pouvez|c['’]est possible|puedes|es posible|se puede)|se (?:possível|puder|der))(?=\s{0,3}(?:$|[,:?.!]|(?:and|then|und|et|y|e) ))/giu;

/**
 * A request without “if you can” and the like: that is no condition. In a text, behind a colon or in quotation marks, it is
 * part of it.
 */
export function withoutCourtesies(request: string): string {
  const [, order = '', text = ''] = /^([^:]*)([\s\S]*)$/u.exec(request) ?? [];
  const plain = betweenQuotes(order, (words) => words.replace(courtesy, ''));
  return plain === order ? request : `${plain.replace(/^[\s,]+/u, '')}${text}`;
}
