import type { PlannerAnswer } from '../core/answer.ts';
import { suggest } from '../core/suggest.ts';

/** One use of `/plan`: how to type it, and what it does. */
export interface Way {
  readonly typed: readonly string[];
  readonly about: string;
  /** Other words for it, by which it is offered. */
  readonly means?: string;
  /** Words that may stand beside those, and lead nowhere alone. */
  readonly beside?: string;
  /** Answers its person alone, so a question with no other words than these gets it at once. */
  readonly isAnswer?: true;
}

/** Everything `/plan` accepts, for its help and the reference page. Short: help is read on a phone. */
export const ways: readonly Way[] = [
  { typed: ['/plan <what you want>'], about: 'I answer with a plan, one question, or a reason why not' },
  { typed: ['/plan jira.count project=OPS'], about: 'a plan in notation, used as typed' },
  { typed: ['/plan help'], about: 'this list' },
  { typed: ['/plan list'], about: 'ready-made plans', means: 'playbooks templates' },
  { typed: ['/plan run <name>'], about: 'one of them' },
  { typed: ['/plan save <name>'], about: 'keep your last plan that succeeded, as a playbook' },
  { typed: ['/plan saved'], about: 'playbooks that people saved, with a button to remove each' },
  {
    typed: ['/plan status'],
    about: 'pending and running plans',
    means: 'waiting running pending',
    isAnswer: true,
  },
  {
    typed: ['/plan history [service, person, ticket]'],
    about: 'past plans',
    means: 'past did done approved',
    beside: 'last latest page pages paged plan plans post',
    isAnswer: true,
  },
  {
    typed: ['/plan mine'],
    about: 'plans that wait for you, and your own',
    means: 'undo revert',
    isAnswer: true,
  },
  {
    typed: ['/plan catch me up'],
    about: 'as a mention in a thread: what happened in it so far, for you alone',
  },
  {
    typed: ['/plan watches'],
    about: 'active watches; to start one, say “every 10 minutes”',
    means: 'stop end watch watching monitor monitoring remind reminder',
    isAnswer: true,
  },
  {
    typed: ['/plan handover [hours]'],
    about:
      'posts for the next shift what was paged and done, what failed, and what is open; 12 hours, or up to 7 days',
    means: 'hand over handover hand-over shift',
  },
  {
    typed: ['/plan report [days]'],
    about: 'posts how many plans were right at once, edited or rejected, and times and cost; of 7 days',
  },
  {
    typed: ['/plan review <incident>', '/plan timeline <incident>'],
    about: 'what happened in it, from the records, and who decided what; with buttons to publish it',
    means: 'postmortem post-mortem retrospective retro last latest newest',
    isAnswer: true,
  },
  { typed: ['/plan approvals'], about: 'standing approvals, with a button to revoke each' },
  {
    typed: ['/plan show [id]'],
    about: 'a plan, your newest without an id, with proof of what it did; with --json for a program',
    means: 'plan why nobody approve approved reject rejected expired happened through reach reached',
    beside: 'page post comment go went anyone anybody didn didnt',
    isAnswer: true,
  },
  { typed: ['/plan policy <what you want>'], about: 'who may approve it, and why' },
  { typed: ['/plan break-glass <id>'], about: 'emergency approval on your own, if configured' },
  { typed: ['/plan stop [id]'], about: 'stop a run, or a plan that is waiting' },
  {
    typed: ['/plan stop all: <reason>', '/plan resume: <reason>'],
    about: 'stop every write, and allow them again',
  },
];

/** Each command as typed after `/plan`, with all words for it. */
export const commandWords = ways.flatMap(({ typed, means = '', beside = '', isAnswer = false }) =>
  typed.flatMap((each) => {
    const [goal = ''] = each.replace('/plan ', '').split(' [');
    const isOwn = goal === 'help' || goal.includes('=');
    return isOwn ? [] : [{ goal, words: `${goal} ${means}`, beside, isAnswer }];
  }),
);

/** A word after `/plan` that was probably meant as one of the bot's own, or as a plan's id. */
export type Misread =
  | { readonly kind: 'word'; readonly typed: string; readonly meant: string }
  | { readonly kind: 'id'; readonly typed: string };

const words = ways
  .flatMap(({ typed }) => typed.map((each) => each.split(' ')[1] ?? ''))
  .filter((word) => /^[a-z-]+$/.test(word));
/** "cancel it" drops the request. */
const isPronoun = /^(?:it|that|this|them|all)$/i;
const withId = /^(?:show|stop|cancel|break[ -]?glass)\s+(?:(?:plan|run)\s+)?(\S+)$/i;

/** The likely intention of a goal that a planner could not, or barely, understand; null for any other goal. */
export function misread(goal: string, answer: PlannerAnswer): Misread | null {
  const id = withId.exec(goal)?.[1];
  const meant = /^[a-z-]+$/i.test(goal) ? suggest(goal, words) : null;
  // A misspelt word of the bot's own, or the end of a plan, is likelier meant than what was guessed from it.
  const isOwn = meant !== null || (id !== undefined && /^(?:stop|cancel|break)/i.test(goal));
  const isGuess = isOwn && answer.kind === 'clarify' && answer.missing[0] === 'goal';
  if (answer.kind === 'plan' || (answer.kind === 'clarify' && !isGuess && !isLost(answer, id))) return null;
  if (id !== undefined && !isPronoun.test(id)) return { kind: 'id', typed: id };
  if (answer.kind === 'refuse') return null;
  return meant === null ? null : { kind: 'word', typed: goal, meant };
}

/** It asks for everything, or for another name than the id. */
const isLost = (
  { question, missing, options }: Extract<PlannerAnswer, { kind: 'clarify' }>,
  id: string | undefined,
): boolean =>
  (missing[0] === 'goal' && options.length === 0) || (id !== undefined && question.includes(`“${id}”`));
