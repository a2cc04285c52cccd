import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import type { VendorError } from '../../core/errors.ts';
import type { ModelMessage, ModelQuestion } from '../../core/model.ts';

/** Ways to ask a host for JSON, the strictest first. */
const formats = ['json_schema', 'json_object', 'none'] as const;
type Format = (typeof formats)[number];

/** The part of a request that asks for JSON of a given schema. */
export interface Asking {
  readonly messages: ModelMessage[];
  readonly response_format?: ReturnType<typeof zodResponseFormat> | { readonly type: 'json_object' };
}

/** The schema in words, after the rules: a host that does not enforce it has to be told. */
function withSchema({ messages, schema }: ModelQuestion<z.ZodType>): ModelMessage[] {
  const words = `Answer with one JSON object of this JSON schema, and nothing around it: ${JSON.stringify(z.toJSONSchema(schema))}`;
  const [first, ...rest] = messages;
  return first?.role === 'system'
    ? [{ role: 'system', content: `${first.content}\n\n${words}` }, ...rest]
    : [{ role: 'system', content: words }, ...messages];
}

/** Whether a refusal may be about the requested format: it says so, or gives no reason at all. */
function isAboutFormat({ code, facts: { status, parameter, isSilent }, message }: VendorError): boolean {
  if (code !== 'model_request' || (status !== 400 && status !== 422)) return false;
  const names = /response.?format|json|schema|grammar|structured|guided/i;
  return parameter === 'response_format' || isSilent === true || names.test(message);
}

/** Chooses how to ask for JSON. Some hosts support no schema, some no format at all; the one that works is remembered. */
export function createFormats(): {
  /** The format for a question; falls back to the next one when its host refuses it. */
  begin(): {
    of(question: ModelQuestion<z.ZodType>): Asking;
    refused(error: VendorError): boolean;
    taken(): void;
  };
} {
  let known: Format = formats[0];
  return {
    begin() {
      let format = known;
      return {
        of(question) {
          if (format === 'json_schema') {
            const response_format = zodResponseFormat(question.schema, question.name);
            return { messages: [...question.messages], response_format };
          }
          const messages = withSchema(question);
          return format === 'none' ? { messages } : { messages, response_format: { type: 'json_object' } };
        },
        refused(error) {
          const next = formats[formats.indexOf(format) + 1];
          if (next === undefined || !isAboutFormat(error)) return false;
          format = next;
          return true;
        },
        taken() {
          known = format;
        },
      };
    },
  };
}
