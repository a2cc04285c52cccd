import { actionIds } from './ids.ts';
import { actions, button, confirmation } from './layout.ts';
import type { Block } from './message.ts';

/** The button that ends a watch, below its message and in lists. */
export function endWatchButton(id: string): Block {
  const confirm = confirmation({
    title: 'End this watch?',
    text: 'It no longer checks. A card that is waiting stays open.',
    yes: 'End it',
    no: 'Keep it',
  });
  return actions([button({ text: 'End', action: actionIds.endWatch, value: id, confirm })], `watch_${id}`);
}
