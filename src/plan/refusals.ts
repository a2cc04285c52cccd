import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { PlannerAnswer } from '../core/answer.ts';
import { certainReply, type Planner, type PlannerReply, type PlanningInput } from '../core/planning.ts';
import { withoutQuotes } from './quotations.ts';

type Refusal = Extract<PlannerAnswer, { kind: 'refuse' }>;

const patternSchema = z
  .strictObject({ within: z.int(), lists: z.array(z.array(z.string())).min(1) })
  .transform(expressionOf);

const { harmless, rules } = z
  .strictObject({
    harmless: z.array(patternSchema),
    rules: z.array(
      z.strictObject({
        reason: z.enum(['dangerous', 'injection']),
        say: z.string(),
        patterns: z.array(patternSchema),
      }),
    ),
  })
  .parse(parse(readFileSync(new URL('refusals.yml', import.meta.url), 'utf8')));

/** Matches one word of each list in sequence, with other words allowed between them. A “then” starts a new action. */
function expressionOf({ within, lists }: { within: number; lists: readonly (readonly string[])[] }): RegExp {
  const oneOf = (list: readonly string[]): string => `(?:${list.join('|').replaceAll('*', '\\S*')})(?!\\S)`;
  return new RegExp(`(?<!\\S)${lists.map(oneOf).join(`(?: (?!then )\\S+){0,${within}}? `)}`, 'gu');
}

/** Sentences in lower-case words without punctuation; quotations, codes and names of the workspace are left out. */
function sentencesOf({ goal, catalogue }: Pick<PlanningInput, 'goal' | 'catalogue'>): string[] {
  const said = withoutQuotes(goal)
    .normalize('NFKC')
    .replaceAll(/\b[A-Z0-9]+(?:_[A-Z0-9]+)+\b/gu, '…');
  const names = catalogue.services.map(({ name }) => name).filter((name) => said.includes(name));
  return names
    .reduce((text, name) => text.replaceAll(name, '…'), said)
    .toLowerCase()
    .replaceAll(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .split(/[.;?!](?=\s|$)|\n/u)
    .map((sentence) => sentence.match(/[\p{L}\p{N}…]+/gu)?.join(' ') ?? '')
    .map((sentence) => harmless.reduce((text, pattern) => text.replaceAll(pattern, '…'), sentence));
}

/** “don't ack any of them” rules out the action that would be refused. */
const denied =
  /(?:^| )(?:dont|do not|never|not|no|nicht|ne|pas|não)(?: (?:please|ever|just|actually|again))?(?: \S+ (?:or|and))? $/u;

function holds(pattern: RegExp, sentence: string): boolean {
  return [...sentence.matchAll(pattern)].some(({ index }) => !denied.test(sentence.slice(0, index)));
}

/** Why a request is refused before any planning, or null. Decided by its words alone, without a model. */
export function dangerIn(said: Pick<PlanningInput, 'goal' | 'catalogue'>): Refusal | null {
  const sentences = sentencesOf(said);
  const rule = rules.find(({ patterns }) =>
    patterns.some((pattern) => sentences.some((sentence) => holds(pattern, sentence))),
  );
  return rule ? { kind: 'refuse', reason: rule.reason, explanation: rule.say } : null;
}

/** Answers passed on verbatim contain no orders. */
const passedOn = new Set(['text', 'summary', 'description', 'query']);

const saidIn = ({ goal, answers, change }: PlanningInput): string[] => [
  goal,
  ...answers.filter(({ missing: [slot = ''] }) => !passedOn.has(slot)).map(({ answer }) => answer),
  ...(change === null ? [] : [change.words]),
];

/** Refuses requests that are dangerous or would change the rules, whichever planner follows. */
export function refuseFirst(next: Planner): Planner {
  return {
    async plan(input): Promise<PlannerReply> {
      const [refusal] = saidIn(input).flatMap((goal) => dangerIn({ goal, catalogue: input.catalogue }) ?? []);
      if (input.replan !== null || refusal === undefined) return next.plan(input);
      return certainReply(refusal, 'offline');
    },
  };
}
