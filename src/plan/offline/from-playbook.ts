import type { PlannerAnswer } from '../../core/answer.ts';
import { namesOf } from '../../core/catalogue.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { withFallbacks } from '../playbooks/defaults.ts';
import { type InputValues, instantiate, missingInputs } from '../playbooks/inputs.ts';
import type { InputType, Playbook } from '../playbooks/playbook.ts';
import type { Found } from '../playbooks/search.ts';
import { liftNegations } from './clauses/negation.ts';
import { type Lexicon, readGoal } from './words/normalise.ts';
import { minutesOf } from './words/times.ts';
import { lineOf, type Token, type TokenKind } from './words/token.ts';
import { literalText } from './writes/messages.ts';

/** How alike a goal and an example must be, from 0 to 1, for the playbook to be taken. */
const alike = 0.75;

const kinds: Partial<Record<InputType, TokenKind>> = {
  project: 'project',
  priority: 'priority',
  service: 'service',
  channel: 'channel',
  user: 'user',
  key: 'key',
  incident: 'id',
  number: 'number',
  duration: 'duration',
  code: 'code',
};

function valueFrom(tokens: readonly Token[], type: InputType, goal: string): string | number | undefined {
  if (type === 'text') return literalText(tokens, goal) ?? undefined;
  const token = tokens.find((candidate) => candidate.kind === kinds[type]);
  if (!token) return undefined;
  return type === 'number' ? Number(token.word) : token.word;
}

function answered(playbook: Playbook, input: PlanningInput, lexicon: Lexicon): InputValues {
  const values: Record<string, string | number> = {};
  for (const { missing, answer } of input.answers) {
    for (const name of missing) {
      const type = playbook.inputs[name]?.type;
      if (type === undefined) continue;
      const { tokens } = readGoal(answer, input.catalogue, lexicon);
      const value = type === 'text' ? answer.trim() : (valueFrom(tokens, type, answer) ?? answer.trim());
      values[name] = value;
    }
  }
  return values;
}

const targets: Partial<Record<InputType, 'project' | 'service' | 'channel' | 'user'>> = {
  project: 'project',
  service: 'service',
  channel: 'channel',
  user: 'user',
};

function filled(
  playbook: Playbook,
  given: InputValues,
  input: PlanningInput,
  lexicon: Lexicon,
): PlannerAnswer | null {
  const known = { ...given, ...answered(playbook, input, lexicon) };
  const values = withFallbacks(playbook, known, input);
  const missing = missingInputs(playbook, values)[0];
  if (missing !== undefined) {
    const spec = playbook.inputs[missing];
    const kind = spec && targets[spec.type];
    const options = kind === undefined ? [] : namesOf(input.catalogue, kind).slice(0, 5);
    return {
      kind: 'clarify',
      question: `${playbook.name} needs ${missing}: ${spec?.describe ?? ''}. Which one?`,
      missing: [missing],
      options,
    };
  }
  const about = { goal: input.goal, manifests: input.catalogue.manifests, minutes: minutesOf };
  const { plan } = instantiate(playbook, values, about);
  if (plan === null) return null;
  const inputs = plan.inputs.map((entry) => ({
    ...entry,
    source: known[entry.name] === undefined ? ('default' as const) : entry.source,
  }));
  return { kind: 'plan', plan: { ...plan, inputs } };
}

function wordsIn(text: string, input: PlanningInput, lexicon: Lexicon): Set<string> {
  const { tokens } = readGoal(text, input.catalogue, lexicon);
  const words = lineOf(tokens)
    .replace(/§([a-z]+)\d+/g, '§$1')
    .split(' ');
  return new Set(
    words.filter(
      (word) =>
        word !== '' &&
        !/^(the|a|an|in|for|on|to|and|of|,|:|\.|please|it|with|if|one|post|result|§dur|§num)$/.test(word),
    ),
  );
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

/** True when every name and value in the goal is an input, and nothing is forbidden: else the playbook is not it. */
function saysNoMore(tokens: readonly Token[], values: InputValues, goal: string): boolean {
  if (liftNegations(tokens, goal).forbidden.size > 0) return false;
  if (tokens.some((token) => token.kind === 'word' && /^(unless|otherwise|do-not|not)$/.test(token.word)))
    return false;
  const used = new Set(Object.values(values).map(String));
  return tokens.every((token) => token.kind === 'word' || token.kind === 'mark' || used.has(token.word));
}

/** A goal that is near an example, planned from its playbook when every input is known; else null. */
export function nearPlaybook(
  input: PlanningInput,
  found: readonly Found[],
  lexicon: Lexicon,
): PlannerAnswer | null {
  const words = wordsIn(input.goal, input, lexicon);
  for (const { playbook, example } of found) {
    if (likeness(words, wordsIn(example, input, lexicon)) < alike) continue;
    const { tokens } = readGoal(input.goal, input.catalogue, lexicon);
    const values: Record<string, string | number> = {};
    for (const [name, spec] of Object.entries(playbook.inputs)) {
      const value = valueFrom(tokens, spec.type, input.goal);
      if (value !== undefined) values[name] = value;
    }
    if (!saysNoMore(tokens, values, input.goal)) continue;
    const answer = filled(playbook, values, input, lexicon);
    if (answer?.kind === 'plan') return answer;
  }
  return null;
}
