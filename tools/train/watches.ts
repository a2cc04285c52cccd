import type { TrainCase } from './cases.ts';
import { pick, type Random } from './random.ts';

/** Repeated orders: requests with a known plan, with times before or after them. */
export function watched(cases: readonly TrainCase[], random: Random, count: number): TrainCase[] {
  const orders = cases.filter(isRepeatable);
  return Array.from({ length: count }, (_, at) => {
    const before = pick(orders, random);
    const times = timesIn(random);
    return {
      ...{ id: `watched-${at}`, lang: 'en', class: 'plan', steps: before.steps, watch: times.watch },
      text: pick(
        [
          `${times.text} ${before.text}`,
          `${times.text}: ${before.text}`,
          `${times.text}, ${before.text}`,
          `${before.text}, ${times.text}`,
          `${before.text} ${times.text}`,
          `${before.text} — check ${times.text}`,
        ],
        random,
      ),
    };
  });
}

/** A watch with new times and an unchanged plan. */
export function retimed(cases: readonly TrainCase[], random: Random, count: number): TrainCase[] {
  const orders = cases.filter(isRepeatable);
  return Array.from({ length: count }, (_, at) => {
    const { steps } = pick(orders, random);
    const was = timesIn(random);
    let now = timesIn(random, 0.25);
    while (Object.entries(now.watch).some(([name, value]) => was.watch[name] === value))
      now = timesIn(random, 0.25);
    return {
      ...{ id: `retimed-${at}`, lang: 'en', class: 'plan', steps, was: { steps, watch: was.watch } },
      watch: { ...was.watch, ...now.watch },
      text: pick(before, random) + now.text + pick(after, random),
    };
  });
}

const before = [
  ...['', '', '', 'please ', 'make it ', 'better ', 'check ', 'no, ', 'rather ', 'only ', 'sry ', 'ok '],
];
const after = [
  ...['', '', '', '', '', ' is enough', ' is better', ' pls', ', i start early', ' will do', ' then', ' thx'],
  ...[', that is too slow', ', less noise', ' instead', ' tho', ', nobody reads it otherwise', ' rather'],
];

/** An order that acts at once, without words that a time would become part of. */
const isRepeatable = ({ class: kind, lang, steps, was, answers, watch, text }: TrainCase): boolean =>
  kind === 'plan' &&
  lang === 'en' &&
  !was &&
  !answers &&
  !watch &&
  steps.length <= 3 &&
  text.length < 140 &&
  !/every|hour|min|day|until|till|[.?!"]$/iu.test(text) &&
  steps.some(({ tool, when, args }) => when !== undefined || (tool === 'slack.post' && args.text === '$s1'));

interface Times {
  readonly text: string;
  readonly watch: Readonly<Record<string, string>>;
}

/** `bare` is the share with only an end, or only days. */
export function timesIn(random: Random, bare = 0): Times {
  const number = pick([2, 3, 5, 10, 15, 20, 30, 45], random);
  const every = pick(
    [
      ...[`${number} minutes`, `${number} minutes`, `${number} min`, `${number} mins`, `${number}m`],
      ...['hour', 'hour', 'minute', '2 hours', 'half hour', 'quarter of an hour', '6 hours'],
    ],
    random,
  );
  const isHourly = random() < 0.1;
  const often: Times = isHourly
    ? { text: 'hourly', watch: { every: 'hourly' } }
    : { text: `${pick(['every', 'every', 'each'], random)} ${every}`, watch: { every } };
  const end = pick(
    ['Friday', 'tomorrow', '18:00', '6pm', 'midnight', 'tomorrow 9:00', 'Sunday', '7:30'],
    random,
  );
  const until: Times =
    random() < 0.55
      ? { text: `${pick(['until', 'till'], random)} ${end}`, watch: { until: end } }
      : lasting(random);
  const days = pick(['weekdays', 'weekdays', 'workdays', 'weekends', 'Mondays'], random);
  const on: Times = { text: `${pick(['on', 'only on', 'just on'], random)} ${days}`, watch: { days } };
  if (random() < bare) return pick([until, on], random);
  const parts = [often, ...(random() < 0.4 ? [until] : []), ...(random() < 0.2 ? [on] : [])];
  return {
    text: parts.map(({ text }) => text).join(pick([' ', ', '], random)),
    watch: Object.assign({}, ...parts.map(({ watch }) => watch)),
  };
}

/** "for 3 days", "over the weekend". */
function lasting(random: Random): Times {
  const number = pick(['2', '3', '4', '6', '12', 'two', 'three'], random);
  const length = pick(['days', 'days', 'hours', 'hours', 'weeks'], random);
  const [text, until] = pick(
    [
      ...[`for ${number} ${length}`, `for the next ${number} ${length}`, `the next ${number} ${length}`].map(
        (text) => [text, `${number} ${length}`] as const,
      ),
      ...(['for 45 minutes', 'for the next 45 minutes'] as const).map(
        (text) => [text, '45 minutes'] as const,
      ),
      ...(['over the weekend', 'through the weekend', 'for the weekend'] as const).map(
        (text) => [text, 'the weekend'] as const,
      ),
      ...([
        ['for an hour', 'an hour'],
        ['for a week', 'a week'],
        ['for half an hour', 'half an hour'],
      ] as const),
      ...([
        ['for 24h', '24h'],
        ['for the next 2h', '2h'],
        ['for 3d', '3d'],
      ] as const),
      ...([
        ['all of today', 'today'],
        ['the rest of this week', 'this week'],
        ['for tonight', 'tonight'],
      ] as const),
    ],
    random,
  );
  return { text, watch: { until } };
}
