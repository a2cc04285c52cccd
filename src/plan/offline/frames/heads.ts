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
    const isState = isAlone(text, verb, 'value') && !is(text, verb + 1, 'articles');
    const tool = writes.find((one) => {
      const said = text.words[verb]?.phrases.find(({ tags }) => tags.has(`verb ${one.name}`));
      const behind = range(verb + (said?.length ?? 0), colon);
      return (
        said !== undefined &&
        !(isState && one.asked?.role === 'create') &&
        isAllOf(text, behind, one) &&
        behind.some((index) => isAim(text, index, one))
      );
    });
    if (tool) return tool;
  }
  return null;
}

/** What an order is aimed at: a thing of a kind that it takes, a word that nobody knows where a name belongs, or the ticket that is to be made. */
function isAim(text: Text, index: number, tool: Manifest): boolean {
  const kinds = targets.filter((kind) => argsThatTake(tool, kind).length > 0);
  // "page @ana", "note on checkout: …": who is called by name, and an incident that goes by its service.
  const also = [...(tool.oncePer ? ['user'] : []), ...(kinds.includes('incident') ? ['service'] : [])];
  return (
    is(text, index, ...kinds, ...also) ||
    ranks(text, index, finderOf(text, tool)) ||
    (is(text, index, 'unknown') && is(text, index - 1, 'verb write', 'cue write', 'within')) ||
    (tool.asked?.role === 'create' &&
      is(text, index, 'project', `noun ${tool.name}`, `value ${tool.name} type`))
  );
}

/** The look-up of which one result may be what a tool acts on: "comment on the oldest P1 in OPS". */
export function finderOf({ lexicon }: Text, tool: Manifest): Manifest | undefined {
  if (tool.effect === 'read') return undefined;
  if (argsThatTake(tool, 'issue').length > 0) return lexicon.byRole.get('list');
  return argsThatTake(tool, 'incident').length > 0 ? lexicon.byRole.get('alarms') : undefined;
}

/** "the oldest": a word that picks one of what a look-up finds. */
const ranks = (text: Text, index: number, finder: Manifest | undefined): boolean =>
  finder !== undefined && is(text, index, `value ${finder.name} order`);

/** Whether words are nothing but what an order is said with: its target, its values, and what its cues ask for. */
function isAllOf(text: Text, behind: readonly number[], tool: Manifest): boolean {
  const finder = finderOf(text, tool);
  const isFound = behind.some((index) => ranks(text, index, finder));
  for (let at = 0; at < behind.length; ) {
    const [value, cue, own] = [
      `value ${tool.name}`,
      `cue ${tool.name}`,
      ...(finder && isFound ? [`value ${finder.name}`] : []),
    ].map((tag) => phraseIn(text, behind, at, tag));
    const known = value ?? own;
    if (!known && !cue && !isOf(text, behind[at] ?? -1, tool)) return false;
    at += known?.length ?? (cue ? cue.length + 1 : 1);
  }
  return true;
}

const isOf = (text: Text, index: number, { name }: Manifest): boolean =>
  is(
    text,
    index,
    'empty',
    'and',
    'thing',
    'unknown',
    `noun ${name}`,
    `also ${name}`,
    `cue ${name}`,
    `value ${name}`,
  ) && !is(text, index, 'if', 'unless', 'quote', 'saying');
