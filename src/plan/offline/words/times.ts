const unitWords: readonly (readonly [RegExp, 'S' | 'M' | 'H' | 'D' | 'F' | 'W' | 'MO'])[] = [
  [/^(s|sec|secs|seconds?|segundos?|sekunden?|secondes?|secondi|secondo|seconden)$/, 'S'],
  [/^(m|min|mins|minutes?|minutos?|minuten?|minuti|minuto|minuut|minuts)$/, 'M'],
  [/^(h|hr|hrs|hours?|horas?|stunden?|std|heures?|ore|ora|uur|uren)$/, 'H'],
  [/^(d|days?|días?|dias?|tagen?|tage?|jours?|giorni|giorno|dagen|dag)$/, 'D'],
  [/^(fortnights?)$/, 'F'],
  [/^(w|wk|wks|weeks?|semanas?|wochen?|semaines?|settimane?|settimana|weken|week)$/, 'W'],
  [/^(months?|mes|meses|monaten?|monate?|mois|mesi|mese|mês|maanden?)$/, 'MO'],
];

const unitPattern = unitWords.map(([pattern]) => pattern.source.slice(2, -2)).join('|');

const numberWords: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1000,
  dozen: 12,
  'a dozen': 12,
  'a hundred': 100,
  'one hundred': 100,
  'two hundred': 200,
  'a thousand': 1000,
  'one thousand': 1000,
  'two dozen': 24,
  'half a dozen': 6,
  'twenty-four': 24,
  'forty-eight': 48,
  'twenty five': 25,
  'twenty-five': 25,
  'five hundred': 500,
  'three hundred': 300,
  'seventy-two': 72,
  'forty-five': 45,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
  siete: 7,
  ocho: 8,
  nueve: 9,
  diez: 10,
  veinte: 20,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  zwanzig: 20,
  fuenf: 5,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  sept: 7,
  huit: 8,
  neuf: 9,
  dix: 10,
  vingt: 20,
  dois: 2,
  duas: 2,
  três: 3,
  quatro: 4,
  sete: 7,
  oito: 8,
  nove: 9,
  dez: 10,
  vinte: 20,
  due: 2,
  tre: 3,
  quattro: 4,
  cinque: 5,
  otto: 8,
  dieci: 10,
  venti: 20,
};

const wordPattern = Object.keys(numberWords)
  .sort((a, b) => b.length - a.length)
  .join('|');

/** A number in words as its value, or null. `due` and `sept` are numbers in other languages only. */
export function numberWord(text: string): number | null {
  const word = text.toLowerCase();
  return Object.hasOwn(numberWords, word) ? (numberWords[word] ?? null) : null;
}

export const durationPattern = new RegExp(
  `(?:(\\d+(?:\\.\\d+)?)\\s?-?|(half an|half a|a quarter of an|quarter of an|a couple of|couple of|an|a|${wordPattern})[\\s-])(${unitPattern})(?![\\p{L}\\p{N}_-])`,
  'iuy',
);
const lastUnit = new RegExp(
  `(?:(?:the|la|le|les|die|der|den|das|el|los|las|os|as|nas|na|nos|no|in)\\s+)?(?:last|past|previous|trailing|next|coming|nächsten?|próxim[oa]s?|prochaine?s?|prossim[oaie]|letzten?|letzter|vergangenen?|últimas?|últimos?|dernières?|derniers?|ultim[oaie]|passées?|afgelopen|laatste)\\s+(${unitPattern})(?![\\p{L}\\p{N}_-])`,
  'iuy',
);

/** "within the hour". */
const withinUnit = /(?:the|this)\s+(hour|day|week|minute)(?![\p{L}\p{N}_-])/iuy;

const lastHalf = /(?:the\s+)?(?:last|past|previous)\s+half(?:\s+an?)?[\s-]+hour(?![\p{L}\p{N}_-])/iuy;

function unitOf(word: string): 'S' | 'M' | 'H' | 'D' | 'F' | 'W' | 'MO' {
  return unitWords.find(([pattern]) => pattern.test(word.toLowerCase()))?.[1] ?? 'M';
}

function iso(count: number, unit: ReturnType<typeof unitOf>): string {
  if (unit === 'F') return `P${count * 14}D`;
  if (unit === 'W') return `P${count * 7}D`;
  if (unit === 'MO') return `P${count * 30}D`;
  if (unit === 'D') return Number.isInteger(count) ? `P${count}D` : `PT${count * 24}H`;
  if (unit === 'H' && !Number.isInteger(count)) return `PT${Math.round(count * 60)}M`;
  return `PT${count}${unit}`;
}

function counted(digits: string | undefined, words: string | undefined): number {
  if (digits !== undefined) return Number(digits);
  const word = (words ?? '').toLowerCase();
  if (word.startsWith('half')) return 0.5;
  if (word.includes('quarter')) return 0.25;
  if (word.includes('couple')) return 2;
  return numberWord(word) ?? 1;
}

/** A duration that starts at `index`: "45 minutes", "two days", "half an hour", "the last hour". */
export function durationAt(text: string, index: number): { value: string; length: number } | null {
  durationPattern.lastIndex = index;
  const match = durationPattern.exec(text);
  if (match) {
    return {
      value: iso(counted(match[1], match[2]), unitOf(match[3] ?? '')),
      length: match[0].length,
    };
  }
  withinUnit.lastIndex = index;
  const within = withinUnit.exec(text);
  if (within && /\b(?:within|inside)\s+$/i.test(text.slice(Math.max(0, index - 8), index)))
    return { value: iso(1, unitOf(within[1] ?? '')), length: within[0].length };
  lastHalf.lastIndex = index;
  const half = lastHalf.exec(text);
  if (half) return { value: 'PT30M', length: half[0].length };
  lastUnit.lastIndex = index;
  const last = lastUnit.exec(text);
  if (!last || isCalendar(last[0], text.slice(Math.max(0, index - 12), index))) return null;
  return { value: iso(1, unitOf(last[1] ?? '')), length: last[0].length };
}

/** "last week" is a calendar word; "the last week" and "in the past week" are durations. */
function isCalendar(phrase: string, before: string): boolean {
  return (
    /^(last|previous)\s+(week|month|day)/i.test(phrase) && !/\b(in|over|during|within|for)\s+$/i.test(before)
  );
}

const clock =
  /(?:at\s+)?(\d{1,2})(?::(\d{2}))?\s?(am|pm|a\.m\.|p\.m\.)?(?:\s?(?:utc|h|uhr))?(?![\p{L}\p{N}]|:\d)/iuy;

/** A time of day as HH:MM. A bare number is none. */
export function clockAt(text: string, index: number): { value: string; length: number } | null {
  clock.lastIndex = index;
  const match = clock.exec(text);
  if (!match || (match[2] === undefined && match[3] === undefined)) return null;
  const half = match[3]?.toLowerCase().slice(0, 1);
  let hours = Number(match[1]) % (half ? 12 : 24);
  if (half === 'p') hours += 12;
  return { value: `${String(hours).padStart(2, '0')}:${match[2] ?? '00'}`, length: match[0].length };
}

/** Minutes of an ISO 8601 duration made by this file. */
export function minutesOf(duration: string): number {
  const match = duration.match(/^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/);
  if (!match) return 0;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = match;
  return Number(days) * 1440 + Number(hours) * 60 + Number(minutes) + Math.ceil(Number(seconds) / 60);
}
