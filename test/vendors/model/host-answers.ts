/** Answers of OpenAI-compatible hosts: from their documentation, their source and reports of 2025 and 2026. */

type Body = Readonly<Record<string, unknown>>;
export interface HostReply {
  readonly status?: number;
  readonly json: unknown;
}
export type Host = (body: Body) => HostReply;

const answer = '{"word":"blue","count":1}';
const usage = { prompt_tokens: 90, completion_tokens: 12, total_tokens: 102 };

const says = (message: object, over: object = {}): HostReply => ({
  json: {
    ...{ id: 'x', object: 'chat.completion', created: 1, model: 'm' },
    ...{ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }], usage },
    ...over,
  },
});
const text =
  (content: unknown): Host =>
  () =>
    says({ content });
const fails = (status: number, json: unknown): HostReply => ({ status, json });

const formatOf = ({ response_format: format }: Body): string | null =>
  typeof format === 'object' && format !== null && 'type' in format ? String(format.type) : null;

/** Accepts only these formats, and needs the schema in its prompt if it enforces none. */
function takes(formats: readonly (string | null)[], refusal: HostReply): Host {
  return (body) => {
    if (!formats.includes(formatOf(body))) return refusal;
    if (formatOf(body) === 'json_schema' || /json.*count/is.test(JSON.stringify(body.messages))) {
      return says({ content: answer });
    }
    return fails(400, { error: { message: "Prompt must contain the word 'json'.", param: null } });
  };
}

/** Accepts only a request without this parameter. */
function without(name: string, refusal: HostReply): Host {
  return (body) => (body[name] === undefined ? says({ content: answer }) : refusal);
}

const noJson = 'This response_format type is unavailable now';
const proxied = (message: string, over: object = {}) =>
  fails(400, { error: { message, type: 'None', param: null, code: '400', ...over } });

/** By their peculiarity. */
export const hosts: Readonly<Record<string, Host>> = {
  'nothing odd': text(answer),
  'json_schema refused, json_object taken (DeepSeek)': takes(
    ['json_object', null],
    fails(400, { error: { message: noJson, type: 'invalid_request_error', param: null, code: 'x' } }),
  ),
  'json_schema refused for the model (Groq)': takes(
    ['json_object', null],
    fails(400, {
      error: { message: 'This model does not support response format `json_schema`.', type: 'x' },
    }),
  ),
  'json_schema refused with 422 and a list of details (FastAPI)': takes(
    ['json_object', null],
    fails(422, {
      detail: [
        { type: 'literal_error', loc: ['body', 'response_format', 'type'], msg: "Input should be 'text'" },
      ],
    }),
  ),
  'every format refused, with an error that is no object (LM Studio)': takes(
    [null],
    fails(400, { error: "'response_format.type' must be 'text'" }),
  ),
  'the schema’s keywords refused, as a list of errors (Gemini)': takes(
    [null],
    fails(400, [{ error: { code: 400, message: 'Unknown name "additionalProperties" at response_schema' } }]),
  ),
  'a grammar that cannot be built, with the error at the root (vLLM)': takes(
    ['json_object', null],
    fails(400, { object: 'error', message: 'Grammar error: anyOf', type: 'BadRequestError', code: 400 }),
  ),
  'every format refused without a word': takes([null], fails(400, {})),
  'max_tokens refused by name (OpenAI)': without(
    'max_tokens',
    fails(400, { error: { message: 'Unsupported', param: 'max_tokens', code: 'unsupported_parameter' } }),
  ),
  'max_tokens named in the message alone (a proxy)': without(
    'max_tokens',
    proxied("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
  ),
  'temperature named in the message alone (a proxy)': without(
    'temperature',
    proxied("Unsupported value: 'temperature' does not support 0 with this model."),
  ),
  'temperature in a list of names (LiteLLM)': without(
    'temperature',
    proxied("litellm.UnsupportedParamsError: m does not support parameters: ['temperature']"),
  ),
  'an extra input refused with 422 (FastAPI)': without(
    'temperature',
    fails(422, { detail: [{ loc: ['body', 'temperature'], msg: 'Extra inputs are not permitted' }] }),
  ),
  'thinking before the answer': text(`<think>{"word":"red"} is wrong.</think>\n${answer}`),
  'thinking whose beginning is lost': text(`First {"word":"red"}, no.\n</think>\n\n${answer}`),
  'a code fence': text(`\`\`\`json\n${answer}\n\`\`\``),
  'words before the answer': text(`Here is the JSON you asked for:\n\n${answer}`),
  'words around a code fence': text(`Sure!\n\`\`\`json\n${answer}\n\`\`\`\nAnything else?`),
  'words after the answer': text(`${answer}\n\nThis uses {curly} braces.`),
  'channel markers (gpt-oss)': text(
    `<|channel|>analysis<|message|>{"word":"red"}?<|end|><|start|>assistant<|channel|>final<|message|>${answer}`,
  ),
  'content as a list of parts': text([{ type: 'text', text: answer }]),
  'content as a list with thinking (Magistral)': text([
    { type: 'thinking', thinking: [{ type: 'text', text: 'Red? {"word":"red"}' }] },
    { type: 'text', text: answer },
  ]),
  'the answer in reasoning_content (vLLM)': () => says({ content: null, reasoning_content: answer }),
  'the answer in reasoning (Ollama)': () => says({ content: '', reasoning: `So:\n${answer}` }),
  'the answer as the arguments of a tool call (LiteLLM)': () =>
    says({
      content: null,
      tool_calls: [{ id: 't', type: 'function', function: { name: 'answer', arguments: answer } }],
    }),
  'usage empty': () => says({ content: answer }, { usage: {} }),
  'usage null': () => says({ content: answer }, { usage: null }),
  'usage full of nulls': () =>
    says({ content: answer }, { usage: { prompt_tokens: null, completion_tokens: null } }),
  'no finish reason and fields of its own': () => ({
    json: { choices: [{ message: { role: 'assistant', content: answer, annotations: [] } }], timings: {} },
  }),
};
