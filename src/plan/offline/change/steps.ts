import type { Plan } from '../../../core/plan.ts';
import { refsOf, splitRef } from '../../../core/refs.ts';
import { comparisonIn } from '../words/comparisons.ts';
import { lineOf, ofKind, type Token } from '../words/token.ts';
import { contentOf, literalText } from '../writes/messages.ts';

/** The steps of a plan that is being changed. */
export type Steps = Plan['steps'];

/** "post to #ops instead", where a person was told, or the other way round; one receiver only. */
export function replaceReceiver(steps: Steps, tokens: readonly Token[]): Steps {
  const channel = ofKind(tokens, 'channel').at(-1)?.word;
  const user = ofKind(tokens, 'user').at(-1)?.word;
  const posts = steps.filter((step) => step.tool === 'slack.post');
  const told = posts.some((step) => step.args.channel === channel && step.args.user === user);
  if ((channel === undefined && user === undefined) || posts.length !== 1 || told) return steps;
  return steps.map((step) => {
    if (step.tool !== 'slack.post') return step;
    const { channel: _channel, user: _user, ...rest } = step.args;
    return { ...step, args: channel === undefined ? { user: user ?? '', ...rest } : { channel, ...rest } };
  });
}

const comparison = /(>=|<=|==|>|<)\s*(\d+|[a-z][a-z0-9_]*\.max_open)/g;

const turned: Readonly<Record<string, string>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>', '==': '!=' };

/**
 * "threshold 10", "at least 5": a new right side for the comparison, against a limit as well; the branch that holds
 * otherwise turns with it. Null where the plan has several limits.
 */
export function replaceThreshold(steps: Steps, tokens: readonly Token[]): Steps | null {
  const line = lineOf(tokens);
  const asked = comparisonIn(tokens);
  const bound = asked?.bounds[0];
  const number =
    bound?.value ??
    (/\b(threshold|sla|condition|from|to|if|more|count|create|it)\b/.test(line)
      ? ofKind(tokens, 'number').at(-1)?.word
      : undefined);
  if (number === undefined) return steps;
  const found = steps.flatMap((step) => [...(step.when ?? '').matchAll(comparison)]);
  const [main] = found;
  if (!main) return steps;
  if (new Set(found.map(([, , right]) => right)).size > 1) return null;
  // A number alone moves the limit and not its side.
  const exact = tokens.some((token) => /^(exactly|equals?)$/i.test(token.raw));
  const wanted = bound === undefined || (bound.op === '==' && !exact) ? main[1] : bound.op;
  const changed = steps.map((step) =>
    step.when === undefined
      ? step
      : {
          ...step,
          when: step.when.replace(
            comparison,
            (_, op: string) => `${op === main[1] ? wanted : (turned[wanted ?? ''] ?? op)} ${number}`,
          ),
        },
  );
  return withoutUnused(changed);
}

/** Limits that nothing looks at any more are left out. */
function withoutUnused(steps: Steps): Steps {
  const used = (id: string): boolean =>
    steps.some(
      (step) =>
        step.id !== id &&
        (new RegExp(`\\b${id}\\.`).test(step.when ?? '') ||
          refsOf(step).some(({ ref }) => splitRef(ref).step === id)),
    );
  const gone = new Set(
    steps
      .filter(
        (step) =>
          step.tool === 'sla.threshold' &&
          !used(step.id) &&
          steps.some((other) => other.needs.includes(step.id)),
      )
      .map((step) => step.id),
  );
  return steps
    .filter((step) => !gone.has(step.id))
    .map((step) => ({ ...step, needs: step.needs.filter((need) => !gone.has(need)) }));
}

/** Leaves tools out, with the steps that use their results. */
export function withoutTools(steps: Steps, tools: ReadonlySet<string>): Steps {
  const gone = new Set(steps.filter((step) => tools.has(step.tool)).map((step) => step.id));
  for (let size = -1; size !== gone.size; ) {
    size = gone.size;
    for (const step of steps)
      if (refsOf(step).some(({ ref }) => gone.has(splitRef(ref).step))) gone.add(step.id);
  }
  return steps
    .filter((step) => !gone.has(step.id))
    .map((step) => ({ ...step, needs: step.needs.filter((need) => !gone.has(need)) }));
}

const dropping: Readonly<Record<string, readonly string[]>> = {
  page: ['pagerduty.page'],
  post: ['slack.post'],
  comment: ['jira.comment'],
  note: ['pagerduty.note'],
  summary: ['llm.summarize'],
  summarize: ['llm.summarize'],
  runbook: ['runbook.search'],
  'on-call': ['pagerduty.oncall'],
  incident: ['pagerduty.incidents'],
  ticket: ['jira.create'],
  notify: ['slack.post', 'pagerduty.page'],
};

/** "drop the post", "remove the page", "leave out the comment". */
export function dropped(tokens: readonly Token[], goal: string): Set<string> {
  if (
    !/\b(drop|remove|delete|omit|leave out|leave off|cut|no longer|forget|cancel|strip|take out)\b/i.test(
      goal,
    )
  )
    return new Set();
  return new Set(
    tokens.flatMap((token) =>
      // "Drop" itself may be read as "drop a line".
      token.kind === 'word' && !/^drop(?:ping)?$/i.test(token.raw)
        ? (dropping[token.word] ?? rawTools(token.raw))
        : [],
    ),
  );
}

function rawTools(raw: string): readonly string[] {
  return /^(post|message|slack)$/i.test(raw) ? ['slack.post'] : [];
}

/** A post without words of its own says what the plan's first write says, under the same condition. */
export function withPost(steps: Steps, tokens: readonly Token[], instead: boolean): Steps | null {
  const like = steps.find(
    (step) => step.args.text !== undefined && /^(pagerduty\.page|jira\.comment|slack\.post)$/.test(step.tool),
  );
  const verbs = tokens.some(
    (token) => token.kind === 'word' && /^(post|tell|notify|also|add|let)$/.test(token.word),
  );
  const text = like?.args.text;
  if (!like || text === undefined || !verbs || contentOf(withoutNames(tokens)).length > 0) return null;
  const channel = ofKind(tokens, 'channel').at(-1)?.word;
  const target = channel === undefined ? { user: ofKind(tokens, 'user').at(-1)?.word ?? '' } : { channel };
  const id = freeId(steps, 'post');
  const post = { ...like, id, tool: 'slack.post', why: 'Asked for in a change.', args: { ...target, text } };
  return instead && like.tool === 'pagerduty.page'
    ? steps.map((step) => (step === like ? post : step))
    : [...steps, post];
}

function withoutNames(tokens: readonly Token[]): Token[] {
  return tokens.filter(
    (token) =>
      !/^(priority|project|service|number|duration)$/.test(token.kind) &&
      !/^(run|instead|move|make|threshold|please)$/.test(token.word),
  );
}

function freeId(steps: Steps, name: string): string {
  let id = name;
  for (let number = 2; steps.some((step) => step.id === id); number += 1) id = `${name}_${number}`;
  return id;
}

/** Null where the plan says several things. */
export function replaceText(steps: Steps, tokens: readonly Token[], words: string): Steps | null {
  const text = ofKind(tokens, 'quote').length > 0 ? literalText(tokens, words) : null;
  if (text === null) return steps;
  const said = steps.flatMap((step) =>
    step.args.text === undefined ? [] : [JSON.stringify(step.args.text)],
  );
  if (new Set(said).size > 1) return null;
  return steps.map((step) =>
    /^(slack\.post|pagerduty\.(page|note)|jira\.comment)$/.test(step.tool)
      ? { ...step, args: { ...step.args, text } }
      : step,
  );
}

export function replaceTimes(steps: Steps, tokens: readonly Token[]): Steps {
  const duration = ofKind(tokens, 'duration').at(-1)?.word;
  if (duration === undefined) return steps;
  return steps.map((step) => {
    const name = ['window', 'within'].find((candidate) => step.args[candidate] !== undefined);
    return name === undefined ? step : { ...step, args: { ...step.args, [name]: duration } };
  });
}
