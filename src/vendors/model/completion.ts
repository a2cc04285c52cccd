import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import type { ModelAnswer } from '../../core/model.ts';

/** Maximum characters read of an answer; a plan in this form has less than a tenth of that. */
const answerLimit = 65_536;

const count = z.number().min(0).nullish().catch(null);

/** A host's answer: OpenAI's format, allowing for fields that others omit, add or move. */
export const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z
            .union([
              z.string(),
              z.array(z.object({ type: z.string().nullish(), text: z.string().nullish() })),
            ])
            .nullish(),
          refusal: z.string().nullish(),
          /** vLLM and Ollama put the whole answer of some reasoning models here. */
          reasoning_content: z.string().nullish(),
          reasoning: z.string().nullish(),
          /** Proxies ask some models for JSON through a tool. */
          tool_calls: z
            .array(z.object({ function: z.object({ arguments: z.string() }) }))
            .nullish()
            .catch(null),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});
export type Completion = z.infer<typeof completionSchema>;
type Message = Completion['choices'][number]['message'];

/** The text of a message, wherever its host puts it. */
function textOf(message: Message | undefined): string {
  const { content, tool_calls: calls, reasoning_content: thought, reasoning } = message ?? {};
  const parts = typeof content === 'string' ? [{ text: content }] : (content ?? []);
  const said = parts.map(({ text }) => text ?? '').join('');
  return said.trim() === '' ? (calls?.[0]?.function.arguments ?? thought ?? reasoning ?? '') : said;
}

/** Removes everything before the answer: thinking, whose start may be missing, and the other channels of gpt-oss. */
function withoutThinking(text: string): string {
  const thought = ['</think>', '</thinking>'].map((end) => endOf(end, text.lastIndexOf(end)));
  const channel = text.lastIndexOf('<|channel|>final');
  const message = '<|message|>';
  const final = channel < 0 ? 0 : endOf(message, text.indexOf(message, channel));
  return text.slice(Math.max(final, ...thought));
}

const endOf = (mark: string, at: number): number => (at < 0 ? 0 : at + mark.length);

/** The end of the JSON object that starts at a position; -1 if it does not end. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (isText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** The JSON of an answer: all of it, or the first object among other text. */
function jsonIn(text: string): unknown {
  const spoken = withoutThinking(text).trim();
  const whole = parseJson(spoken);
  if (whole !== undefined || spoken.startsWith('<think')) return whole;
  for (let start = spoken.indexOf('{'); start >= 0; ) {
    const end = endOfObject(spoken, start);
    // A truncated answer is invalid, and so is any object inside it.
    if (end < 0) return undefined;
    const found = parseJson(spoken.slice(start, end));
    if (found !== undefined) return found;
    start = spoken.indexOf('{', end);
  }
  return undefined;
}

/** Reads an answer strictly: a single JSON value matching the schema. */
export function readAnswer<S extends z.ZodType>(
  completion: Completion,
  schema: S,
): Omit<ModelAnswer<z.infer<S>>, 'usage'> {
  const choice = completion.choices[0];
  const text = textOf(choice?.message);
  const result = (value: z.infer<S> | null, problems: string[], declined = false) => {
    return { value, problems, declined, text: text.slice(0, answerLimit) };
  };
  const fail = (...problems: string[]) => result(null, problems);
  const refusal = choice?.message.refusal;
  if (refusal) return result(null, [`the model declined: ${refusal.slice(0, 200)}`], true);
  if (choice?.finish_reason === 'content_filter') {
    return result(null, ['the filter of the model host stopped the answer'], true);
  }
  if (choice?.finish_reason === 'length') return fail('the answer was cut off because it is too long');
  if (text.length > answerLimit) return fail(`the answer has more than ${answerLimit} characters`);
  const json = jsonIn(text);
  if (json === undefined) return fail('the answer is not JSON; answer with the JSON object alone');
  const parsed = schema.safeParse(json);
  if (parsed.success) return result(parsed.data, []);
  const problems = parsed.error.issues.map((issue) =>
    `${issue.path.join('.') || 'answer'}: ${issue.message}`.slice(0, 300),
  );
  return fail(...problems.slice(0, 20));
}
