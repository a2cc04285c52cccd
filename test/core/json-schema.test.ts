import { describe, expect, test } from 'vitest';
import { fieldInfo } from '../../src/core/fields.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { mapArguments, planName } from '../../src/core/json-schema.ts';
import { SchemaError } from '../../src/core/json-schema-value.ts';

const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

/** The arguments that a schema accepts, or the first problem with them. */
function taken(schema: JsonObject, args: Record<string, unknown>): JsonObject | string {
  const mapped = mapArguments(schema, {});
  const parsed = mapped.args.safeParse(args);
  return parsed.success ? mapped.toServer(parsed.data) : (parsed.error.issues[0]?.message ?? '');
}

describe('arguments of a JSON Schema', () => {
  test('are strict and limited, and a string is text unless the operator says what it names', () => {
    const schema = of(
      {
        query: { type: 'string', maxLength: 20 },
        maxResults: { type: 'integer', minimum: 1, maximum: 50 },
        state: { enum: ['open', 'closed'] },
        exact: { type: ['boolean', 'null'] },
        labels: { type: 'array', items: { type: 'string' } },
        service: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      { required: ['query'] },
    );
    const { args } = mapArguments(schema, { service: { target: 'service' } });
    expect(Object.entries(args.shape).map(([name, field]) => [name, fieldInfo(field).kind])).toEqual([
      ['query', 'text'],
      ['max_results', 'value'],
      ['state', 'value'],
      ['exact', 'value'],
      ['labels', 'text'],
      ['service', 'target'],
    ]);
    expect(taken(schema, { query: 'x', max_results: 5, labels: ['a'] })).toEqual({
      ...{ query: 'x', maxResults: 5, labels: ['a'] },
    });
    expect(taken(schema, { query: 'x', max_results: 51 })).toMatch(/50/);
    expect(taken(schema, { query: 'x'.repeat(21) })).toMatch(/20/);
    expect(taken(schema, { query: 'x', state: 'gone' })).toMatch(/open/);
    expect(taken(schema, { query: 'x', other: 1 })).toMatch(/other/);
    expect(taken(schema, {})).not.toEqual({});
    expect(args.safeParse({ query: 'x', service: 'ops; drop' }).success).toBe(false);
  });

  test('are given as JSON if nested, which is checked as a whole and cannot be built from parts', () => {
    const person = of({ name: { type: 'string' }, age: { type: 'number' } }, { required: ['name'] });
    const schema = of(
      { people: { type: 'array', items: { $ref: '#/$defs/Person' }, maxItems: 2 } },
      { required: ['people'], $defs: { Person: person } },
    );
    const field = mapArguments(schema, {}).args.shape.people;
    expect(field && fieldInfo(field).kind).toBe('value');
    expect(taken(schema, { people: '[{"name":"Ana","age":40}]' })).toEqual({
      people: [{ name: 'Ana', age: 40 }],
    });
    for (const bad of ['[{"age":40}]', '[{"name":"Ana","admin":true}]', 'Ana', '[{},{},{}]']) {
      expect(taken(schema, { people: bad }), bad).toMatch(/^must be JSON that fits: /);
    }
  });

  test('are refused by name if they cannot be made strict', () => {
    const refused: [JsonObject, RegExp][] = [
      [of({ a: { oneOf: [{ type: 'string' }, { type: 'number' }] } }), /properties\.a uses oneOf/],
      [of({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), /several alternatives/],
      [of({ a: { $ref: 'https://evil.example/schema.json' } }), /refers to https/],
      [of({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { $ref: '#/$defs/A' } } }), /nested too deep/],
      [of({ a: { type: 'object', properties: { b: { patternProperties: {} } } } }), /patternProperties/],
      [of({ a: { type: 'function' } }), /not known/],
      [of({ line1: { type: 'string' } }), /args\.line1 needs a name/],
      [of({ __proto__x: { type: 'string' }, protoX: { type: 'string' } }), /same name/],
      [
        of(Object.fromEntries(Array.from({ length: 41 }, (_, at) => ['a'.repeat(at + 1), {}]))),
        /more than 40/,
      ],
    ];
    for (const [schema, message] of refused) {
      expect(() => mapArguments(schema, {}), String(message)).toThrowError(message);
      expect(() => mapArguments(schema, {})).toThrowError(SchemaError);
    }
    expect(() => mapArguments(of({ a: { type: 'number' } }), { a: { target: 'service' } })).toThrowError(
      /not text/,
    );
    expect(() => mapArguments(of({}), { b: {} })).toThrowError(/args\.b is not an argument/);
  });

  test('with a pattern are left to the server, because a regular expression may never end', () => {
    const schema = of({ a: { type: 'object', properties: { b: { type: 'string', pattern: '^(a+)+$' } } } });
    expect(taken(schema, { a: JSON.stringify({ b: `${'a'.repeat(60)}!` }) })).toEqual({
      a: { b: `${'a'.repeat(60)}!` },
    });
  });

  test('are named in plans the way people write', () => {
    expect(['entityName', 'max-results', 'HTTPUrl', '_id', 'already_so'].map(planName)).toEqual([
      ...['entity_name', 'max_results', 'httpurl', 'id', 'already_so'],
    ]);
  });
});
