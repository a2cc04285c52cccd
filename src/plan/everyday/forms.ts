/** Words for numbers, durations and calendar times, by language; plans hold them in English. */

const spelled: Readonly<Record<string, number>> = {
  ...{ zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ eleven: 11, twelve: 12, fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60 },
  ...{ ninety: 90, hundred: 100, dozen: 12, thousand: 1_000, couple: 2 },
  ...{ ein: 1, eine: 1, einen: 1, einer: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7 },
  ...{ acht: 8, neun: 9, zehn: 10, zwölf: 12, fünfzehn: 15, zwanzig: 20, dreißig: 30, hundert: 100 },
  ...{ un: 1, une: 1, deux: 2, trois: 3, quatre: 4, cinq: 5, sept: 7, huit: 8, neuf: 9, dix: 10, douze: 12 },
  ...{
    quinze: 15,
    vingt: 20,
    trente: 30,
    cent: 100,
    dos: 2,
    tres: 3,
    cuatro: 4,
    cinco: 5,
    seis: 6,
    siete: 7,
  },
  ...{
    ocho: 8,
    nueve: 9,
    diez: 10,
    doce: 12,
    quince: 15,
    veinte: 20,
    treinta: 30,
    cien: 100,
    dois: 2,
    duas: 2,
  },
  ...{ três: 3, quatro: 4, sete: 7, oito: 8, nove: 9, dez: 10, doze: 12, vinte: 20, trinta: 30, cem: 100 },
};
/** Articles in their languages: a number only before a unit. */
const articles = new Set(['ein', 'eine', 'einen', 'einer', 'un', 'une', 'one', 'cent', 'sept']);

/** The number that a word alone stands for. */
export const numberOf = (word: string): number | undefined =>
  articles.has(word) ? (word === 'one' ? 1 : undefined) : spelled[word];

const units: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    S: 's sec secs second seconds sekunde sekunden seconde secondes segundo segundos',
    M: 'm min mins minute minutes minuten minuto minutos',
    H: 'h hr hrs hour hours stunde stunden std heure heures hora horas',
    D: 'd day days tag tage tagen jour jours día días dia dias',
    W: 'w wk wks week weeks woche wochen semaine semaines semana semanas',
    F: 'fortnight',
    O: 'month months monat monate monaten mois mes meses mês',
  }).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit])),
);

const isoOf: Readonly<Record<string, (count: number) => string>> = {
  S: (count) => `PT${count}S`,
  M: (count) => (count % 1 === 0 ? `PT${count}M` : `PT${count * 60}S`),
  H: (count) => (count % 1 === 0 ? `PT${count}H` : `PT${count * 60}M`),
  D: (count) => (count % 1 === 0 ? `P${count}D` : `PT${count * 24}H`),
  W: (count) => `P${count * 7}D`,
  F: (count) => `P${count * 14}D`,
  O: (count) => `P${count * 30}D`,
};

const half = /^(?:half an?|half|halbe|halben|media|meia|demi|une demi)$/u;

/** The ISO 8601 duration of words such as `15 min`, `half an hour`, `two weeks`. */
export function durationOf(words: string): string | undefined {
  const low = words.toLowerCase();
  const [unit = ''] = /(?<!\p{L})\p{L}{1,20}$/u.exec(low) ?? [];
  const said = low
    .slice(0, low.length - unit.length)
    .replace(/-$/u, '')
    .trim();
  const count = half.test(said)
    ? 0.5
    : /^an?$/u.test(said) || said === ''
      ? 1
      : (spelled[said] ?? Number(said.replace(',', '.')));
  const iso = isoOf[units[unit] ?? ''];
  return iso === undefined || Number.isNaN(count) ? undefined : iso(count);
}

const list = (words: readonly string[]): string => [...words].sort((a, b) => b.length - a.length).join('|');
export const unitWords = list(Object.keys(units).filter((word) => word.length > 2));
export const countWords = `\\d{1,9}(?:[.,]\\d{1,3})?|half an?|halbe|media|meia|an?|${list(Object.keys(spelled))}`;

const spans: Readonly<Record<string, string>> = { D: 'day', TH: 'hour', TM: 'minute' };

/** `P3D` as “in 3 days”, as plans hold a time to come; empty for a duration in another unit. */
export function aheadOf(iso: string): string {
  const [, time = '', count, unit = ''] = /^P(T?)(\d+)([DHM])$/u.exec(iso) ?? [];
  const words = spans[`${time}${unit}`];
  return words === undefined ? '' : `in ${count} ${words}${count === '1' ? '' : 's'}`;
}

const ahead = new RegExp(
  `(?<!\\p{L})(?:in|dans|en|em|dentro de|daqui a) (?<length>(?:${countWords})[ -]?(?:${unitWords}))`,
  'iu',
);

/** The time to come in a text, “in drei Tagen” as “in 3 days”; empty where none is said. */
export const aheadIn = (text: string): string =>
  aheadOf(durationOf(ahead.exec(text)?.groups?.length ?? '') ?? '');

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const foreign: readonly string[] = [
  'montag dienstag mittwoch donnerstag freitag samstag sonntag',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'lunes martes miércoles jueves viernes sábado domingo',
  'segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo',
];
const translated: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    foreign.flatMap((names) => names.split(' ').map((name, day) => [name, weekdays[day] ?? ''])),
  ),
  ...{ gestern: 'yesterday', heute: 'today', morgen: 'tomorrow', mitternacht: 'midnight', mittag: 'noon' },
  ...{ 'gestern abend': 'yesterday evening', 'heute nacht': 'tonight', 'heute morgen': 'this morning' },
  ...{ 'heute früh': 'this morning', 'heute abend': 'this evening', 'letzte nacht': 'last night' },
  ...{ 'letzte woche': 'last week', 'letzter woche': 'last week', 'diese woche': 'this week' },
  ...{ 'dieser woche': 'this week', 'nächste woche': 'next week', 'letzten monat': 'last month' },
  ...{ 'diesen monat': 'this month', 'am wochenende': 'weekend', wochenende: 'weekend' },
  ...{
    hier: 'yesterday',
    "aujourd'hui": 'today',
    'aujourd’hui': 'today',
    demain: 'tomorrow',
    minuit: 'midnight',
  },
  ...{ midi: 'noon', 'ce matin': 'this morning', 'ce soir': 'tonight', 'cette nuit': 'tonight' },
  ...{ 'hier soir': 'yesterday evening', 'la nuit dernière': 'last night', 'cette semaine': 'this week' },
  ...{ 'la semaine dernière': 'last week', 'semaine dernière': 'last week', 'ce mois': 'this month' },
  ...{ 'le mois dernier': 'last month', 'la semaine prochaine': 'next week', 'ce week-end': 'weekend' },
  ...{ ayer: 'yesterday', hoy: 'today', mañana: 'tomorrow', medianoche: 'midnight', mediodía: 'noon' },
  ...{
    anoche: 'last night',
    'esta mañana': 'this morning',
    'esta noche': 'tonight',
    'esta tarde': 'this afternoon',
  },
  ...{ 'la semana pasada': 'last week', 'semana pasada': 'last week', 'esta semana': 'this week' },
  ...{ 'este mes': 'this month', 'el mes pasado': 'last month', 'la próxima semana': 'next week' },
  ...{ ontem: 'yesterday', hoje: 'today', amanhã: 'tomorrow', 'meia-noite': 'midnight', 'meio-dia': 'noon' },
  ...{ 'ontem à noite': 'last night', 'hoje à noite': 'tonight', 'esta manhã': 'this morning' },
  ...{ 'hoje de manhã': 'this morning', 'semana passada': 'last week', 'este mês': 'this month' },
  ...{ 'mês passado': 'last month', 'próxima semana': 'next week', 'fim de semana': 'weekend' },
  ...{ tonite: 'tonight', yday: 'yesterday', yest: 'yesterday', tmrw: 'tomorrow', tmr: 'tomorrow' },
  ...Object.fromEntries(weekdays.map((name) => [name.slice(0, 3), name])),
  ...{ tues: 'tuesday', thurs: 'thursday', thur: 'thursday' },
};

const monthNames =
  'january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  );

const day = `(?:${list(weekdays)})`;
const part = '(?:morning|afternoon|evening|night|week|weekend|month|quarter|year|shift)';
/** Calendar words in requests, longest first. */
export const timeWords = [
  `(?:this|last|next|past|previous|coming) (?:${part}|${day})(?: (?:morning|afternoon|evening|night))?`,
  `(?:yesterday|today|tonight|tomorrow|overnight)(?: (?:morning|afternoon|evening|night))?`,
  `${day}(?: (?:morning|afternoon|evening|night))?`,
  '\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\dZ?)?',
  '(?:the )?weekend',
  `(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?)?(?:${list(monthNames)})(?: \\d{1,2}(?:st|nd|rd|th)?(?!\\d))?`,
  '(?:christmas|new year)(?: (?:eve|day))?',
  list(Object.keys(translated)),
].join('|');

/** Calendar words in English, as plans hold them. */
export function timeOf(words: string): string {
  const low = words.toLowerCase().replace(/^the /u, '');
  const [, before = low, clock] =
    /^(.*?\p{L}),? (?:at |um |à |a las |às )?(\d{1,2}(?:[:.h]\d\d)?(?: ?[ap]m|h| uhr)?)$/u.exec(low) ?? [];
  const isClock = clock !== undefined && /[:.hm]/u.test(clock);
  const day = isClock ? before : low;
  const english =
    translated[day] ??
    day
      .replace(/^(?:past|previous) /u, 'last ')
      .replace(/^coming /u, 'next ')
      .replaceAll(/(\d)(?:st|nd|rd|th)(?: of)?/gu, '$1');
  return isClock ? `${english} ${clockOf(clock)}` : english;
}

/** A clock time as `HH:MM`. */
export function clockOf(words: string): string {
  const low = words.toLowerCase();
  if (low === 'midnight' || low === 'noon') return low;
  const [, hours = '0', minutes = '00', part = ''] =
    /^(\d{1,2})(?:[:.h](\d\d))?\s?(?:([ap])\.?m\.?|h|uhr|o'clock)?$/u.exec(low) ?? [];
  const hour = part === '' ? Number(hours) : (Number(hours) % 12) + (part === 'p' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** A look-up without a project is one in all of them. */
export const allProjects =
  /(?<!\p{L})(?:all|every|each|any|both|across|\d{1,3}|two|three|four|five)(?: of)?(?: (?:the|our|jira)){0,2} projects?(?!\p{L})/iu;
