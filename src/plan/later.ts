import type { PlannerAnswer } from '../core/answer.ts';
import { spanOf } from '../core/calendar/span.ts';
import { effectOf } from '../core/code-step.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import { countWords, durationOf, timeOf, timeWords, unitWords } from './everyday/forms.ts';
import { howOften, mayRepeat } from './look-again.ts';
import { withoutQuotes } from './quotations.ts';

const clock = String.raw`(?:[01]?\d|2[0-3])[:.h][0-5]\d(?: ?[ap]m)?|\d{1,2} ?[ap]m|\d{1,2}(?: uhr|h)|noon|midnight`;
const near = 'tomorrow|tonight|later today|later|tmrw|tmr|morgen|demain|mañana|amanhã|heute abend|ce soir';
const to = '(?:at|um|à|a las|às) ';
/** A time to come, where it can only say when to act: first, last, or before the colon of a text. */
const moments = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${[
    `(?:in|dans|en|em|dentro de|daqui a) (?<length>(?:${countWords})[ -]?(?:${unitWords}|[mhd]))(?: time)?`,
    `(?<from>(?:${countWords}) ?(?:${unitWords})) from now`,
    `(?<day>(?:${near}|next (?:week|month|${timeWords}))(?: (?:morning|afternoon|evening|night))?)(?:,? (?:${to})?(?:${clock}))?`,
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
}

/** The times to come at which a request may want something done. */
function momentsIn(text: string, now: Date): Moment[] {
  return [...withoutQuotes(text).matchAll(moments)].flatMap((match) => {
    const { length, from, day, hour, date } = match.groups ?? {};
    const before = match.input.slice(0, match.index);
    const after = match.input.slice(match.index + match[0].length);
    const isAtEdge = before.trim() === '' || /^\s*(?:$|[.!?:]|please|pls)/iu.test(after);
    const named = hour ?? date;
    const span = named === undefined ? null : spanOf(timeOf(named), { now, zone: 'UTC', aim: 'coming' });
    const isElse = named !== undefined && (relative.test(before) || span === null || span.to < now);
    if (!isAtEdge || isElse) return [];
    const iso = durationOf(length ?? from ?? '');
    const time = timeOf(day ?? named ?? '');
    return [
      {
        words: match[0],
        values: [match[0], length, from, day, iso, time].filter((one) => !!one) as string[],
      },
    ];
  });
}

/** Whether a plan has a write, once, and no step is about that time. A text that took it in with its colon is not. */
function ignores(
  { steps, watch }: Plan,
  { words, values }: Moment,
  manifests: ReadonlyMap<string, Manifest>,
): boolean {
  const isWrite = steps.some(({ tool }) => effectOf(tool, manifests) !== 'read');
  const low = words.toLowerCase();
  const said = steps
    .flatMap(({ args, when = '' }) => [...Object.values(args), when].flat())
    .map((value) => (typeof value === 'object' ? '' : String(value).toLowerCase()))
    .filter((value) => value !== low)
    .map((value) => value.replace(`${low}:`, '').replace(`${low} :`, ''));
  const isSaid = values.some((value) => said.some((one) => one.includes(value.toLowerCase())));
  return isWrite && watch === undefined && !isSaid;
}

/**
 * A request to write at a later time is refused: an approval rests on what is true now, and runs at once. Under a
 * condition it is offered as a watch.
 */
export function refuseLater(next: Planner): Planner {
  return {
    async plan(input): Promise<PlannerReply> {
      const reply = await next.plan(input);
      const missed = input.replan === null ? await momentMissed(reply, input, next) : null;
      if (missed === null) return reply;
      const why = `I can’t wait and do it “${missed.words}”: what is approved runs at once. `;
      const [plan] = missed.plans;
      if (plan !== undefined && input.change === null && mayRepeat(plan, input))
        return { ...reply, answer: howOften(plan, { why }) };
      const explanation = `${why}Ask again when it is due. For something that repeats, say “every …”.`;
      return { ...reply, answer: { kind: 'refuse', reason: 'out_of_scope', explanation } };
    },
  };
}

async function momentMissed(
  { answer }: PlannerReply,
  input: PlanningInput,
  next: Planner,
): Promise<{ readonly words: string; readonly plans: readonly Plan[] } | null> {
  const { goal, answers, change, catalogue, now } = input;
  const said = change === null ? [goal, ...answers.map((one) => one.answer)] : [change.words];
  const found = said.flatMap((text) => momentsIn(text, now));
  const [first] = found;
  const isLost =
    answer.kind === 'refuse'
      ? answer.reason === 'no_tool'
      : answer.kind === 'clarify' && answer.missing[0] === 'goal' && plansOf(answer).length === 0;
  const isUnknown = isLost && change === null;
  if (first === undefined) return null;
  // The time may be what was not understood.
  const rest = isUnknown
    ? (await next.plan({ ...input, goal: goal.replace(first.words, '') })).answer
    : answer;
  const plans = plansOf(rest);
  const missed = found.find((moment) => plans.every((plan) => ignores(plan, moment, catalogue.manifests)));
  return plans.length === 0 || missed === undefined ? null : { words: missed.words, plans };
}

function plansOf(answer: PlannerAnswer): Plan[] {
  if (answer.kind === 'plan') return [answer.plan];
  if (answer.kind === 'refuse') return [];
  return [...(answer.offers ?? []).map(({ plan }) => plan), ...(answer.blank ? [answer.blank.plan] : [])];
}
