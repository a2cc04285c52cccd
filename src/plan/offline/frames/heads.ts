import type { Manifest } from '../../../core/manifest.ts';
import { is, isAlone, phraseIn, range, type Text } from '../words/text.ts';
import { argsThatTake, textArgOf } from './takes.ts';

/** The order in front of what it says to somebody. */

/** What an order may be for, or on. */
export const targets = ['channel', 'user', 'issue', 'service', 'incident'] as const;

/** Words of an order before what it says: more than these are none. */
const farthest = 20;

/** The tool of an order that ends here and says to whom or to what. */
export function headBefore(text: Text, colon: number): Manifest | null {
  const writes = [...text.lexicon.tools.values()].filter(
    (tool) => tool.effect === 'write' && textArgOf(tool) !== null,
  );
  for (
    let verb = colon - 1;
    verb >= Math.max(0, colon - farthest) && !is(text, verb, 'sentence ends', 'question ends');
    verb -= 1
  ) {
    // "open bugs in WEB: …" speaks of those that are open.
    if (isAlone(text, verb, 'value')) continue;
    const tool = writes.find((one) => {
      const said = text.words[verb]?.phrases.find(({ tags }) => tags.has(`verb ${one.name}`));
      const behind = said ? range(verb + said.length, colon) : [];
      return isAllOf(text, behind, one) && behind.some((index) => isAim(text, index, one));
    });
    if (tool) return tool;
  }
  return null;
}

/** What an order is aimed at: a thing of a kind that it takes, a name that nobody knows, the ticket that is to be made, or the one that a look-up finds. */
function isAim(text: Text, index: number, tool: Manifest): boolean {
  const kinds = targets.filter((kind) => argsThatTake(tool, kind).length > 0);
  const made = ['project', `noun ${tool.name}`, `value ${tool.name} type`];
  const found = `value ${finderOf(text, tool)?.name} order`;
  return is(text, index, 'unknown', found, ...kinds, ...(tool.asked?.role === 'create' ? made : []));
}

/** The look-up of which one result may be what a tool acts on: "comment on the oldest P1 in OPS". */
export function finderOf({ lexicon }: Text, tool: Manifest): Manifest | undefined {
  if (tool.effect === 'read') return undefined;
  if (argsThatTake(tool, 'issue').length > 0) return lexicon.byRole.get('list');
  return argsThatTake(tool, 'incident').length > 0 ? lexicon.byRole.get('alarms') : undefined;
}

/** Whether words are nothing but what an order is said with: its target, its values, and what its cues ask for. */
function isAllOf(text: Text, behind: readonly number[], tool: Manifest): boolean {
  const { name } = tool;
  const values = [`value ${name}`, `value ${finderOf(text, tool)?.name}`];
  const others = ['empty', 'and', 'thing', 'unknown', `noun ${name}`, `also ${name}`];
  for (let at = 0; at < behind.length; ) {
    const [value, cue] = [phraseIn(text, behind, at, ...values), phraseIn(text, behind, at, `cue ${name}`)];
    if (!value && !cue && !is(text, behind[at] ?? -1, ...others)) return false;
    at += value?.length ?? (cue ? cue.length + 1 : 1);
  }
  return true;
}
