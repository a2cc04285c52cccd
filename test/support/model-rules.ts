/** The faults that OpenAI refuses in a request for chat completions, as it documents it or as its error messages say. */
export interface Refused {
  readonly message: string;
  readonly type: 'invalid_request_error';
  readonly param: string | null;
  readonly code: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Keywords that strict mode does not take, or takes for some models only. */
const notStrict = [
  ...['default', 'oneOf', 'allOf', 'not', 'if', 'patternProperties', 'propertyNames', 'dependentRequired'],
  ...[
    'minLength',
    'maxLength',
    'pattern',
    'format',
    'minimum',
    'maximum',
    'multipleOf',
    'minItems',
    'maxItems',
  ],
];
/** The older of the documented bounds, which compatible hosts may still have. */
const most = { nesting: 5, properties: 100, enumValues: 500, nameLength: 64 };

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Why strict mode would refuse a schema, or null. */
export function strictProblem(schema: unknown): string | null {
  if (!isFields(schema) || schema.type !== 'object') return 'schema: root must be an object';
  const count = { properties: 0, enumValues: 0 };
  const problem = nodeProblem(schema, 'schema', 1, count);
  if (problem !== null) return problem;
  if (count.properties > most.properties) return `schema: ${count.properties} properties exceed the limit`;
  return count.enumValues > most.enumValues ? 'schema: too many enum values' : null;
}

function nodeProblem(
  node: Fields,
  path: string,
  depth: number,
  count: { properties: number; enumValues: number },
): string | null {
  const key = notStrict.find((name) => Object.hasOwn(node, name));
  if (key !== undefined) return `${path}: '${key}' is not permitted`;
  const properties = isFields(node.properties) ? node.properties : {};
  const names = Object.keys(properties);
  count.properties += names.length;
  count.enumValues += listOf(node.enum).length;
  if (node.type === 'object') {
    if (depth > most.nesting) return `${path}: ${depth} levels of nesting exceed the limit`;
    if (node.additionalProperties !== false) return `${path}: additionalProperties must be false`;
    const absent = names.find((name) => !listOf(node.required).includes(name));
    if (absent !== undefined) return `${path}: '${absent}' must be required`;
  }
  if (node.type === 'array' && !isFields(node.items)) return `${path}: array schema misses items`;
  const options = listOf(node.anyOf);
  const firsts = options.flatMap((option) =>
    isFields(option) && isFields(option.properties) ? Object.keys(option.properties).slice(0, 1) : [],
  );
  if (new Set(firsts).size < firsts.length) return `${path}: objects in anyOf share their first key`;
  const deeper = node.type === 'object' ? depth + 1 : depth;
  const below: [string, unknown][] = [
    ...Object.entries(properties),
    ...options.map((option, index): [string, unknown] => [`anyOf.${index}`, option]),
    ...(node.items === undefined ? [] : [['items', node.items] as [string, unknown]]),
  ];
  for (const [name, child] of below) {
    const problem = isFields(child) ? nodeProblem(child, `${path}.${name}`, deeper, count) : null;
    if (problem !== null) return problem;
  }
  return null;
}

const parameters = new Set([
  ...['model', 'messages', 'response_format', 'max_tokens', 'max_completion_tokens', 'temperature'],
  ...['reasoning_effort', 'prompt_cache_key'],
]);

function refuse(param: string | null, code: string | null, message: string): Refused {
  return { message, type: 'invalid_request_error', param, code };
}

/** The faults that a host would refuse in this request; `refuses` are parameters that its model does not take. */
export function requestProblem(body: Fields, refuses: readonly string[]): Refused | null {
  const unknown = Object.keys(body).find((name) => !parameters.has(name));
  if (unknown !== undefined) return refuse(null, null, `Unrecognized request argument supplied: ${unknown}`);
  const unsupported = refuses.find((name) => body[name] !== undefined);
  if (unsupported !== undefined) {
    const message = `Unsupported parameter: '${unsupported}' is not supported with this model.`;
    return refuse(unsupported, 'unsupported_parameter', message);
  }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    return refuse('max_tokens', null, 'max_tokens and max_completion_tokens exclude each other');
  }
  const format = isFields(body.response_format) ? body.response_format : {};
  const shape = isFields(format.json_schema) ? format.json_schema : {};
  if (format.type !== 'json_schema' || !/^[\w-]{1,64}$/.test(String(shape.name)) || shape.strict !== true) {
    return refuse('response_format', null, 'Invalid response_format');
  }
  const problem = strictProblem(shape.schema);
  if (problem === null) return null;
  return refuse('response_format', null, `Invalid schema for response_format '${shape.name}': ${problem}`);
}
