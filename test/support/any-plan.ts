import fc from 'fast-check';
import type { z } from 'zod';
import { allManifests } from '../../manifests/all.ts';
import { momentText, type WatchTimes } from '../../src/core/cadence.ts';
import { celType } from '../../src/core/cel.ts';
import { codeTool, codeTypes, tidySource } from '../../src/core/code.ts';
import { stepsReadBy } from '../../src/core/condition.ts';
import { codeInput, fieldInfo, isOptional } from '../../src/core/fields.ts';
import { ancestors, dependenciesOf, graphOf } from '../../src/core/graph.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { type ArgValue, type Plan, planSchema, type Step, type Verify } from '../../src/core/plan.ts';
import { planTitle } from '../../src/core/title.ts';
import { literal, text } from './any-value.ts';

const catalogue = new Map(allManifests.map((manifest) => [manifest.name, manifest]));

interface Before {
  readonly id: string;
  readonly manifest: Manifest;
}

function value(schema: z.core.$ZodType, before: readonly Before[]): fc.Arbitrary<ArgValue> {
  const refs = before.flatMap(({ id, manifest }) =>
    Object.keys(manifest.result.shape).map((field) => `${id}.${field}`),
  );
  if (refs.length === 0) return literal(schema);
  const ref = fc.constantFrom(...refs).map((name) => ({ ref: name }));
  if (fieldInfo(schema).kind !== 'text') return fc.oneof({ weight: 4, arbitrary: literal(schema) }, ref);
  const parts = fc.array(fc.oneof(text(40), ref), { minLength: 1, maxLength: 6 });
  return fc.oneof({ weight: 2, arbitrary: literal(schema) }, ref, { weight: 4, arbitrary: parts });
}

const celText = fc.constantFrom(
  '"breached"',
  "'a: b'",
  '"it\\"s; \\n"',
  '"“x”"',
  "'''a'''",
  '"≥ and = or {x}"',
);

/** A condition over earlier steps, in many shapes; undefined where they return nothing that may be read. */
function condition(before: readonly Before[]): fc.Arbitrary<string> | undefined {
  const fields = before.flatMap(({ id, manifest }) =>
    Object.entries(manifest.result.shape).map(([field, schema]) => ({
      name: `${id}.${field}`,
      type: celType(schema),
    })),
  );
  const numbers = fields.filter(({ type }) => type === 'int').map(({ name }) => name);
  const words = fields.filter(({ type }) => type === 'string').map(({ name }) => name);
  const choices: fc.Arbitrary<string>[] = [];
  if (numbers.length > 0) {
    const operator = fc.constantFrom('>', '>=', '<', '<=', '==', '!=', ' \n> ');
    const operand = fc.oneof(fc.constantFrom(...numbers), fc.nat(99).map(String));
    choices.push(fc.tuple(fc.constantFrom(...numbers), operator, operand).map((all) => all.join(' ')));
    choices.push(fc.constantFrom(...numbers).map((name) => `!(${name} in [1, 2])||${name}==3`));
  }
  if (words.length > 0) {
    choices.push(fc.tuple(fc.constantFrom(...words), celText).map(([name, word]) => `${name} == ${word}`));
    choices.push(
      fc.tuple(fc.constantFrom(...words), celText).map(([name, word]) => `${word} != ${name} && true`),
    );
  }
  return choices.length === 0 ? undefined : fc.oneof(...choices);
}

/** Arguments of a tool, literal or referring to earlier steps. */
function args(manifest: Manifest, before: readonly Before[]): fc.Arbitrary<Step['args']> {
  const choice = fc.constantFrom(...(manifest.exactlyOne[0] ?? manifest.anyOf ?? ['']));
  return choice.chain((chosen) => {
    const left = new Set(manifest.exactlyOne.flat().filter((name) => name !== chosen));
    const fields = Object.entries(manifest.args.shape).filter(([name]) => !left.has(name));
    const needed = fields
      .map(([name]) => name)
      .filter((name) => name === chosen || !isOptional(manifest.args.shape[name] as z.ZodType));
    const values = Object.fromEntries(
      fields.map(([name, schema]) => [name, value(schema as z.ZodType, before)]),
    );
    return fc.record(values, { requiredKeys: needed });
  });
}

/** The check of a write: a read with a condition on its result and those of earlier steps. */
function verify(before: readonly Before[]): fc.Arbitrary<Verify> {
  const within = fc.oneof(
    fc.integer({ min: 1, max: 30 }).map((minutes) => minutes * 60),
    fc.integer({ min: 5, max: 1_800 }),
  );
  return fc.constantFrom(...allManifests.filter(({ effect }) => effect === 'read')).chain((manifest) => {
    const holds = condition([...before, { id: 'after', manifest }]) ?? fc.constant('true');
    return fc.record({ within, tool: fc.constant(manifest.name), args: args(manifest, before), holds });
  });
}

function step(id: string, manifest: Manifest, before: readonly Before[]): fc.Arbitrary<Step> {
  const when = condition(before);
  const criteria = condition([...before, { id, manifest }]) ?? fc.constant('words: it is done');
  const own = fc.record(
    {
      why: text(300, 1),
      when: when ?? fc.constant(undefined),
      success: fc.array(
        fc.oneof(
          criteria,
          text(100).map((words) => `words: ${words}`),
        ),
        { maxLength: 3 },
      ),
      verify: verify(before),
    },
    { requiredKeys: ['why'] },
  );
  const needs = fc.subarray(before.map((one) => one.id));
  const [onError, onSkip] = [
    fc.constantFrom('stop' as const, 'continue' as const),
    fc.constantFrom('skip' as const, 'run' as const),
  ];
  return fc
    .record({ own, args: args(manifest, before), needs, onError, onSkip })
    .map(({ own, args, ...rest }) => {
      const { when, ...others } = own;
      const made: Step = {
        id,
        tool: manifest.name,
        args,
        ...rest,
        ...others,
        ...(when === undefined ? {} : { when }),
      };
      const read = before.filter((one) => when?.includes(`${one.id}.`)).map((one) => one.id);
      return { ...made, needs: [...new Set([...dependenciesOf(made), ...read])] };
    });
}

/** CEL keeps some names for itself; beside a step of that name no condition can be used. */
function isFree(id: string): boolean {
  return allManifests
    .filter(({ name }) => name === 'jira.count')
    .every((manifest) => stepsReadBy(`${id}.total > 0 || true`, new Map([[id, manifest]])).length > 0);
}

const sourceLine = fc.constantFrom(
  'return { n: 1 };',
  '  void `a | b "c"`;',
  '// why: # {count.total}; \\n -> x: text',
  '',
  '// | when',
);

/** A step that computes something from the results before it. */
function codeStep(id: string, before: readonly Before[]): fc.Arbitrary<Step> {
  const parts = fc.record({
    lines: fc.array(sourceLine, { maxLength: 4 }),
    result: fc.dictionary(fc.constantFrom('n', 'key', 'late_1'), fc.constantFrom(...codeTypes), {
      minKeys: 1,
    }),
    inputs: fc.dictionary(
      fc.constantFrom('rows', 'more', 'a_b'),
      value(codeInput(), before).filter((one) => !Array.isArray(one)),
      { maxKeys: 3 },
    ),
  });
  return parts.map(({ lines, result, inputs }) => {
    const source = tidySource([...lines, 'return {};'].join('\n'));
    const made = { id, tool: codeTool, why: 'to know', args: inputs, code: { source, result }, needs: [] };
    const whole: Step = { ...made, onError: 'stop', onSkip: 'skip' };
    return { ...whole, needs: dependenciesOf(whole) };
  });
}

const ids = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom(
      'count',
      'count2',
      'count3',
      'page',
      'get',
      'search',
      'post',
      'when',
      'why',
      'and',
      'goal',
      'size',
    ),
    fc.stringMatching(/^[a-z][a-z0-9_]{0,31}$/).filter(isFree),
  ),
  { minLength: 1, maxLength: 5 },
);

const steps: fc.Arbitrary<Step[]> = ids.chain((names) =>
  fc
    .array(fc.constantFrom(...allManifests, null), { minLength: names.length, maxLength: names.length })
    .chain((tools) => {
      const all = names.map((id, index) => ({ id, manifest: tools[index] ?? null }));
      return fc.tuple(
        ...all.map(({ id, manifest }, index) => {
          const before = all.slice(0, index).flatMap((one) => (one.manifest === null ? [] : [one as Before]));
          return manifest === null ? codeStep(id, before) : step(id, manifest, before);
        }),
      );
    }),
);

/** Some steps without those needs that come before them by another step anyway. */
function thinned(made: readonly Step[]): Step[] {
  return made.map((one) => {
    if (one.id.length % 2 === 0) return one;
    const refs = dependenciesOf({ ...one, needs: [] });
    const rest = { ...one, needs: one.needs.filter((need) => refs.includes(need) || need.length % 2 === 0) };
    const reached = ancestors(graphOf(made.map((each) => (each === one ? rest : each))), one.id);
    return one.needs.every((need) => reached.has(need)) ? rest : one;
  });
}

const anyWatch: fc.Arbitrary<WatchTimes> = fc.record(
  {
    every: fc.oneof(
      fc.record({ minutes: fc.integer({ min: 1, max: 44_640 }) }),
      fc.record({
        cron: fc.constantFrom('*/30 8-18 * * 1-5', '0 9 * * *', '5,35 0 1 1 0'),
        timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Etc/GMT+3', 'America/Argentina/Ushuaia'),
      }),
    ),
    until: fc
      .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map(momentText),
    worse: fc.record({
      by: fc.oneof(
        fc.integer({ min: 1, max: 1_000_000_000 }),
        fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      ),
      unit: fc.constantFrom('number' as const, 'percent' as const),
    }),
  },
  { requiredKeys: ['every'] },
);

const causeId = fc.stringMatching(/^[a-z][a-z0-9-]{0,39}$/);
const oneLiner = text(100, 1).filter((words) => !/[\r\n]/.test(words));

/** Any plan that names tools, arguments and results as they are declared, with everything that a plan may hold. */
export const anyPlan: fc.Arbitrary<Plan> = steps
  .chain((made) => fc.shuffledSubarray(thinned(made), { minLength: made.length }))
  .chain((made) => {
    const all = made.flatMap(({ id, tool }) =>
      allManifests.filter(({ name }) => name === tool).map((manifest) => ({ id, manifest })),
    );
    const sentence = text(60).map((words) => `words:${words}`);
    const parts = {
      goal: text(400, 1),
      summary: fc.oneof(text(200, 1), fc.constant(planTitle(made, catalogue))),
      inputs: fc.array(
        fc.record({
          name: text(60, 1),
          value: text(60),
          source: fc.constantFrom('text', 'default', 'asked'),
        }),
        { maxLength: 4 },
      ),
      assumptions: fc.array(text(100, 1), { maxLength: 2 }),
      steps: fc.constant(made),
      success: fc.array(fc.oneof(condition(all) ?? sentence, sentence), { maxLength: 2 }),
    };
    const needed = Object.keys(parts) as (keyof typeof parts)[];
    const cause = (when: fc.Arbitrary<string>) => fc.record({ id: causeId, sentence: oneLiner, when });
    const when = condition(all);
    const situation = fc.record(
      {
        service: text(60, 1),
        causes: when === undefined ? fc.constant([]) : fc.array(cause(when), { maxLength: 3 }),
        ideas: fc.constant(made.slice(0, 2).map(({ id }) => id)),
      },
      { requiredKeys: ['service', 'causes'] },
    );
    const omitted = fc.array(text(100, 1), { minLength: 1, maxLength: 2 });
    return fc.record({ ...parts, omitted, watch: anyWatch, situation }, { requiredKeys: needed });
  })
  .map((plan) => planSchema.parse(plan));
