import type { Say } from '../blocks/message.ts';
import type { Who } from '../core/person.ts';
import type { PeopleDirectory } from './ports.ts';
import { refusalMessage } from './private-words.ts';
import { isFullMember } from './who.ts';

/** Only full members may ask, answer, change and stop; anybody else is told so. */
export async function mayTalk(who: Who, people: PeopleDirectory, say: Say): Promise<boolean> {
  const verdict = await isFullMember(who, people);
  if (!verdict.allowed) await say(refusalMessage({ code: 'not_allowed', verdict }));
  return verdict.allowed;
}
