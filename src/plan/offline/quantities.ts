import type { Entity } from './entity.ts';
import type { Lexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

/** A number in digits or words with how many tokens it takes: "1,200", "2k", "fifteen". */
export function numberAt(tokens: readonly Token[], index: number, { words }: Lexicon): Entity | null {
  const { raw, low, end } = tokens[index] as Token;
  const [comma, after] = [tokens[index + 1], tokens[index + 2]];
  const isGrouped = comma?.raw === ',' && comma.start === end && after?.start === comma.end;
  if (isGrouped && /^\d{1,3}$/u.test(raw) && /^\d{3}$/u.test(after.raw))
    return { kind: 'number', length: 3, value: raw + after.raw };
  const [, digits, thousands] = /^(\d+(?:\.\d+)?)(k?)$/u.exec(low) ?? [];
  const value = digits === undefined ? words.numbers[low] : Number(digits) * (thousands ? 1_000 : 1);
  return value === undefined ? null : { kind: 'number', length: 1, value: String(value) };
}

function iso(count: number, unit: string): string {
  if (unit === 'W') return `P${count * 7}D`;
  if (unit === 'D') return `P${count}D`;
  return Number.isInteger(count)
    ? `PT${count}${unit}`
    : `PT${Math.round(count * 60)}${unit === 'H' ? 'M' : 'S'}`;
}

export function unitOf(word: string | undefined, lexicon: Lexicon): string | null {
  const found = Object.entries(lexicon.words.units).find(([, words]) => words.includes(word ?? ''));
  return found?.[0] ?? null;
}

function fractionAt(tokens: readonly Token[], index: number, { words }: Lexicon): Entity | null {
  const line = tokens.slice(index, index + 6).map(({ low }) => low);
  const found = Object.entries(words.fractions)
    .map(([phrase, value]) => ({ parts: phrase.split(' '), value }))
    .filter(({ parts }) => parts.every((part, at) => line[at] === part))
    .sort((a, b) => b.parts.length - a.parts.length)[0];
  return found ? { kind: 'duration', length: found.parts.length, value: found.value } : null;
}

/** "30m", "2 hours", "45-minute", "half an hour", "an hour"; "the last day" is one day. */
export function durationAt(
  tokens: readonly Token[],
  index: number,
  number: Entity | null,
  lexicon: Lexicon,
): Entity | null {
  const token = tokens[index] as Token;
  const glued = /^(\d+(?:\.\d+)?)-?([a-z]+)$/u.exec(token.low);
  const gluedUnit = unitOf(glued?.[2], lexicon);
  const status = gluedUnit === 'S' && /^[1-5]\d\ds$/u.test(token.low);
  if (glued && gluedUnit && !status)
    return { kind: 'duration', length: 1, value: iso(Number(glued[1]), gluedUnit) };
  const fraction = fractionAt(tokens, index, lexicon);
  if (fraction) return fraction;
  if (number) {
    const of = tokens[index + number.length]?.low === 'of' ? 1 : 0;
    const unit = unitOf(tokens[index + number.length + of]?.low, lexicon);
    return unit === null
      ? null
      : { kind: 'duration', length: number.length + of + 1, value: iso(Number(number.value), unit) };
  }
  const article = /^(?:an?|the|one)$/u.test(token.low) ? 1 : 0;
  const word = tokens[index + article]?.low ?? '';
  if (!/^(?:minute|hour|day|week)$/u.test(word)) return null;
  return { kind: 'duration', length: article + 1, value: iso(1, unitOf(word, lexicon) ?? 'H') };
}
