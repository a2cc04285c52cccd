import type { PlannerAnswer } from '../../core/answer.ts';
import type { PlanningInput } from '../../core/planning.ts';
import type { Lexicon } from '../offline/lexicon.ts';
import { is, readText, type Text } from '../offline/text.ts';
import type { ThingKind } from '../offline/thing.ts';
import { minutesOf } from '../offline/times.ts';
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

/** Words that tell one request from another; a thing counts by its kind. */
function wordsIn(text: Text): Set<string> {
  return new Set(
    text.words.flatMap(({ kind, low, things, alone }) => {
      const thing = things.find((one) => one.kind !== 'unknown');
      if (thing) return ['number', 'duration'].includes(thing.kind) ? [] : [`§${thing.kind}`];
      const isEmpty = ['nothing', 'and', 'if'].some((tag) => alone.has(tag));
      return kind === 'word' && !isEmpty ? [low] : [];
    }),
  );
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

function valuesIn(text: Text, playbook: Playbook): InputValues {
  const values: Record<string, string | number> = {};
  for (const [name, spec] of Object.entries(playbook.inputs)) {
    const found = text.words.flatMap(({ things }) => things).find(({ kind }) => kind === kinds[spec.type]);
    if (found) values[name] = spec.type === 'number' ? Number(found.value) : found.value;
  }
  return values;
}

/** Every thing in the goal is an input, and nothing is ruled out: else the playbook is not it. */
function saysNoMore(text: Text, values: InputValues): boolean {
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

/** A goal that is near an example of a playbook, planned from it when every input is known; else null. */
export function nearPlaybook(
  text: Text,
  found: readonly Found[],
  input: PlanningInput,
  lexicon: Lexicon,
): PlannerAnswer | null {
  const words = wordsIn(text);
  for (const { playbook, example } of found) {
    if (likeness(words, wordsIn(readText(example, input, lexicon))) < alike) continue;
    const known = valuesIn(text, playbook);
    if (!saysNoMore(text, known)) continue;
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
