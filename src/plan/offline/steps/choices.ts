import type { Frame } from '../frames/frame.ts';
import { argsThatTake, valueAs } from '../frames/takes.ts';
import { type DraftValue, isWrite } from './draft.ts';
import { type Memory, need, valuesOf } from './memory.ts';

/** What the slots of a frame come to: answers in the place of names that nothing here has, and one step for each value. */

/** Every combination of the values of the slots: two priorities in two projects are four look-ups. */
export function combinations({ tool, slots }: Pick<Frame, 'tool' | 'slots'>): Map<string, DraftValue>[] {
  const several = tool.exactlyOne.find((group) => group.filter((arg) => slots.has(arg)).length > 1);
  if (several)
    return several
      .filter((arg) => slots.has(arg))
      .map((arg) => new Map([...slots].filter(([name]) => name === arg || !several.includes(name))))
      .flatMap((own) => combinations({ tool, slots: own }));
  let maps: Map<string, DraftValue>[] = [new Map()];
  for (const [arg, values] of slots) {
    maps = maps.flatMap((map) => values.map((value) => new Map([...map, [arg, valueAs(tool, arg, value)]])));
  }
  return maps;
}

/**
 * A frame in which an answer stands for the name that nothing here has. Other such names, and targets that were left open
 * with "or", are asked about.
 */
export function settled(memory: Memory, frame: Frame): Frame {
  const slots = new Map(frame.slots);
  // "high priority": which level that is here is not known.
  const levels = argsThatTake(frame.tool, 'severity').flatMap((arg) =>
    (slots.get(arg) ?? []).filter((said) => !/^P\d$/u.test(said)).map((said) => ({ arg, said })),
  );
  for (const { arg, said } of [...frame.strange, ...levels]) {
    const answer = memory.given.get(arg);
    if (answer === undefined) need(memory, 'strange', arg, { said });
    else slots.set(arg, valuesOf(answer));
  }
  // "Which service?" – "ops and checkout", "#ops and @ana": one step for each.
  const { exactlyOne, args } = frame.tool;
  for (const [arg, list] of memory.given) {
    const others = exactlyOne.find((group) => group.includes(arg))?.filter((one) => memory.given.has(one));
    const isMany = valuesOf(list).length > 1 || (others?.length ?? 0) > 1;
    if (isMany && arg in args.shape && !slots.has(arg)) slots.set(arg, valuesOf(list));
  }
  // "in each project": one look-up for each that is here.
  if (slots.get('project')?.includes('each')) {
    const every = memory.text.catalogue.projects.map(({ key }) => key);
    if (every.length === 0) need(memory, 'missing', 'project');
    slots.set('project', every);
  }
  // A look-up leaves out one value: two look-ups would each bring back what the other leaves out.
  for (const [arg, options] of slots) {
    if (!arg.endsWith('_not') || options.length < 2) continue;
    const answer = memory.given.get(arg);
    if (answer === undefined) need(memory, 'exclude', arg, { options });
    slots.set(arg, [answer ?? options[0] ?? '']);
  }
  memory.service = slots.get('service')?.at(-1) ?? memory.service;
  const chosen = frame.either === null ? undefined : memory.given.get(frame.either);
  if (frame.either && chosen !== undefined) slots.set(frame.either, [chosen]);
  else if (frame.either && isWrite(frame))
    need(memory, 'either', frame.either, { options: slots.get(frame.either) ?? [] });
  return { ...frame, slots };
}
