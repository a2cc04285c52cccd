import type { PlannerAnswer } from '../../core/answer.ts';
import { type Catalogue, namesOf } from '../../core/catalogue.ts';
import type { PlanningInput } from '../../core/planning.ts';
import type { Lexicon } from '../offline/words/lexicon.ts';
import { is, lowAt, range, readText, type Text } from '../offline/words/text.ts';
import type { ThingKind } from '../offline/words/thing.ts';
import { minutesOf } from '../offline/words/times.ts';
import { withFallbacks } from './defaults.ts';
import { type InputValues, instantiate, missingInputs } from './inputs.ts';
import type { InputType, Playbook } from './playbook.ts';
import type { Found } from './search.ts';

/** How alike a goal and an example must be, from 0 to 1, for the playbook to be taken. */
const alike = 0.75;

const kinds: Partial<Record<InputType, ThingKind>> = {
  project: 'project',
  priority: 'severity',
  service: 'service',
  channel: 'channel',
  user: 'user',
  key: 'issue',
  incident: 'incident',
  number: 'number',
  duration: 'duration',
  code: 'code',
  text: 'quote',
};

/** A goal up to its colon, what is told behind it where the playbook takes words, and the channel that is named last. */
interface Heard {
  readonly text: Text;
  readonly told: string | null;
  readonly channel: string | null;
}

function heard(text: Text, { inputs }: Playbook, read: (words: string) => Text): Heard | null {
  const takesWords = Object.values(inputs).some(({ type }) => type === 'text');
  const at = text.words.findIndex((_word, index) => index > 0 && lowAt(text, index) === ':');
  const colon = text.words[at];
  if (!takesWords || colon === undefined) return { text, told: null, channel: null };
  const rest = range(at + 1, text.words.length);
  const orders = rest.find(
    (index) => is(text, index, 'verb write') && is(text, index - 1, 'listing', 'then'),
  );
  // "…: disk full, tell #ops" says where it goes; any other order is no part of what is told.
  const tail = rest.filter((index) => index >= (orders ?? Number.POSITIVE_INFINITY));
  if (!tail.every((index) => is(text, index, 'verb message', 'channel', 'empty'))) return null;
  const channel = tail.flatMap((index) => text.words[index]?.things ?? [])[0]?.value ?? null;
  const told = text.goal.slice(colon.end, text.words[(tail[0] ?? 0) - 1]?.start).trim();
  const bare = told.replace(/^["“](.*)["”]$/u, '$1');
  return bare === '' ? null : { text: read(text.goal.slice(0, colon.start)), told: bare, channel };
}

/** Words that tell one request from another; a thing counts by its kind, and a project goes by its service as well. */
function wordsIn({ text, told }: Heard): Set<string> {
  const found = text.words.flatMap(({ kind, low, raw, things, alone }) => {
    const all = things.map((one) => one.kind).filter((one) => one !== 'unknown');
    if (all.some((one) => one === 'number' || one === 'duration')) return [];
    if (all.some((one) => one === 'project' || one === 'service') && !raw.startsWith('#')) return ['§place'];
    if (all[0] !== undefined) return [`§${all[0]}`];
    const isEmpty = ['nothing', 'and', 'if'].some((tag) => alone.has(tag));
    return kind === 'word' && !isEmpty ? [low] : [];
  });
  return new Set(told === null ? found : [...found, '§quote']);
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

/** What writes is ordered: by a verb that its example has too, by its name, by the channel that gets it, or by what it is told. */
function isOrdered(
  { text }: Heard,
  shared: readonly string[],
  { name, plan }: Playbook,
  lexicon: Lexicon,
): boolean {
  const writes = [...lexicon.tools.values()].filter(({ effect }) => effect === 'write');
  if (!writes.some((tool) => plan.includes(`${tool.name} `))) return true;
  const goal = text.goal.toLowerCase();
  const isNamed = name.split('-').every((word) => /\d/u.test(word) || goal.includes(word));
  const acts = text.words.some(({ low }, index) => shared.includes(low) && is(text, index, 'verb write'));
  return isNamed || acts || ['§channel', '§quote'].some((kind) => shared.includes(kind));
}

function valuesIn(
  { text, told, channel }: Heard,
  { inputs }: Playbook,
  given: ReadonlyMap<string, string>,
): InputValues {
  const values: Record<string, string | number> = {};
  for (const [name, spec] of Object.entries(inputs)) {
    const found = text.words.flatMap(({ things }) => things).find(({ kind }) => kind === kinds[spec.type]);
    const behind = spec.type === 'text' ? told : spec.type === 'channel' ? channel : null;
    const value = found?.value ?? given.get(name) ?? behind;
    if (value !== null) values[name] = spec.type === 'number' ? Number(value) : value;
  }
  return values;
}

/** Every thing in the goal is an input, and nothing is ruled out: else the playbook is not it. */
function saysNoMore({ text }: Heard, values: InputValues): boolean {
  const used = new Set(Object.values(values).map(String));
  const against = text.words.some((_word, index) => is(text, index, 'negation', 'unless', 'else'));
  return (
    !against &&
    text.words.every(
      ({ things }) =>
        things.length === 0 ||
        things[0]?.kind === 'unknown' ||
        things.some(({ value, kind }) => used.has(value) || kind === 'time'),
    )
  );
}

/** Examples as they are read under a catalogue; no words that count in them hang on the moment. */
const readExamples = new WeakMap<Catalogue, Map<string, Text>>();

function exampleOf(words: string, input: PlanningInput, lexicon: Lexicon): Text {
  const known = readExamples.get(input.catalogue) ?? new Map<string, Text>();
  readExamples.set(input.catalogue, known);
  const text = known.get(words) ?? readText(words, { ...input, change: null }, lexicon);
  known.set(words, text);
  return text;
}

/** A goal that is near an example of a playbook, planned from it when every input is known; else null. */
export function nearPlaybook(
  text: Text,
  found: readonly Found[],
  input: PlanningInput,
  { lexicon, given }: { readonly lexicon: Lexicon; readonly given: ReadonlyMap<string, string> },
): PlannerAnswer | null {
  const read = (words: string): Text => readText(words, input, lexicon);
  for (const { playbook, example } of found) {
    const [goal, model] = [
      heard(text, playbook, read),
      heard(exampleOf(example, input, lexicon), playbook, read),
    ];
    if (goal === null || model === null) continue;
    const [words, wanted] = [wordsIn(goal), wordsIn(model)];
    const shared = [...wanted].filter((word) => words.has(word));
    if (likeness(words, wanted) < alike || !isOrdered(goal, shared, playbook, lexicon)) continue;
    const known = valuesIn(goal, playbook, given);
    if (!saysNoMore(goal, known)) continue;
    // What the example names is named here, too: nobody's on-call is woken by default.
    if (wanted.has('§place') && !words.has('§place') && known.service === undefined)
      return askService(playbook, input);
    const values = withFallbacks(playbook, known, input);
    if (missingInputs(playbook, values).length > 0) continue;
    const about = { goal: input.goal, manifests: input.catalogue.manifests, minutes: minutesOf };
    const { plan } = instantiate(playbook, values, about);
    if (plan === null) continue;
    const inputs = plan.inputs.map((entry) => ({
      ...entry,
      source: known[entry.name] === undefined ? ('default' as const) : entry.source,
    }));
    return { kind: 'plan', plan: { ...plan, inputs } };
  }
  return null;
}

const askService = ({ name }: Playbook, { catalogue }: PlanningInput): PlannerAnswer => ({
  kind: 'clarify',
  question: `Which service is this about? (playbook ${name})`,
  missing: ['service'],
  options: namesOf(catalogue, 'service').slice(0, 5),
});
