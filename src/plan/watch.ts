import { z } from 'zod';
import type { Offer, PlannerAnswer } from '../core/answer.ts';
import { cadenceWords, momentText, type WatchTimes } from '../core/cadence.ts';
import { spanOf } from '../core/calendar/span.ts';
import { celType } from '../core/cel.ts';
import { durationMs } from '../core/duration.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { PlanningInput } from '../core/planning.ts';
import { isConditional } from '../core/watch.ts';
import { clockOf, durationOf, timeOf } from './everyday/forms.ts';
import { zoneFor } from './zone.ts';

/** A request's schedule for repeated checks, or the problem with its words. */
type Times =
  | { readonly ok: true; readonly times: WatchTimes; readonly isGuess: boolean }
  | { readonly ok: false; readonly why: 'minutes' | 'time' };

interface Here {
  readonly now: Date;
  readonly zone: string;
  /** How often it was looked until now; undefined for a new watch. */
  readonly before?: WatchTimes['every'] | undefined;
}

/** Default minutes between checks. */
const usualMinutes = 10;

const hours: Readonly<Record<string, number>> = {
  morning: 9,
  noon: 12,
  afternoon: 14,
  evening: 18,
  night: 22,
  midnight: 0,
};
const days: Readonly<Record<string, string>> = {
  sunday: '0',
  monday: '1',
  tuesday: '2',
  wednesday: '3',
  thursday: '4',
  friday: '5',
  saturday: '6',
};
const oftens: Readonly<Record<string, number>> = {
  hourly: 60,
  minute: 1,
  hour: 60,
  'other hour': 120,
  'half hour': 30,
  'quarter hour': 15,
  'twice an hour': 30,
  'half-hourly': 30,
};

/** Parses the words of `every`, `at`, `days` and `until`. */
export function timesOf(said: ReadonlyMap<string, string>, here: Here): Times {
  const [every, at, on, until] = ['every', 'at', 'days', 'until'].map((name) =>
    (said.get(name) ?? '').toLowerCase().trim(),
  ) as [string, string, string, string];
  const end = until === '' ? null : endOf(until, here);
  if (until !== '' && end === null) return { ok: false, why: 'time' };
  const rest = end === null ? {} : { until: momentText(end) };
  const week = daysOf(`${on} ${every}`);
  const clock = at === '' ? partOfDay(`${on} ${every}`) : clockIn(at);
  if (at !== '' && clock === null) return { ok: false, why: 'time' };
  // “Only on weekdays” leaves how often it looks as it was.
  const kept = week !== null && week !== '*' && here.before && 'minutes' in here.before ? here.before : null;
  const minutes = minutesOf(every) ?? kept?.minutes ?? null;
  if (clock !== null || (minutes === null && week !== null)) {
    const { hour, minute } = clock ?? { hour: 9, minute: 0 };
    return {
      ok: true,
      isGuess: false,
      times: { every: { cron: `${minute} ${hour} * * ${week ?? '*'}`, timezone: here.zone }, ...rest },
    };
  }
  if (minutes !== null && (minutes < 1 || minutes % 1 !== 0)) return { ok: false, why: 'minutes' };
  if (minutes !== null && week !== null && minutes < 1_440)
    return {
      ok: true,
      isGuess: false,
      times: { every: { cron: cronEvery(minutes, week), timezone: here.zone }, ...rest },
    };
  return {
    ok: true,
    isGuess: minutes === null,
    times: { every: { minutes: minutes ?? usualMinutes }, ...rest },
  };
}

const cronEvery = (minutes: number, week: string): string =>
  minutes < 60 ? `*/${minutes} * * * ${week}` : `0 */${Math.round(minutes / 60)} * * ${week}`;

function minutesOf(words: string): number | null {
  const plain = words.replace(
    /^(?:every|each|alle|jede[nrs]?|toutes les|tous les|cada|a cada|todos os|todas as)\s+/u,
    '',
  );
  if (plain === '') return null;
  const often = oftens[plain];
  if (often !== undefined) return often;
  const iso = durationOf(plain);
  const ms = iso === undefined ? null : durationMs(iso);
  return ms === null ? null : ms / 60_000;
}

function daysOf(words: string): string | null {
  if (/\b(?:weekdays?|working days?|workdays?|werktags|business days?)\b/u.test(words)) return '1-5';
  if (/\bweekends?\b/u.test(words)) return '0,6';
  const named = (words.match(/\p{L}+/gu) ?? []).flatMap(
    (word) => days[timeOf(word.replace(/s$/u, ''))] ?? days[timeOf(word)] ?? [],
  );
  if (named.length > 0) return [...new Set(named)].sort().join(',');
  return /\b(?:day|daily|morning|evening|night|nightly|täglich|jour|día|dia)s?\b/u.test(words) ? '*' : null;
}

function partOfDay(words: string): { hour: number; minute: number } | null {
  const said: readonly string[] = words.replace('nightly', 'night').match(/\p{L}+/gu) ?? [];
  const part = Object.keys(hours).find((name) => said.includes(name) || said.includes(`${name}s`));
  return part === undefined ? null : { hour: hours[part] ?? 9, minute: 0 };
}

function clockIn(words: string): { hour: number; minute: number } | null {
  const said = /\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?m\.?|h|uhr|o'clock)?|noon|midnight/u.exec(words)?.[0];
  if (said === undefined) return partOfDay(words);
  if (said === 'noon' || said === 'midnight') return { hour: hours[said] ?? 0, minute: 0 };
  const [hour = 24, minute = 0] = clockOf(said.trim()).split(':').map(Number);
  return hour < 24 && minute < 60 ? { hour, minute } : null;
}

/** A day lasts until its last minute. */
function endOf(words: string, { now, zone }: Here): Date | null {
  const iso = durationOf(words.replace(/^(?:for |the |next )+/u, ''));
  const ms = iso === undefined ? null : durationMs(iso);
  if (ms !== null) return new Date(now.getTime() + ms);
  const said = words.replace(/^(?:end of |the end of )/u, '');
  const span = spanOf(timeOf(said), { now, zone, aim: 'coming' }) ?? clockSpan(said, { now, zone });
  if (span === null) return null;
  const last = span.to > span.from ? span.to.getTime() - 60_000 : span.to.getTime();
  return new Date(last <= now.getTime() ? last + 86_400_000 : last);
}

function clockSpan(words: string, { now, zone }: Here): { from: Date; to: Date } | null {
  return /^\d/u.test(words) ? spanOf(clockOf(words), { now, zone, aim: 'coming' }) : null;
}

const notMinutes = 'A watch looks every so many whole minutes. Say, for example, “every 5 minutes”.';
const noWatch =
  'I can’t turn a card into a watch. Ask again and say how often, for example “every 10 minutes”.';
const asks = (question: string, missing: string, offers: readonly Offer[] = []): PlannerAnswer => ({
  ...{ kind: 'clarify', question, missing: [missing], offers },
  options: offers.map(({ option }) => option),
});
/** Numbers that are offered where none was said. */
const bounds = [10, 20, 50];

/** A plan with its schedule, or a message about it first. */
export function withTimes(
  plan: Plan,
  said: ReadonlyMap<string, string> | null,
  input: PlanningInput,
): { readonly plan: Plan } | { readonly answer: PlannerAnswer } {
  const { change, catalogue, now } = input;
  if (said === null || (change !== null && said.size === 0)) return { plan };
  const before = change?.plan.watch;
  if (change !== null && before === undefined)
    return { answer: { kind: 'refuse', reason: 'out_of_scope', explanation: noWatch } };
  const found = timesOf(said, { now, zone: zoneFor(input), before: before?.every });
  if (!found.ok)
    return found.why === 'minutes'
      ? { answer: { kind: 'refuse', reason: 'out_of_scope', explanation: notMinutes } }
      : {
          answer: asks(
            'When should I look, and until when? For example, “every 10 minutes until Friday”.',
            'goal',
          ),
        };
  const { times, isGuess } = found;
  const every = isGuess && before !== undefined ? before.every : times.every;
  const guess = `You did not say how often to look, so I look ${cadenceWords(every)}.`;
  const watch: WatchTimes = { ...before, ...times, every };
  const assumptions = isGuess && before === undefined ? [...plan.assumptions, guess] : plan.assumptions;
  if (before === undefined && !speaks(plan, watch, input))
    return {
      answer: asks(
        'At what number should I tell you?',
        'bound',
        boundsOf({ ...plan, assumptions, watch }, catalogue.manifests),
      ),
    };
  return { plan: { ...plan, assumptions, watch } };
}

/** The watch as it would be with a bound on what it counts last. */
function boundsOf(plan: Plan, manifests: ReadonlyMap<string, Manifest>): Offer[] {
  const counts = plan.steps.flatMap(({ id, tool }) => {
    const manifest = manifests.get(tool);
    const number = manifest?.asked?.compares?.number;
    // Nobody knows beforehand how much is much of something measured.
    return number === undefined || celType(manifest?.result.shape[number] ?? z.never()) === 'double'
      ? []
      : [`${id}.${number}`];
  });
  const last = counts.at(-1);
  return last === undefined
    ? []
    : bounds.map((bound) => ({
        option: `over ${bound}`,
        plan: { ...plan, success: [`${last} <= ${bound}`] },
      }));
}

/** Whether a watch has something to say: a condition, or at its times what is found. */
function speaks(plan: Plan, { every }: WatchTimes, { catalogue: { manifests } }: PlanningInput): boolean {
  const writes = plan.steps.map(({ tool }) => manifests.get(tool)).filter((tool) => tool?.effect === 'write');
  const isTold =
    writes.length > 0 &&
    writes.length < plan.steps.length &&
    writes.every((tool) => tool?.asked?.role === 'message');
  return 'cron' in every || isTold || isConditional(plan, manifests);
}
