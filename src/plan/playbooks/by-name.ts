import { digestOf } from '../../core/canonical.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { namesOf } from '../../core/catalogue.ts';
import { durationMinutes } from '../../core/duration.ts';
import { jsonOf } from '../../core/json.ts';
import { own } from '../../core/own-property.ts';
import { certainReply, type Planner, type PlannerReply, type PlanningInput } from '../../core/planning.ts';
import { capital } from '../../core/step-words.ts';
import { byLikeness, suggest } from '../../core/suggest.ts';
import { toolsIn } from '../../notation/looks.ts';
import { isDropped } from '../dropped.ts';
import { emptyWords } from '../everyday/empty-words.ts';
import { withFallbacks } from './defaults.ts';
import { instantiate, missingInputs } from './inputs.ts';
import { type InputType, inputTypeSchemas, type Playbook } from './playbook.ts';

/** `run <name> key=value key="two words"`, also `run the playbook <name> …`. */
const command =
  /^run\s+(?:the\s+)?(playbook\s+)?([a-z][a-z0-9-]{1,60})((?:\s+[a-z][a-z0-9_]*\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']\S*))*)\s*$/i;
/** A call with unnamed inputs: `run sla-breach-check PAY`, `run sla-breach-check for PAY`. */
const unnamed = /^run\s+(?:the\s+)?(?:playbook\s+)?([a-z][a-z0-9-]{1,60})\s+\S/i;
const pair = /(?<!\w)([a-z]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))/gi;

function readValues(given: string): Map<string, string> {
  return new Map(
    [...given.matchAll(pair)].map(([, name = '', a, b, c]) => [name.toLowerCase(), a ?? b ?? c ?? '']),
  );
}

function ask(question: string, missing: readonly string[], options: readonly string[] = []): PlannerReply {
  return reply({ kind: 'clarify', question, missing, options: options.slice(0, 5) });
}

function reply(answer: PlannerReply['answer']): PlannerReply {
  return certainReply(answer, 'playbook');
}

/** Plans one playbook with named values, earlier answers, and the operator's defaults. */
function planFrom(playbook: Playbook, given: Map<string, string>, input: PlanningInput): PlannerReply {
  for (const { missing, answer } of input.answers) {
    const [name] = missing;
    if (name !== undefined && Object.hasOwn(playbook.inputs, name)) given.set(name, answer.trim());
  }
  const values: Record<string, string | number> = {};
  for (const [name, value] of given) {
    const spec = own(playbook.inputs, name);
    if (!spec)
      return ask(
        `${playbook.name} has no input “${name}”. It takes ${inputList(playbook)}. Please type the call again.`,
        ['goal'],
      );
    const parsed = inputTypeSchemas[spec.type].safeParse(
      spec.type === 'project' ? value.toUpperCase() : value,
    );
    if (!parsed.success)
      return ask(`${name}: ${parsed.error.issues[0]?.message ?? 'does not fit'}. What should it be?`, [name]);
    values[name] = parsed.data;
  }
  const filled = withFallbacks(playbook, values, input);
  const missing = missingInputs(playbook, filled)[0];
  if (missing !== undefined) {
    const type = playbook.inputs[missing]?.type ?? 'text';
    return ask(questionFor(playbook, missing), [missing], optionsFor(type, input.catalogue));
  }
  const { goal, catalogue } = input;
  const { plan, problems } = instantiate(playbook, filled, {
    goal,
    manifests: catalogue.manifests,
    minutes: durationMinutes,
  });
  if (plan === null)
    return ask(`${playbook.name}: ${problems[0]?.message ?? 'does not fit'} Please type the call again.`, [
      'goal',
    ]);
  const inputs = plan.inputs.map((each) =>
    Object.hasOwn(values, each.name) ? each : { ...each, source: 'default' as const },
  );
  // Called by name, so no assumption that it fits is needed.
  const source = { scope: `playbook:${playbook.name}`, version: digestOf(jsonOf(playbook)) };
  return { ...reply({ kind: 'plan', plan: { ...plan, inputs, assumptions: [] } }), source };
}

function inputList({ inputs }: Playbook): string {
  return Object.keys(inputs).join(', ') || 'no inputs';
}

function questionFor(playbook: Playbook, name: string): string {
  const what = name.replaceAll('_', ' ');
  const about = playbook.inputs[name]?.describe ?? '';
  if (about === '') return `Which ${what}? (${playbook.name})`;
  if (/^(?:what|how) /i.test(about)) return `${capital(about)}? (${playbook.name})`;
  // "where it is posted" does not make a question on its own.
  return /^(?:where|when|who|from) /i.test(about)
    ? `Which ${what}? (${about}; ${playbook.name})`
    : `Which is the ${about}? (${playbook.name})`;
}

function optionsFor(type: InputType, catalogue: Catalogue): string[] {
  return type === 'project' || type === 'service' || type === 'channel' || type === 'user'
    ? namesOf(catalogue, type)
    : [];
}

/** The refusal for a playbook whose tools are not set up here; null when all are. */
function lackingTools({ name, plan }: Playbook, { manifests }: Catalogue): PlannerReply | null {
  const missing = toolsIn(plan).filter((tool) => !manifests.has(tool));
  if (missing.length === 0) return null;
  const explanation = `${name} needs ${missing.join(' and ')}. /plan list shows what can run here.`;
  return reply({ kind: 'refuse', reason: 'not_configured', explanation });
}

function byNameOnly({ name, inputs }: Playbook): PlannerReply {
  const call = ['run', name, ...Object.keys(inputs).map((input) => `${input}=…`)].join(' ');
  return ask(`${name} takes its inputs by name: ${call}. Please type the call again.`, ['goal']);
}

/** No playbook has that name: offers similar ones. */
function noneOf(name: string, known: readonly Playbook[], { manifests }: Catalogue): PlannerReply {
  const usable = known.filter(({ plan }) => toolsIn(plan).every((tool) => manifests.has(tool)));
  const parts = (of: string): string[] => of.split('-');
  const isNear = (other: string): boolean =>
    suggest(name, [other]) !== null || parts(name).some((part) => parts(other).includes(part));
  const near = byLikeness(usable.map((one) => one.name).filter(isNear), name);
  const none = `There is no playbook “${name}”.`;
  if (near.length === 0)
    return reply({
      ...{ kind: 'refuse', reason: 'out_of_scope' },
      explanation: `${none} /plan list shows those that can run here.`,
    });
  const calls = near.map((one) => `run ${one}`);
  return ask(`${none} Did you mean one of these? /plan list shows them all.`, ['goal'], calls);
}

/** The call as typed, or as restated after a question. */
function callIn({ goal, answers }: PlanningInput): string {
  return answers.findLast(({ missing }) => missing.includes('goal'))?.answer ?? goal;
}

const order = /^(?:(?:please|pls|can you|could you|now)\s+){0,3}(?:run|start|execute)\s/iu;

/** "run the morning report" as `run morning-report`: a name in words, and nothing else but inputs by name. */
function withName(call: string, known: readonly Playbook[]): string {
  const bare = call
    .replace(order, ' ')
    .replaceAll(pair, ' ')
    .replaceAll(/\bplaybook\b/gi, ' ')
    .toLowerCase();
  const words = bare.match(/[\p{L}\p{N}]+/gu) ?? [];
  const called = known.find(({ name }) => {
    const own = name.split('-');
    const at = words.findIndex((_word, start) => own.every((part, nth) => words[start + nth] === part));
    const rest = at < 0 ? ['?'] : words.toSpliced(at, own.length);
    return rest.every((word) => emptyWords.has(word));
  });
  return called === undefined
    ? call
    : ['run', called.name, ...[...call.matchAll(pair)].map(([given]) => given)].join(' ');
}

/** The playbook name a goal would run, whether or not it exists; null for any other goal. */
export function calledIn(goal: string): string | null {
  return command.exec(goal)?.[2]?.toLowerCase() ?? null;
}

/** Plans a playbook called by name (`run <name> key=value`); anything else goes to `next`. */
export function playbooksByName(playbooks: () => Promise<readonly Playbook[]>, next: Planner): Planner {
  return {
    async plan(input) {
      const typed = callIn(input);
      const isNamed = input.change === null && !command.test(typed) && order.test(typed);
      const call = isNamed ? withName(typed, await playbooks()) : typed;
      const [, called, name = unnamed.exec(call)?.[1], given = ''] = command.exec(call) ?? [];
      if (name === undefined || input.change !== null || isDropped(input)) return next.plan(input);
      const known = await playbooks();
      const playbook = known.find((one) => one.name === name.toLowerCase());
      if (!command.test(call)) return playbook ? byNameOnly(playbook) : next.plan(input);
      if (playbook)
        return lackingTools(playbook, input.catalogue) ?? planFrom(playbook, readValues(given), input);
      const isCall = called !== undefined || given !== '' || name.includes('-');
      const reply = isCall ? null : await next.plan(input);
      return reply?.answer.kind === 'plan' ? reply : noneOf(name, known, input.catalogue);
    },
  };
}
