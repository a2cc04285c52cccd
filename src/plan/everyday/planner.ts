import { onlyReads } from '../../core/code-step.ts';
import { planLimits } from '../../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput, ReviewDraft } from '../../core/planning.ts';
import { withoutCourtesies } from '../courtesies.ts';
import { hostIn, inFields, plansOf } from '../log-fields.ts';
import { unknownBeside } from './asked-for.ts';
import { candidatesFor, type Hearing } from './candidates.ts';
import { groupingIn, isHeld, withGroups } from './grouping.ts';
import { type Heard, hear } from './heard.ts';
import { measuredIn } from './measured.ts';
import { nameIndex } from './names.ts';
import type { Network } from './network.ts';
import { oldSteps } from './old-plan.ts';
import { orderTooLong, planFromMemory, planOfNewTool, planOfShare, planOfVettedQuery } from './own-words.ts';
import { askOpenly, notUnderstoodIn, refusalWithout } from './questions.ts';
import { isRanked, rankedIn, withRank } from './ranked.ts';
import { lackingOne, ofSeveral, type Reply, surely } from './readings.ts';
import { missingTool } from './search.ts';
import { type Share, shareIn } from './shares.ts';
import { respelt } from './spelling.ts';
import { WeightsError } from './weights.ts';

export interface EverydayOptions {
  /** The error, if its weights cannot be used. */
  readonly network: Network | WeightsError;
  readonly review: ReviewDraft;
}

/** Maximum tokens of a request. */
const maxTokens = 250;

/** The learned planner: small, and it asks with buttons rather than guess wrong. The same request always gets the same answer. */
export function createEverydayPlanner(options: EverydayOptions): Planner {
  return {
    plan(input) {
      return Promise.resolve({ ...respeltAnswer(input, options), planner: 'offline', usage: null });
    },
  };
}

const noNetwork =
  'I can’t plan from words right now. Type the plan in notation, or /plan list for ready-made ones.';
const tooLong = 'That is too long to read word by word. What should be done, in a sentence or two?';
/** In a replan the goal would repeat finished steps: the answer is a request of its own. */
const rest = { ...askOpenly('What should I do about the rest of the plan?'), missing: ['rest', 'goal'] };

const reply = (answer: PlannerReply['answer'], confidence: number): Reply => ({ answer, confidence });

/**
 * A request that only looks something up is read with its misspelt words as they were meant, and says so. One that writes
 * is read as it was typed: its words are sent on.
 */
function respeltAnswer(input: PlanningInput, options: EverydayOptions): Reply & Pick<PlannerReply, 'notes'> {
  const { network } = options;
  const heard = network instanceof WeightsError || input.change !== null ? null : heardOf(input);
  const meant = heard === null || network instanceof WeightsError ? null : respelt(heard, input, network);
  if (meant !== null) {
    const found = listed({ ...input, goal: meant.goal }, options);
    if (found.answer.kind === 'plan' && onlyReads(found.answer.plan.steps, input.catalogue.manifests)) {
      const plan = { ...found.answer.plan, goal: input.goal };
      return { ...found, answer: { kind: 'plan', plan }, notes: [...meant.notes, ...(found.notes ?? [])] };
    }
  }
  return { notes: [], ...listed(input, options) };
}

/** Values of fields that log entries have go where they belong; the host is no word of the network's. */
function answer(input: PlanningInput, options: EverydayOptions): Reply {
  const host = hostIn(input);
  const rest = host && answer({ ...input, goal: without(input.goal, host.words) }, options);
  const narrowed = rest && inFields(rest.answer, input);
  const isFound = rest !== null && narrowed !== null && narrowed !== rest.answer;
  if (isFound && plansOf(narrowed).every(({ steps }) => onlyReads(steps, input.catalogue.manifests)))
    return { ...rest, answer: narrowed };
  const whole = understood(input, options);
  // The host may be a word of what is written.
  if (
    isFound &&
    !plansOf(whole.answer).some((plan) =>
      JSON.stringify(plan.steps.map(({ args }) => args)).includes(host?.value ?? ''),
    )
  )
    return { ...rest, answer: narrowed };
  return { ...whole, answer: inFields(whole.answer, input) };
}

/** Number and order of a list are read by code where the network has no place for them. */
function listed(input: PlanningInput, options: EverydayOptions): Reply {
  const whole = answer(input, options);
  const ranked = rankedIn(input);
  if (ranked === null || isRanked(whole.answer, ranked)) return whole;
  return withRank(answer({ ...input, goal: ranked.goal }, options), ranked, input) ?? whole;
}

const without = (goal: string, words: string): string =>
  goal.replace(words, '').replaceAll(/\s+/gu, ' ').trim();

/** The first that applies, from the exact to the uncertain. */
function understood(input: PlanningInput, { network, review }: EverydayOptions): Reply {
  if (input.replan !== null) return reply(rest, 0.05);
  if (network instanceof WeightsError) return reply(askOpenly(noNetwork), 0);
  const heard = heardOf(input);
  if (heard === null || heard.tokens.length === 0) return reply(askOpenly(), 0);
  if (heard.tokens.length > maxTokens || heard.text.length > 4 * planLimits.goal)
    return reply(askOpenly(tooLong), 0.6);

  const asked = { heard, input, review };
  const exact = planFromMemory(asked) ?? planOfVettedQuery(asked);
  if (exact !== null) return exact;
  const share = shareIn({ ...asked, network, tools: input.catalogue.manifests });
  if (share !== null && 'question' in share) return reply(askOpenly(share.question), 0.6);
  const whole = share?.isAll === true ? planOfShare(asked, share) : null;
  if (whole !== null) return whole;
  const hearing = hearingOf(asked, network, share);
  const sure = sureReply(hearing);
  const planned = sure?.answer.kind === 'plan' ? sure.answer.plan : null;
  const grouping = share === null ? groupingIn(input) : null;
  if (grouping !== null && !(planned !== null && isHeld(planned, grouping))) {
    const ungrouped = answer({ ...input, goal: grouping.goal }, { network, review });
    return { ...ungrouped, answer: withGroups(ungrouped.answer, grouping, input) };
  }
  if (sure !== null && planned !== null) return sure;
  const likeliest =
    planOfNewTool(hearing) ??
    orderTooLong({ ...hearing, heard }) ??
    notSetUp(hearing) ??
    sure ??
    ofSeveral(hearing);
  const isUnknown = likeliest.answer.kind === 'refuse' && likeliest.answer.reason === 'no_tool';
  return (isUnknown ? notUnderstood(hearing, likeliest) : null) ?? likeliest;
}

/** Words of a tool are in the request, so there may be a tool for it: only that it was not understood is certain. */
function notUnderstood(hearing: Hearing, { confidence }: Reply): Reply | null {
  const { heard, input } = hearing;
  const unknown = unknownBeside(heard.tokens, input.catalogue);
  const lacking = unknown?.length === 0 ? lackingOne(hearing) : null;
  return lacking ?? (unknown && { answer: notUnderstoodIn(unknown), confidence });
}

function hearingOf(
  asked: Pick<Hearing, 'heard' | 'input' | 'review'>,
  network: Network,
  share: Share | null,
): Hearing {
  const { heard, input } = asked;
  const tools = input.catalogue.manifests;
  const plain: Hearing = { ...asked, network, memory: network.listen(heard.tokens), tools };
  const known = input.change === null ? measuredIn(heard, input, share) : null;
  // “Runbook checkout latency” asks for no number.
  if (known === null || (share === null && onlySearches(sureReply(plain), tools))) return plain;
  return { ...plain, ...known, memory: network.listen(known.heard.tokens) };
}

function sureReply(hearing: Hearing): Reply | null {
  const [likeliest] = candidatesFor(hearing, 1);
  return likeliest === undefined ? null : surely(likeliest, hearing);
}

const onlySearches = (found: Reply | null, tools: Hearing['tools']): boolean =>
  found?.answer.kind === 'plan' &&
  found.answer.plan.steps.every(({ tool }) => tools.get(tool)?.asked?.seeks !== undefined);

/** The request needs a tool that is not set up here. */
function notSetUp(hearing: Hearing): Reply | null {
  const tool = missingTool(hearing);
  return tool === null ? null : reply(refusalWithout(tool, hearing.input.catalogue), 0.5);
}

/** Everything said about a request in the pieces the network reads; null if the plan to change has an unknown tool. */
function heardOf({ goal, answers, change, catalogue }: PlanningInput): Heard | null {
  const names = nameIndex(catalogue);
  if (change === null) return hear(saidIn(withoutCourtesies(goal), answers), names);
  const steps = oldSteps(change.plan, catalogue.manifests);
  return (
    steps &&
    hear(
      {
        goal: '',
        answers: [{ slot: 'change', answer: withoutCourtesies(change.words) }],
        old: { steps, isWatched: change.plan.watch !== undefined },
      },
      names,
    )
  );
}

/** The goal with what was answered; what was said about the rest of a plan is a request of its own. */
function saidIn(goal: string, answers: PlanningInput['answers']): Parameters<typeof hear>[0] {
  const isOfRest = answers.some(({ missing }) => missing[0] === 'rest');
  const anew = isOfRest
    ? answers.findLastIndex(({ missing }) => /^(?:rest|goal)$/u.test(missing[0] ?? ''))
    : -1;
  return {
    goal: answers[anew]?.answer ?? goal,
    answers: answers.slice(anew + 1).map(({ missing, answer }) => ({ slot: slotOf(missing[0]), answer })),
  };
}

/** The thing that was asked for, as the examples call it. */
const slotOf = (missing = 'goal'): string =>
  ({ goal: 'what', rest: 'what', bound: 'threshold', summary: 'text' })[missing] ?? missing;
