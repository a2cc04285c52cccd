import type { PlannerAnswer } from '../core/answer.ts';
import { spanOf } from '../core/calendar/span.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { onlyReads } from '../core/code-step.ts';
import { fieldInfo } from '../core/fields.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import { certainReply, type Planner, type PlannerReply, type PlanningInput } from '../core/planning.ts';
import { clockOf, countWords, durationOf, timeOf, timeWords, unitWords } from './everyday/forms.ts';
import { plansOf } from './log-fields.ts';
import { howOften, mayRepeat } from './look-again.ts';
import { buttonsOf, choiceOf, planWords } from './offer-labels.ts';
import { withoutQuotes } from './quotations.ts';
import { zoneFor } from './zone.ts';

const clock = String.raw`(?:[01]?\d|2[0-3])[:.h][0-5]\d(?: ?[ap]m)?|\d{1,2} ?[ap]m|\d{1,2}(?: uhr|h)|noon|midnight`;
const near = 'tomorrow|tonight|later today|later|tmrw|tmr|morgen|demain|mañana|amanhã|heute abend|ce soir';
const to = '(?:at|um|à|a las|às) ';
/** A time to come, where it can only say when to act: first, last, or before the colon of a text. */
const moments = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${[
    `(?:in|dans|en|em|dentro de|daqui a) (?<length>(?:${countWords})[ -]?(?:${unitWords}|[mhd]))(?: time)?`,
    `(?<from>(?:${countWords}) ?(?:${unitWords})) from now`,
    `(?<day>(?:${near}|next (?:week|month|${timeWords}))(?: (?:morning|afternoon|evening|night))?)(?:,? (?:${to})?(?:${clock})|,? ${to}\\d{1,2})?`,
    `${to}(?<hour>${clock})`,
    `(?:on|am) (?<date>${timeWords})(?:,? (?:${to})?(?:${clock}))?`,
  ].join('|')})(?![\\p{L}\\p{N}_])`,
  'giu',
);
/** “the incident that came in at 5pm”: such a time belongs to what is named. */
const relative = /(?<!\p{L})(?:that|which|\p{L}{2,}ed|came|from|since|der|die|das|vom|qui|que|de)(?!\p{L})/iu;

interface Moment {
  readonly words: string;
  /** How plans hold it. */
  readonly values: readonly string[];
  /** For a length, ISO 8601; a look-up takes it for the time before now. */
  readonly length: string | null;
  /** For a time of day, as it is held. */
  readonly clock: string | null;
}

/** The times to come at which a request may want something done. */
function momentsIn(text: string, { now, zone }: { readonly now: Date; readonly zone: string }): Moment[] {
  return [...withoutQuotes(text).matchAll(moments)].flatMap((match) => {
    const { length, from, day, hour, date } = match.groups ?? {};
    const before = match.input.slice(0, match.index);
    const after = match.input.slice(match.index + match[0].length);
    const isAtEdge = before.trim() === '' || /^\s*(?:$|[.!?:]|please|pls)/iu.test(after);
    const named = hour ?? date;
    const span = named === undefined ? null : spanOf(timeOf(named), { now, zone, aim: 'coming' });
    const isElse = named !== undefined && (relative.test(before) || span === null || span.to < now);
    if (!isAtEdge || isElse) return [];
    const iso = durationOf(length ?? from ?? '');
    const time = timeOf(day ?? named ?? '');
    return [
      {
        words: match[0],
        values: [match[0], length, from, day, iso, time].filter((one) => !!one) as string[],
        length: iso ?? null,
        clock: hour === undefined ? null : clockOf(hour),
      },
    ];
  });
}

/**
 * Whether a plan has a write, once, and no step is about that time. A text that took it in with its colon is not, nor one
 * that is nothing but that time, or the whole request.
 */
function ignores(
  { goal, steps, watch }: Plan,
  { words, values }: Moment,
  manifests: ReadonlyMap<string, Manifest>,
): boolean {
  const isWrite = !onlyReads(steps, manifests);
  const low = words.toLowerCase();
  const times = new Set([low, goal.trim().toLowerCase(), ...values.map((value) => value.toLowerCase())]);
  const isTime = (tool: string, arg: string): boolean => {
    const schema = manifests.get(tool)?.args.shape[arg];
    return schema !== undefined && fieldInfo(schema).time !== undefined;
  };
  const said = steps
    .flatMap(({ tool, args, when = '' }) => [
      ...Object.entries(args).flatMap(([arg, value]) =>
        [value].flat().filter((part) => isTime(tool, arg) || !times.has(String(part).trim().toLowerCase())),
      ),
      when,
    ])
    .map((value) => (typeof value === 'object' ? '' : String(value).toLowerCase()))
    .map((value) => value.replace(`${low}:`, '').replace(`${low} :`, ''));
  const isSaid = values.some((value) => said.some((one) => one.includes(value.toLowerCase())));
  return isWrite && watch === undefined && !isSaid;
}

/** Orders to remind a person, which the bot does not do. */
const reminding =
  /^\s*(?:please |pls )?(?:remind (?:me|us)|erinner\p{L}{0,2} (?:mich|uns)|rappelle[- ](?:moi|nous)|recu[eé]rda(?:me|nos)|lembr[ae]-(?:me|nos))(?!\p{L})\s*/iu;

/** “weekly report on mondays at 9”: a schedule of the operator's. */
const reporting =
  /^\s*(?:(?:please|post|send|give us|give me|the|a|me|us) ){0,3}(?:(?:daily|weekly|monthly) report|report(?: \d{1,3} days?)? (?:every|each|daily|weekly|monthly|on))(?!\p{L})/iu;

const reportIsSet = `A report that comes by itself is set by an operator under “schedules” in countersign.yml, for example { name: figures, cron: "0 9 * * 1", timezone: Europe/Madrid, goal: report 7 days, channel: ops }. “/plan report” posts it here now.`;

/**
 * A request for a later time is refused, in words that say what can be done: an approval rests on what is true now, and
 * runs at once; a look-up is one of now. Under a condition it is offered as a watch.
 */
export function refuseLater(next: Planner): Planner {
  return {
    async plan(input): Promise<PlannerReply> {
      const told = input.change === null && input.replan === null ? reminding.exec(input.goal) : null;
      if (told !== null) return certainReply(reminder(input.goal.slice(told[0].length)), 'offline');
      if (input.change === null && input.replan === null && reporting.test(withoutQuotes(input.goal)))
        return certainReply(refused(reportIsSet), 'offline');
      const reply = await next.plan(input);
      if (input.replan !== null) return reply;
      const missed = await momentMissed(reply, input, next);
      if (missed === null) return { ...reply, answer: lookedNow(reply.answer, input) };
      const why = `I can’t wait and do it “${missed.words}”: what is approved runs at once. `;
      const [plan] = missed.plans;
      if (plan !== undefined && missed.plans.every((one) => onlyLooks(one, input.catalogue.manifests)))
        return { ...reply, answer: refused(notThen(missed.words, input.goal)) };
      if (plan !== undefined && input.change === null && mayRepeat(plan, input))
        return { ...reply, answer: howOften(plan, { why }) };
      return {
        ...reply,
        answer: refused(`${why}Ask again when it is due. For something that repeats, say “every …”.`),
      };
    },
  };
}

const refused = (explanation: string): PlannerAnswer => ({
  kind: 'refuse',
  reason: 'out_of_scope',
  explanation,
});

const remind = (words: string): string => `/remind me ${cut(oneLine(words), 200)}`;

const reminder = (words: string): PlannerAnswer =>
  refused(
    `I keep no reminders, but Slack does: type “${remind(words)}”. I can watch something instead: say what, and “every 10 minutes”.`,
  );

function notThen(moment: string, goal: string): string {
  const rest = goal.replace(moment, ' ').replaceAll('"', '');
  return `I can’t wait and look “${moment}”: I look now, or again and again if you say “every …”. To be reminded, type “${remind(`"${oneLine(rest).trim()}" ${moment}`)}”.`;
}

const onlyLooks = ({ steps, watch }: Plan, manifests: ReadonlyMap<string, Manifest>): boolean =>
  watch === undefined && onlyReads(steps, manifests);

/** A look-up for a later time would be one of now, over a time that is not over: people are asked what they mean. */
function lookedNow(answer: PlannerAnswer, input: PlanningInput): PlannerAnswer {
  const { goal, catalogue, now } = input;
  const plans = answer.kind === 'refuse' || input.change !== null ? [] : plansOf(answer);
  const isRead = plans.length > 0 && plans.every((plan) => onlyLooks(plan, catalogue.manifests));
  if (!isRead) return answer;
  const takes =
    (name: string, value: string | null) =>
    ({ steps }: Plan): boolean =>
      value !== null && steps.some(({ args }) => args[name] === value);
  for (const moment of momentsIn(goal, { now, zone: zoneFor(input) })) {
    const { words, length, clock } = moment;
    const before = plans.filter(takes('window', length));
    const isNow = before.length > 0 || plans.some(takes('since', clock));
    if (!isNow) continue;
    const why = notThen(words, goal);
    if (before.length === 0) return refused(why);
    return choiceOf(
      `${why} Or do you mean the time up to now?`,
      'goal',
      buttonsOf(
        before,
        before.map((plan) => planWords(plan, input.catalogue.manifests)),
      ),
    );
  }
  return answer;
}

async function momentMissed(
  { answer }: PlannerReply,
  input: PlanningInput,
  next: Planner,
): Promise<{ readonly words: string; readonly plans: readonly Plan[] } | null> {
  const { goal, answers, change, catalogue, now } = input;
  const said = change === null ? [goal, ...answers.map((one) => one.answer)] : [change.words];
  const found = said.flatMap((text) => momentsIn(text, { now, zone: zoneFor(input) }));
  const [first] = found;
  const isLost =
    answer.kind === 'refuse'
      ? answer.reason === 'no_tool' || answer.reason === 'not_understood'
      : answer.kind === 'clarify' && answer.missing[0] === 'goal' && plansOf(answer).length === 0;
  const isUnknown = isLost && change === null;
  if (first === undefined) return null;
  // The time may be what was not understood.
  const rest = isUnknown
    ? (await next.plan({ ...input, goal: goal.replace(first.words, '') })).answer
    : answer;
  const plans = plansOf(rest);
  const { manifests } = catalogue;
  const missed = found.find((moment) =>
    plans.every((plan) => ignores(plan, moment, manifests) || (isUnknown && onlyLooks(plan, manifests))),
  );
  // “Page me”: an order, and only the thing that it lacks would be asked for.
  const isLacking =
    isUnknown && rest.kind === 'clarify' && !/^(?:goal|rest)$/u.test(rest.missing[0] ?? 'goal');
  return (plans.length === 0 && !isLacking) || missed === undefined ? null : { words: missed.words, plans };
}
