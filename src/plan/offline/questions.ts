import { distance } from 'fastest-levenshtein';
import type { Offer, PlannerAnswer } from '../../core/answer.ts';
import { namesOf } from '../../core/catalogue.ts';
import type { TargetKind } from '../../core/fields.ts';
import type { Candidate } from './candidates.ts';
import { labelOf } from './candidates.ts';
import type { Text } from './frame.ts';
import { vagueAt } from './heard.ts';
import type { Need } from './memory.ts';

type Question = Extract<PlannerAnswer, { kind: 'clarify' }>;

const kinds: Readonly<Record<string, TargetKind>> = {
  service: 'service',
  project: 'project',
  channel: 'channel',
  user: 'user',
};

const whatIs: Readonly<Record<string, string>> = {
  service: 'Which service is it about?',
  project: 'Which Jira project is it about?',
  channel: 'Which channel or person should get it?',
  key: 'Which ticket is meant? For example OPS-12.',
  incident: 'Which PagerDuty incident is meant? Its id or number is enough.',
  status: 'Which status should it move to?',
  text: 'What should it say?',
};

/** Names that may be the answer: those of the workspace, the likest to what was said first, or those in the text. */
function namesFor(text: Text, arg: string, said = ''): string[] {
  const kind = kinds[arg];
  if (kind === undefined) return [];
  const listed = namesOf(text.catalogue, kind);
  const bare = (name: string): string => name.replace(/^[#@]/u, '').toLowerCase();
  if (said !== '')
    return listed
      .sort((a, b) => distance(bare(a), said.toLowerCase()) - distance(bare(b), said.toLowerCase()))
      .slice(0, 5);
  if (listed.length > 0 || !text.catalogue.open) return listed.slice(0, 5);
  return [
    ...new Set(
      text.entities
        .flat()
        .filter((one) => one.kind === kind)
        .map(({ value }) => value),
    ),
  ].slice(0, 5);
}

function question(words: string, missing: string, options: readonly string[] = []): Question {
  return {
    kind: 'clarify',
    question: words,
    missing: [missing],
    options: options.filter((option) => option.length <= 75),
  };
}

/** The question about one thing that is missing, strange or at odds with itself. */
function askFor(need: Need, text: Text): Question {
  switch (need.kind) {
    case 'strange':
      return question(
        `I know no ${need.missing} called “${need.said}”. Which one do you mean?`,
        need.missing,
        namesFor(text, need.missing, need.said),
      );
    case 'either':
      return question(
        `Which one do you mean: ${(need.options ?? []).join(' or ')}?`,
        need.missing,
        need.options,
      );
    case 'me':
      return question(
        'I can only page the on-call of a service, not you by name. Which service should be paged?',
        'service',
        namesFor(text, 'service'),
      );
    case 'condition':
      return question(
        'On what exactly does it depend? Please say what to look at, and from which number or state on.',
        'condition',
      );
    case 'conflict':
      return need.missing === 'condition'
        ? question('These conditions rule each other out. Which one should hold?', 'condition')
        : question('The request both asks for this and rules it out. What should happen?', 'goal');
    default:
      return question(
        whatIs[need.missing] ?? `What should ${need.missing} be?`,
        need.missing,
        namesFor(text, need.missing),
      );
  }
}

/** Plans as buttons: at most three, each with words of its own. */
export function offersOf(candidates: readonly Candidate[]): Offer[] {
  const offers: Offer[] = [];
  for (const { plan, composed } of candidates) {
    if (composed.needs.length > 0 || offers.length === 3) continue;
    offers.push({
      option: labelOf(
        plan,
        offers.map(({ option }) => option),
      ),
      plan,
    });
  }
  return offers;
}

/** Words of the request that stand next to each other are named together. */
function named(text: Text, left: readonly number[]): string {
  const sorted = [...new Set(left)].sort((a, b) => a - b);
  const runs: number[][] = [];
  for (const index of sorted) {
    const last = runs.at(-1);
    if (last && last.at(-1) === index - 1) last.push(index);
    else runs.push([index]);
  }
  return runs
    .slice(0, 3)
    .map(
      (run) =>
        `“${text.goal.slice(text.tokens[run[0] as number]?.start, text.tokens[run.at(-1) as number]?.end).slice(0, 60)}”`,
    )
    .join(' and ');
}

/** What to ask about a request whose best reading is not the whole of it. */
export function questionAbout(candidates: readonly Candidate[], text: Text): Question {
  const [best] = candidates;
  const [need] = best?.composed.needs ?? [];
  if (best && need && best.composed.left.length === 0) {
    const asked = askFor(need, text);
    return asked.options.length > 0 ? asked : { ...asked, ...buttons(candidates) };
  }
  if (!best)
    return question(
      'What should be looked up or done? For example: count open P1 tickets in OPS, or page ops.',
      'goal',
    );
  const words = named(text, best.composed.left);
  if (
    best.composed.left.every((index) => vagueAt(text, index)) &&
    best.plan.steps.some(({ when }) => when !== undefined)
  )
    return question(`How many is that: ${words}? A number is enough.`, 'bound');
  return {
    ...question(
      `I could not place ${words}. Is one of these what you mean? If not, please say it another way.`,
      'goal',
    ),
    ...buttons(candidates),
  };
}

/** Two readings that are as good as each other. */
export function questionBetween(candidates: readonly Candidate[]): Question {
  return {
    ...question('This can be read in more than one way. Which one do you mean?', 'goal'),
    ...buttons(candidates),
  };
}

function buttons(candidates: readonly Candidate[]): Pick<Question, 'options' | 'offers'> {
  const offers = offersOf(candidates);
  return { options: offers.map(({ option }) => option), offers };
}
