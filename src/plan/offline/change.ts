import { cut } from '../../core/inert.ts';
import type { AskedRole } from '../../core/manifest.ts';
import { type Plan, planLimits, type Step } from '../../core/plan.ts';
import { planTitle } from '../../core/title.ts';
import { candidatesFor } from './candidates.ts';
import { type Operator, opposite } from './draft.ts';
import type { Entity, EntityKind } from './entity.ts';
import type { Text } from './frame.ts';
import { takesOf, textArgOf } from './takes.ts';
import { quantitiesIn } from './tests.ts';

/** A plan after a change in words, or what has to be asked about the change. */
export type Changed = { readonly plan: Plan } | { readonly ask: string };

interface Said {
  readonly at: number;
  readonly entity: Entity;
  /** It is to go: "not", "drop", "instead of" stand before it. */
  readonly gone: boolean;
  readonly only: boolean;
}

const dropping =
  /^(?:drop|remove|delete|without|not|no|dont|skip|except|lose|omit|forget|never|leave|cancel)$/u;
const adding = /^(?:also|add|and|plus|additionally|too|as|well)$/u;
const named: ReadonlySet<EntityKind> = new Set([
  'service',
  'project',
  'channel',
  'user',
  'issue',
  'incident',
  'severity',
  'duration',
]);

/** Whether a word before this place, up to the last thing or mark, takes it out. */
function isGone(text: Text, index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - 4); at -= 1) {
    const token = text.tokens[at];
    if (!token || token.kind === 'mark' || text.entities[at]?.some(({ kind }) => named.has(kind)))
      return false;
    if (
      dropping.test(token.low) ||
      (token.low === 'of' && text.tokens[at - 1]?.low === 'instead') ||
      token.low === 'than'
    )
      return true;
  }
  return false;
}

/** Things that the change names. A name that is not known here counts where a service could stand. */
function thingsIn(text: Text, plan: Plan): Said[] {
  const known = new Set(plan.steps.flatMap(({ args }) => Object.values(args).map(String)));
  return text.tokens.flatMap((token, at) => {
    const found = text.entities[at]?.filter(({ kind }) => named.has(kind)) ?? [];
    const entity = found.find(({ value }) => known.has(value)) ?? found[0];
    if (!entity) return [];
    const only = text.tokens
      .slice(Math.max(0, at - 2), at)
      .some(({ low }) => low === 'only' || low === 'just');
    return [{ at, entity, gone: isGone(text, at), only: only && token.kind === 'word' }];
  });
}

/** Arguments of a step that a thing of this kind can stand in. */
function placesFor(step: Step, text: Text, { kind }: Entity): string[] {
  const tool = text.lexicon.tools.get(step.tool);
  if (!tool) return [];
  const takes = kind === 'duration' ? 'duration' : kind;
  return Object.keys(step.args).filter((arg) => {
    const place = takesOf(tool, arg);
    return (
      place === takes ||
      (tool.asked?.role === 'message' &&
        ['channel', 'user'].includes(arg) &&
        ['channel', 'user'].includes(kind))
    );
  });
}

const roleOf = ({ tool }: Step, text: Text): AskedRole | undefined =>
  text.lexicon.tools.get(tool)?.asked?.role;

function withValue(step: Step, arg: string, entity: Entity, text: Text): Step {
  const { [arg]: _old, ...args } = step.args;
  const name =
    roleOf(step, text) === 'message' && (entity.kind === 'channel' || entity.kind === 'user')
      ? entity.kind
      : arg;
  return { ...step, args: { ...args, [name]: entity.value } };
}

function holds(step: Step, value: string): boolean {
  return Object.values(step.args).includes(value);
}

/** Puts a new thing in the place of the old one; null where it could be meant for several. */
function replaced(steps: readonly Step[], text: Text, fresh: Entity, old: Entity | null): Step[] | null {
  const places = steps.flatMap((step) => placesFor(step, text, fresh).map((arg) => String(step.args[arg])));
  const values = new Set(places);
  if (old === null && values.size > 1) return null;
  const [only] = values;
  const target = old?.value ?? only;
  if (target === undefined) return null;
  return steps.map((step) =>
    placesFor(step, text, fresh).reduce(
      (now, arg) => (now.args[arg] === target ? withValue(now, arg, fresh, text) : now),
      step,
    ),
  );
}

/** "post to #ops instead": what the plan pages is told there, in the same words. */
function postedInstead(steps: readonly Step[], text: Text, { kind, value }: Entity): Step[] | null {
  const instead = text.tokens.some(({ low }) => low === 'instead');
  const pages = (step: Step): boolean => roleOf(step, text) === 'page';
  const post = text.lexicon.byRole.get('message')?.name;
  if (!instead || (kind !== 'channel' && kind !== 'user') || steps.some(({ tool }) => tool === post))
    return null;
  if (!steps.some(pages) || post === undefined) return null;
  return steps.map((step) =>
    pages(step)
      ? {
          ...step,
          id: `post_${step.id}`,
          tool: post,
          args: { [kind]: value, text: step.args.text ?? '' },
        }
      : step,
  );
}

const bound = /(>=|<=|==|!=|>|<)\s*(\d+)/gu;

/** The new bound in the condition, and its opposite in the other branch; null where there are several bounds. */
function rebounded(steps: readonly Step[], text: Text): Step[] | null {
  const [said] = quantitiesIn(
    text,
    text.tokens.map((_token, index) => index),
  );
  if (said?.test.kind !== 'number') return null;
  const { op, value } = said.test;
  const bounds = new Set(
    steps.flatMap(({ when }) => [...(when ?? '').matchAll(bound)].map((match) => match[2])),
  );
  if (bounds.size !== 1) return null;
  const first = steps.flatMap(({ when }) =>
    [...(when ?? '').matchAll(bound)].map((match) => match[1] as Operator),
  )[0];
  const bare = op === '==';
  return steps.map((step) => {
    if (step.when === undefined) return step;
    const when = step.when.replace(
      bound,
      (_whole, was: string) => `${bare ? was : was === first ? op : opposite[op]} ${value}`,
    );
    return { ...step, when };
  });
}

/** Steps of the tools that the words name with a verb or a noun and take out. */
function withoutTools(steps: readonly Step[], text: Text): Step[] | null {
  const gone = new Set(
    text.phrases.flatMap((here, at) =>
      isGone(text, at)
        ? here.flatMap(({ senses }) =>
            senses.filter(({ role }) => role === 'verb' || role === 'noun').map(({ of }) => of),
          )
        : [],
    ),
  );
  const kept = steps.filter(({ tool }) => !gone.has(tool) || text.lexicon.tools.get(tool)?.effect === 'read');
  return kept.length < steps.length ? kept : null;
}

/** New text for the one message of the plan. */
function reworded(steps: readonly Step[], text: Text): Step[] | null {
  const quote = text.entities.flat().find(({ kind }) => kind === 'quote')?.value;
  const messages = steps.filter(
    ({ tool }) =>
      textArgOf(text.lexicon.tools.get(tool)) !== null && text.lexicon.tools.get(tool)?.effect === 'write',
  );
  if (quote === undefined || messages.length !== 1) return null;
  return steps.map((step) =>
    step === messages[0]
      ? { ...step, args: { ...step.args, [textArgOf(text.lexicon.tools.get(step.tool)) ?? 'text']: quote } }
      : step,
  );
}

/** Another order, under the condition that all writes of the plan share. */
function added(plan: Plan, text: Text): Step[] | null {
  const [best] = candidatesFor(text, new Map([['text', 'See the plan.']]));
  const fresh = best?.composed.left.length === 0 && best.composed.needs.length === 0 ? best.plan.steps : [];
  if (fresh.length === 0) return null;
  const conditions = new Set(
    plan.steps.filter(({ tool }) => text.lexicon.tools.get(tool)?.effect === 'write').map(({ when }) => when),
  );
  const [shared] = conditions.size === 1 ? conditions : [undefined];
  const ids = new Set(plan.steps.map(({ id }) => id));
  const message = plan.steps
    .map(({ tool, args }) => args[textArgOf(text.lexicon.tools.get(tool)) ?? ''])
    .find((one) => one !== undefined);
  return [
    ...plan.steps,
    ...fresh.map((step, index): Step => {
      const arg = textArgOf(text.lexicon.tools.get(step.tool));
      const own =
        arg !== null && step.args[arg] === 'See the plan.' && message !== undefined
          ? { ...step.args, [arg]: message }
          : step.args;
      const when = step.when ?? shared;
      const needs = [
        ...new Set([
          ...step.needs,
          ...(step.when === undefined && when !== undefined
            ? (plan.steps.find((one) => one.when === when)?.needs ?? [])
            : []),
        ]),
      ];
      return {
        ...step,
        id: ids.has(step.id) ? `${step.id}_${plan.steps.length + index + 1}` : step.id,
        args: own,
        needs,
        ...(when === undefined ? {} : { when }),
      };
    }),
  ];
}

/** Look-ups that nothing uses any more and that were there for a write go with it. */
function withoutLeftovers(steps: readonly Step[], before: readonly Step[], text: Text): Step[] {
  const uses = (step: Step, id: string): boolean =>
    JSON.stringify([step.args, step.when ?? '']).includes(`${id}.`);
  const ids = new Set(steps.map(({ id }) => id));
  return steps
    .filter(
      (step) =>
        text.lexicon.tools.get(step.tool)?.effect === 'write' ||
        !before.some((one) => uses(one, step.id)) ||
        steps.some((one) => uses(one, step.id)),
    )
    .map((step) => ({ ...step, needs: step.needs.filter((need) => ids.has(need)) }));
}

function finished(plan: Plan, steps: readonly Step[], text: Text): Changed {
  const kept = withoutLeftovers(steps, plan.steps, text);
  if (kept.length === 0) return { ask: 'Nothing would be left of the plan. What should it do instead?' };
  const summary = cut(planTitle(kept, text.lexicon.tools), planLimits.summary);
  const inputs = plan.inputs.filter(({ value }) => kept.some((step) => holds(step, value)));
  return { plan: { ...plan, summary: summary || plan.summary, inputs, steps: [...kept], success: [] } };
}

const unclear = {
  ask: 'What should be changed? For example: use P2, post to another channel, or do not page.',
};

function byThings(plan: Plan, text: Text, things: readonly Said[]): readonly Step[] | Changed {
  let steps: readonly Step[] = plan.steps;
  const gone = things.filter((one) => one.gone);
  const fresh = things.filter((one) => !one.gone && !steps.some((step) => holds(step, one.entity.value)));
  const only = things.find((one) => one.only && steps.some((step) => holds(step, one.entity.value)));
  if (only) {
    const place = (step: Step): boolean => placesFor(step, text, only.entity).length > 0;
    return steps.filter((step) => !place(step) || holds(step, only.entity.value));
  }
  for (const { entity } of fresh) {
    const old =
      gone.find(
        (one) =>
          one.entity.kind === entity.kind ||
          (['channel', 'user'].includes(entity.kind) && ['channel', 'user'].includes(one.entity.kind)),
      )?.entity ?? null;
    const next = postedInstead(steps, text, entity) ?? replaced(steps, text, entity, old);
    if (next === null) return unclear;
    steps = next;
  }
  if (fresh.length === 0)
    for (const { entity } of gone) steps = steps.filter((step) => !holds(step, entity.value));
  return steps;
}

/** Changes a plan as the words say: replaces things, bounds and texts, leaves steps out, or adds orders. */
export function changePlan(plan: Plan, text: Text): Changed {
  const things = thingsIn(text, plan);
  const first = text.tokens[0]?.low ?? '';
  const fresh = things.some(
    ({ entity, gone }) => !gone && !plan.steps.some((step) => holds(step, entity.value)),
  );
  if (adding.test(first) && fresh) {
    const more = added(plan, text);
    return more ? finished(plan, more, text) : unclear;
  }
  const byName = byThings(plan, text, things);
  if ('ask' in byName || 'plan' in byName) return byName as Changed;
  const changed = JSON.stringify(byName) !== JSON.stringify(plan.steps);
  const steps = (
    changed
      ? (rebounded(byName, text) ?? byName)
      : (rebounded(byName, text) ?? reworded(byName, text) ?? withoutTools(byName, text) ?? added(plan, text))
  ) as readonly Step[] | null;
  return steps === null ? unclear : finished(plan, steps, text);
}
