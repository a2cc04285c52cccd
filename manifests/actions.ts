import { z } from 'zod';
import { type Action, type Actions, namesIn } from '../src/core/actions.ts';
import { address, freeText, target, text } from '../src/core/fields.ts';
import { type ArgWords, defineManifest, type Manifest } from '../src/core/manifest.ts';
import type { UndoStep } from '../src/core/offer.ts';
import { own } from '../src/core/own-property.ts';
import { calledSentence } from './mcp.ts';

const maxText = 2_000;
const maxField = 500;

/** The actions that the operator declared. Built from the configuration alone. */
export function actionManifests(actions: Actions): Manifest[] {
  return Object.entries(actions).map(([name, action]) => actionManifest(name, action));
}

function actionManifest(name: string, action: Action): Manifest {
  const { effect, about, ask, parameters, results, undo, verify, yields, accepts, risk } = action;
  const args = z.object(
    Object.fromEntries(Object.entries(parameters).map(([field, one]) => [field, argument(field, one)])),
  );
  const main = Object.keys(results).find((field) => ['number', 'whole'].includes(results[field]?.as ?? ''));
  const given = Object.keys(parameters).filter((field) => !Object.hasOwn(results, field));
  return defineManifest({
    ...{ name, effect, system: 'actions', summary: about, args, yields, accepts, risk },
    keywords: [...ask.nouns],
    asked: {
      ...ask,
      cues: Object.fromEntries(Object.entries(parameters).map(([field, { cues }]) => [field, cues])),
      ...(main === undefined ? {} : { compares: { number: main } }),
    },
    result: z.object({
      ...Object.fromEntries(
        given.map((field) => [field, freeText(maxText, `the ${field} it was called with`)]),
      ),
      ...Object.fromEntries(
        Object.entries(results).map(([field, { as }]) => [field, resultField(field, as)]),
      ),
    }),
    ...(main === undefined ? {} : { main }),
    limits: { timeoutMs: action.timeout_ms, attempts: effect === 'read' ? 2 : 1 },
    sentence: (words) => calledSentence(about, withDefaults(words, parameters), args),
    outcome: (_result, words) => outcomeOf(calledSentence(about, withDefaults(words, parameters), args)),
    said: given,
    nouns: Object.fromEntries(
      Object.keys(results).map((field) => [field, () => `the ${field.replaceAll('_', ' ')} of ${name}`]),
    ),
    ...(Object.hasOwn(results, 'link') ? { shows: { links: [{ field: 'link', words: 'Open it' }] } } : {}),
    ...(effect === 'read' ? {} : safety(action)),
    ...(undo === undefined ? {} : { undo: undo.says }),
    ...(undo?.action === undefined ? {} : { undoBy: (result) => undoStep(undo, result) }),
    ...(verify === undefined ? {} : { verify }),
  });
}

/** The use of its key when nobody knows whether it happened. A write that is looked for may show late, so it is not made again. */
function safety({
  idempotency_header: header,
  look_up: lookUp,
}: Action): Pick<Manifest, 'inDoubt' | 'success'> {
  const success = { unread: 'Its system answers with whether it happened.' };
  if (header !== undefined) return { success, inDoubt: 'same_key' };
  return { success, inDoubt: lookUp === undefined ? 'unknown' : 'confirm' };
}

type Parameter = Action['parameters'][string];

function argument(field: string, { type, of = [], describe, ...rest }: Parameter): z.ZodType {
  const schema = argumentType(type, of, describe ?? field.replaceAll('_', ' '));
  return rest.optional || rest.default !== undefined ? schema.optional() : schema;
}

function argumentType(type: Parameter['type'], of: readonly string[], about: string): z.ZodType {
  if (type === 'service' || type === 'project') return target(type, about);
  if (type === 'number') return z.number().describe(about);
  return type === 'one_of' ? z.enum(of).describe(about) : text(maxText, about);
}

function resultField(field: string, as: Action['results'][string]['as']): z.ZodType {
  const about = field.replaceAll('_', ' ');
  if (field === 'link') return address('where to open it');
  if (as === 'text') return freeText(maxField, about);
  if (as === 'flag') return z.boolean().describe(about);
  return (as === 'whole' ? z.int() : z.number()).describe(about);
}

/** Values that the operator fills in stand on the card like those that people gave. */
function withDefaults(words: ArgWords, parameters: Action['parameters']): ArgWords {
  const filled = Object.entries(parameters).flatMap(([field, { default: value }]) =>
    value === undefined ? [] : [[field, String(value)]],
  );
  return { ...Object.fromEntries(filled), ...words };
}

/** "done: roll back a service (service: checkout)". */
function outcomeOf(sentence: string): string {
  return `done: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** Null where a value that it needs is not known. */
function undoStep(
  { words, action: tool = '', with: given }: NonNullable<Action['undo']>,
  result: Readonly<Record<string, unknown>>,
): UndoStep | null {
  const known = (name: string): string => String(own(result, name) ?? '');
  if (Object.values(given).some((value) => namesIn(value).some((name) => known(name) === ''))) return null;
  const args = Object.entries(given).map(([field, value]) => [
    field,
    value.replaceAll(/\{([a-z_]+)\}/g, (_all, name: string) => known(name)),
  ]);
  return { words, tool, args: Object.fromEntries(args) };
}
