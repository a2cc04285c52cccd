import type { Entity } from './entity.ts';
import type { Lexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

const digits = /^\d{1,3}(?:[.,]\d{3})*$|^\d+(?:\.\d+)?$/u;

/** "1,200", "2 dozen", "15". */
function inDigits(tokens: readonly Token[], index: number): Entity | null {
  const token = tokens[index] as Token;
  if (!digits.test(token.raw)) return null;
  const [comma, after] = [tokens[index + 1], tokens[index + 2]];
  const grouped =
    comma?.raw === ',' &&
    comma.start === token.end &&
    after?.start === comma.end &&
    /^\d{3}$/u.test(after.raw);
  const word =
    tokens[index + 1]?.low === 'dozen'
      ? 12
      : tokens[index + 1]?.low === 'thousand'
        ? 1_000
        : tokens[index + 1]?.low === 'hundred'
          ? 100
          : null;
  if (word !== null) return { kind: 'number', length: 2, value: String(Number(token.raw) * word) };
  const plain = grouped
    ? token.raw + after.raw
    : /^\d{1,3}(?:,\d{3})+$/u.test(token.raw)
      ? token.raw.replaceAll(',', '')
      : token.raw;
  return { kind: 'number', length: grouped ? 3 : 1, value: String(Number(plain)) };
}

/** A number in digits or words with how many tokens it takes: "1,200", "2k", "two dozen", "one hundred". */
export function numberAt(tokens: readonly Token[], index: number, lexicon: Lexicon): Entity | null {
  const { numbers } = lexicon.words;
  const token = tokens[index] as Token;
  // "that one" points; it counts nothing.
  if (
    token.low === 'one' &&
    /^(?:that|this|which|another|same|new|other)$/u.test(tokens[index - 1]?.low ?? '')
  )
    return null;
  const thousands = /^(\d+(?:\.\d+)?)k$/u.exec(token.low)?.[1];
  if (thousands) return { kind: 'number', length: 1, value: String(Number(thousands) * 1_000) };
  if (/^\d/u.test(token.raw)) return inDigits(tokens, index);
  let length = 0;
  let sum = 0;
  for (const { low } of tokens.slice(index, index + 4)) {
    const article =
      length === 0 &&
      (low === 'a' || low === 'an') &&
      /^(?:dozen|hundred|thousand|couple)$/u.test(tokens[index + 1]?.low ?? '');
    const value = article ? 1 : numbers[low];
    if (value === undefined) break;
    const times = value === 12 && low === 'dozen' ? 12 : value >= 100 ? value : 1;
    sum =
      times > 1 && sum > 0
        ? sum * times
        : length > 0 && (value >= 10 || sum < 20 || sum % 10 > 0) && times === 1
          ? Number.NaN
          : sum + value;
    if (Number.isNaN(sum)) break;
    length += 1;
  }
  return length > 0 && !Number.isNaN(sum) ? { kind: 'number', length, value: String(sum) } : null;
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
  const spelt = /^([a-z]+)-([a-z]+)$/u.exec(token.low);
  const speltUnit = unitOf(spelt?.[2], lexicon);
  if (spelt && speltUnit && lexicon.words.numbers[spelt[1] ?? ''] !== undefined)
    return { kind: 'duration', length: 1, value: iso(lexicon.words.numbers[spelt[1] ?? ''] ?? 0, speltUnit) };
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
