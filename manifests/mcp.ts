import { z } from 'zod';
import { freeText, target } from '../src/core/fields.ts';
import { mapArguments } from '../src/core/json-schema.ts';
import { type ArgWords, defineManifest, type Manifest } from '../src/core/manifest.ts';
import { type McpServers, type Pin, pinsOf, type ResultKind } from '../src/core/mcp.ts';

/** Maximum characters kept of an answer. */
const maxAnswerText = 8_000;
const maxField = 2_000;

/** The MCP tools pinned by the operator. Built from the configuration alone: no server is contacted. */
export function mcpManifests(servers: McpServers): Manifest[] {
  return pinsOf(servers).map(mcpManifest);
}

function mcpManifest({ server, name, pinned }: Pin): Manifest {
  const { args } = mapArguments(pinned.input, pinned.args);
  const { effect, about, results, ask, yields, accepts, undo } = pinned;
  const numbers = Object.keys(results).filter((field) => ['number', 'whole'].includes(results[field] ?? ''));
  const [main] = numbers;
  return defineManifest({
    name,
    effect,
    system: 'mcp',
    summary: about,
    keywords: [server, ...ask.nouns],
    asked: {
      ...{ verbs: ask.verbs, nouns: ask.nouns, examples: ask.examples, tells: 'lines' },
      cues: Object.fromEntries(Object.entries(ask.args).map(([field, { cues }]) => [field, cues ?? []])),
      ...(main === undefined ? {} : { compares: { number: main } }),
    },
    args,
    result: z.object({
      ...Object.fromEntries(
        Object.entries(results).map(([field, kind]) => [field, resultField(field, kind)]),
      ),
      lines: freeText(maxAnswerText, 'what the server answered'),
      truncated: z.boolean().describe('true when there was more'),
    }),
    ...(main === undefined ? {} : { main }),
    ...{ yields, accepts },
    limits: { timeoutMs: pinned.timeout_ms, attempts: effect === 'read' ? 2 : 1 },
    sentence: (given) => calledSentence(about, given, args),
    nouns: Object.fromEntries(
      [...Object.keys(results), 'lines'].map((field) => [
        field,
        () => `the ${field.replaceAll('_', ' ')} of ${name}`,
      ]),
    ),
    ...(undo === undefined ? {} : { undo }),
    ...(effect === 'read' ? {} : { success: { unread: 'Its server names no tool that reads it back.' } }),
  });
}

function resultField(field: string, kind: ResultKind): z.ZodType {
  const about = field.replaceAll('_', ' ');
  if (kind === 'text') return freeText(maxField, about);
  if (kind === 'number') return z.number().describe(about);
  if (kind === 'whole') return z.int().describe(about);
  return kind === 'flag' ? z.boolean().describe(about) : target(kind, about);
}

/**
 * "Search the notes (limit: 5): “checkout”", "Roll back checkout": every argument, texts last. The thing at the end of
 * what it does, such as "a service", is named in its place.
 */
export function calledSentence(about: string, given: ArgWords, { shape }: z.ZodObject): string {
  const said = Object.keys(shape).flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [{ name: name.replaceAll('_', ' '), value }];
  });
  const does = about.replace(/\.$/, '');
  const named = said.find(({ name, value }) => does.endsWith(` a ${name}`) && /^\S{1,60}$/.test(value));
  const done = named === undefined ? does : does.slice(0, -`a ${named.name}`.length) + named.value;
  const isLong = ({ value }: { value: string }) => /\s/.test(value) || value.length > 30;
  const short = said
    .filter((one) => one !== named && !isLong(one))
    .map(({ name, value }) => `${name}: ${value}`);
  const long = said.filter((one) => one !== named && isLong(one));
  const texts = long.map(({ name, value }) => (long.length === 1 ? value : `${name}: ${value}`));
  const brackets = short.length === 0 ? '' : ` (${short.join(', ')})`;
  return `${done}${brackets}${texts.length === 0 ? '' : `: “${texts.join('”, “')}”`}`;
}
