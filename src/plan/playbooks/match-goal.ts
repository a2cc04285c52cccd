import type { PlannerAnswer } from '../../core/answer.ts';
import { type Catalogue, namesOf } from '../../core/catalogue.ts';
import { durationMinutes } from '../../core/duration.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Planner, PlanningInput } from '../../core/planning.ts';
import { isDropped } from '../dropped.ts';
import { emptyWords } from '../everyday/empty-words.ts';
import { type NameIndex, nameIndex, withNames } from '../everyday/names.ts';
import { type Slot, valueAt } from '../everyday/slots.ts';
import { type Token, tokenize } from '../everyday/tokens.ts';
import type { FindExamples } from '../ports.ts';
import { withFallbacks } from './defaults.ts';
import { type InputValues, instantiate, missingInputs } from './inputs.ts';
import { type InputType, inputSamples, type Playbook } from './playbook.ts';
import { createPlaybookSearch, type Found } from './search.ts';

/** Minimum similarity between a goal and an example, 0 to 1, for using the playbook. */
const alike = 0.75;

const slots: Partial<Record<InputType, Slot>> = {
  ...{ project: 'project', priority: 'severity', service: 'service', channel: 'channel', user: 'user' },
  ...{ key: 'issue', incident: 'incident', number: 'number', duration: 'duration' },
};

/** A goal up to its colon, the text after it if the playbook takes one, and the channel named last. */
interface Heard {
  readonly goal: string;
  readonly tokens: readonly Token[];
  readonly told: string | null;
  readonly channel: string | null;
}

const quoted = new Set<Token['kind']>(['quotation', 'quoted word']);

function heard(goal: string, tokens: readonly Token[], { inputs }: Playbook): Heard | null {
  const takesWords = Object.values(inputs).some(({ type }) => type === 'text');
  const colon = tokens.findIndex(({ low }, at) => at > 0 && low === ':');
  const quotation = tokens.find(({ kind }) => quoted.has(kind));
  if (!takesWords || (colon < 0 && quotation === undefined))
    return { goal, tokens, told: null, channel: null };
  if (colon < 0) return { goal, tokens, told: quotation?.values.text ?? null, channel: null };
  // "…: disk full, tell #ops" gives the channel.
  const [, words = '', channel = null] =
    /^(.*?)(?:,? (?:and )?(?:then )?(?:tell|in|to|post (?:it )?(?:in|to)) (#[\p{L}\p{N}_-]+))?$/su.exec(
      goal.slice(tokens[colon]?.end).trim(),
    ) ?? [];
  const told = words.trim().replace(/^["“](.*)["”]$/u, '$1');
  return told === '' ? null : { goal, tokens: tokens.slice(0, colon), told, channel };
}

/** The kind of thing a token is, if any; a project also counts by its service. */
function thingOf({ kind, names, values }: Token): string | null {
  if (names.project !== undefined || names.service !== undefined)
    return kind === 'channel' ? 'channel' : 'place';
  if (kind === 'number' || kind === 'duration') return '';
  if (quoted.has(kind)) return 'quote';
  if (['channel', 'person', 'incident', 'severity', 'issue', 'code', 'time', 'clock'].includes(kind))
    return kind;
  return kind === 'capitals' && values.text === undefined ? 'place' : null;
}

/** Words that distinguish requests; a thing counts by its kind. */
function wordsIn({ tokens, told }: Heard): Set<string> {
  const found = tokens.flatMap((token) => {
    const thing = thingOf(token);
    if (thing !== null) return thing === '' ? [] : [`§${thing}`];
    return (token.kind === 'word' || token.kind === 'hyphened') && !emptyWords.has(token.low)
      ? [token.low]
      : [];
  });
  return new Set(told === null ? found : [...found, '§quote']);
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

/** A write must be ordered: by a verb shared with its example, by its name, by the receiving channel, or by its text. */
function isOrdered(
  goal: string,
  shared: readonly string[],
  { name, plan }: Playbook,
  tools: ReadonlyMap<string, Manifest>,
): boolean {
  const writes = [...tools.values()].filter(({ effect }) => effect === 'write');
  if (!writes.some((tool) => plan.includes(`${tool.name} `))) return true;
  const isNamed = name.split('-').every((word) => /\d/u.test(word) || goal.toLowerCase().includes(word));
  const verbs = new Set(writes.flatMap(({ asked }) => asked?.verbs ?? []));
  return isNamed || shared.some((word) => verbs.has(word) || word === '§channel' || word === '§quote');
}

function valuesIn(
  { tokens, told, channel }: Heard,
  { inputs }: Playbook,
  given: ReadonlyMap<string, string>,
): InputValues {
  const values: Record<string, string | number> = {};
  for (const [name, { type }] of Object.entries(inputs)) {
    const said = tokens.flatMap((token) => saidAs(type, token))[0];
    const behind = type === 'text' ? told : type === 'channel' ? channel : null;
    const value = said ?? given.get(name) ?? behind;
    if (value !== null) values[name] = type === 'number' ? Number(value) : value;
  }
  return values;
}

/** The value of an input in a token; names count only if the workspace has them. */
function saidAs(type: InputType, token: Token): (string | number)[] {
  if (type === 'code') return token.kind === 'code' || token.kind === 'issue' ? [token.raw] : [];
  if (type === 'service') return token.names.service === undefined ? [] : [token.names.service];
  if (type === 'project')
    return token.names.project === undefined || token.kind === 'channel' ? [] : [token.names.project];
  if (type === 'channel' && token.kind !== 'channel') return [];
  if (type === 'user' && token.kind !== 'person') return [];
  if (type === 'incident' && token.kind !== 'incident') return [];
  const slot = slots[type];
  const value = slot === undefined ? undefined : valueAt(slot, type, token);
  return value === undefined ? [] : [value];
}

const against = /^(?:not|no|don't|dont|never|without|unless|except|nobody|otherwise|else)$/u;

/** Everything named in the goal must be an input, and nothing negated: otherwise it is not this playbook. */
function saysNoMore({ tokens }: Heard, values: InputValues): boolean {
  const used = new Set(Object.values(values).map((value) => String(value).toLowerCase()));
  const isUsed = ({ low, raw, names, values: own }: Token): boolean =>
    [low, raw, ...Object.values(names), own.text, own.priority, own.duration, own.number].some(
      (one) => one !== undefined && used.has(String(one).toLowerCase()),
    );
  return tokens.every(
    (token) =>
      !against.test(token.low) && (thingOf(token) === null || token.kind === 'time' || isUsed(token)),
  );
}

/** The words of examples, which are the same as long as the workspace has the same names. */
const examples = new WeakMap<NameIndex, Map<string, ReadonlySet<string> | null>>();

function wordsOfExample(example: string, playbook: Playbook, index: NameIndex): ReadonlySet<string> | null {
  const known = examples.get(index) ?? new Map<string, ReadonlySet<string> | null>();
  examples.set(index, known);
  const key = `${playbook.name} ${example}`;
  let words = known.get(key);
  if (words === undefined) {
    const model = heard(example, withNames(example, tokenize(example), index), playbook);
    words = model && wordsIn(model);
    known.set(key, words);
  }
  return words;
}

/** A goal close to an example of a playbook, planned from it when every input is known; else null. */
function nearPlaybook(
  goal: string,
  found: readonly Found[],
  input: PlanningInput,
  given: ReadonlyMap<string, string>,
): PlannerAnswer | null {
  const { manifests } = input.catalogue;
  const index = nameIndex(input.catalogue);
  const tokens = withNames(goal, tokenize(goal), index);
  for (const { playbook, example } of found) {
    const [own, wanted] = [heard(goal, tokens, playbook), wordsOfExample(example, playbook, index)];
    if (own === null || wanted === null) continue;
    const words = wordsIn(own);
    const shared = [...wanted].filter((word) => words.has(word));
    if (likeness(words, wanted) < alike || !isOrdered(goal, shared, playbook, manifests)) continue;
    const known = valuesIn(own, playbook, given);
    if (!saysNoMore(own, known)) continue;
    // Names in the example must be named here, too: no on-call is woken by default.
    if (wanted.has('§place') && !words.has('§place') && known.service === undefined)
      return askService(playbook, input.catalogue);
    const values = withFallbacks(playbook, known, input);
    if (missingInputs(playbook, values).length > 0) continue;
    const { plan } = instantiate(playbook, values, { goal: input.goal, manifests, minutes: durationMinutes });
    if (plan === null) continue;
    const inputs = plan.inputs.map((entry) => ({
      ...entry,
      source: known[entry.name] === undefined ? ('default' as const) : entry.source,
    }));
    return { kind: 'plan', plan: { ...plan, inputs } };
  }
  return null;
}

const askService = ({ name }: Playbook, catalogue: Catalogue): PlannerAnswer => ({
  kind: 'clarify',
  question: `Which service is this about? (playbook ${name})`,
  missing: ['service'],
  options: namesOf(catalogue, 'service').slice(0, 5),
});

/** Maximum examples of playbooks to compare. */
const looked = 12;

/**
 * Plans a goal that resembles a playbook's example from that playbook; anything else goes to `next`. Only vetted plans
 * are matched by resemblance.
 */
export function playbooksByGoal(playbooks: readonly Playbook[], next: Planner): Planner {
  const search = playbooks.length === 0 ? null : createPlaybookSearch(playbooks);
  return {
    plan(input) {
      const isPlain =
        input.change === null && input.replan === null && !input.catalogue.open && !isDropped(input);
      const near =
        search === null || !isPlain
          ? null
          : nearPlaybook(input.goal, search(input.goal, looked), input, givenIn(input));
      if (near === null) return next.plan(input);
      return Promise.resolve({ answer: near, planner: 'playbook', confidence: 0.95, usage: null, notes: [] });
    },
  };
}

const givenIn = ({ answers }: PlanningInput): Map<string, string> =>
  new Map(answers.map(({ missing, answer }) => [missing[0] ?? '', answer.trim()]));

/** Minimum similarity between a goal and a playbook's wording for it to serve as an example. */
const nearEnough = 4;

/** The playbook with the wording closest to a goal, as an example of form for a model; empty if none is close. */
export function findExamples(playbooks: readonly Playbook[]): FindExamples {
  const search = createPlaybookSearch(playbooks);
  return ({ goal, catalogue: { manifests } }) =>
    search(goal, 1)
      .filter(({ score }) => score >= nearEnough)
      .flatMap(({ playbook, example }) => {
        const inputs = Object.entries(playbook.inputs);
        const values = Object.fromEntries(
          inputs.map(([name, spec]) => [name, spec.default ?? inputSamples[spec.type]]),
        );
        const { plan } = instantiate(playbook, values, {
          goal: example,
          manifests,
          minutes: durationMinutes,
        });
        return plan === null ? [] : [{ goal: example, plan }];
      });
}
