import { z } from 'zod';
import { CountersignError } from '../../src/core/errors.ts';
import { plainWords } from '../../src/core/value-words.ts';

/** An unusable cases file; the message names the line. */
export class CasesError extends CountersignError {}

const literal = z.union([z.string(), z.number(), z.boolean()]);
const compareSchema = z.object({
  left: z.union([z.string(), z.array(z.string())]),
  op: z.enum(['>', '>=', '<', '<=', '==', '!=', 'is']),
  right: literal,
});
export type CaseCompare = z.infer<typeof compareSchema>;
const conditionSchema = z.union([
  compareSchema,
  z.object({ all: z.array(compareSchema) }),
  z.object({ any: z.array(compareSchema) }),
]);
/** A condition in the vocabulary of the cases: `left` is a step id, or a list of them for their sum. */
export type CaseCondition = z.infer<typeof conditionSchema>;

const caseStepSchema = z.object({
  id: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.union([literal, z.array(literal)])).default({}),
  needs: z.array(z.string()).default([]),
  when: conditionSchema.optional(),
  write: z.boolean().optional(),
  alt: z.array(z.string()).optional(),
});
export type CaseStep = z.infer<typeof caseStepSchema>;

/** `none`: words in a plan's thread that change nothing. */
const answerClass = z.enum(['plan', 'clarify', 'refuse', 'none']);
export type AnswerClass = z.infer<typeof answerClass>;

/** Words for `every`, `at`, `days` and `until`. */
const caseWatchSchema = z.record(z.string(), z.string());
export type CaseWatch = z.infer<typeof caseWatchSchema>;

const caseSchema = z.object({
  id: z.string(),
  /** The set it was written for: all cases of one set have one author. */
  set: z.string().optional(),
  /** Where people ask like this: a URL, a repository with a path, or an issue. */
  source: z.string().optional(),
  text: z.string(),
  lang: z.string().default('en'),
  class: answerClass,
  accept: z.array(answerClass).optional(),
  difficulty: z.string().default('medium'),
  tags: z.array(z.string()).default([]),
  steps: z.array(caseStepSchema).default([]),
  /** A plan that is checked repeatedly. */
  watch: caseWatchSchema.optional(),
  /** The plan on the card in whose thread the text was typed. */
  was: z.object({ steps: z.array(caseStepSchema), watch: caseWatchSchema.optional() }).optional(),
  /** Answers to questions about the text, in order. */
  answers: z.array(z.object({ slot: z.string(), answer: z.string() })).default([]),
  optional_tools: z.array(z.string()).default([]),
  forbidden_tools: z.array(z.string()).default([]),
});
export type EvalCase = z.infer<typeof caseSchema>;

/** Reads JSON lines. Throws a CasesError that names the first broken line; empty lines are skipped. */
export function parseCases(text: string): EvalCase[] {
  const cases: EvalCase[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() !== '') cases.push(parseLine(line, index + 1));
  });
  if (cases.length === 0) throw new CasesError('cases_empty', 'The cases file has no cases.');
  return cases;
}

function parseLine(line: string, number: number): EvalCase {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CasesError('cases_json', `line ${number} is not JSON: ${why}`, { line: number }, error);
  }
  const parsed = caseSchema.safeParse(value, { error: plainWords });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue?.path.join('.') || 'the case';
  throw new CasesError('cases_shape', `line ${number}: ${place}: ${issue?.message ?? 'is wrong'}`, {
    line: number,
  });
}
