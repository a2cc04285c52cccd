import type { PeopleDirectory, Who } from '../approval/ports.ts';
import { refusalMessage } from '../approval/private-words.ts';
import { isFullMember } from '../approval/who.ts';
import type { Say } from '../pipeline.ts';
import type { World } from './world.ts';

/** Milliseconds to find out who is on call; who may approve is asked at the click. */
const patienceMs = 5_000;

type Needed = Pick<World, 'gateway' | 'readers'>;

/** Who people are, as far as it is shown: an answer may be a minute old. */
export function peopleDirectory({ gateway, readers }: Needed): PeopleDirectory {
  return directory(gateway, readers);
}

/** Who people are when they decide: asked now. */
export function freshDirectory({ gateway, readers }: Needed): PeopleDirectory {
  return directory(gateway.fresh, readers);
}

/** Slack for persons and groups, PagerDuty and Slack together for who is on call. */
function directory(slack: World['gateway']['fresh'], readers: World['readers']): PeopleDirectory {
  return {
    async person({ userId, home }) {
      const person = await slack.userInfo(userId);
      const another = person !== null && home !== null && !person.homes.includes(home);
      return another ? { ...person, external: true } : person;
    },
    groupMembers: (groupId) => slack.groupMembers(groupId),
    async onCall(service) {
      const people = await readers.pagerduty.oncall(service, AbortSignal.timeout(patienceMs));
      const ids = await Promise.all(people.map(({ email }) => (email ? slack.userByEmail(email) : null)));
      return ids.filter((id) => id !== null);
    },
  };
}

/** Only full members may ask, answer and change; anybody else is told so. */
export async function mayTalk(world: World, who: Who, say: Say): Promise<boolean> {
  const verdict = await isFullMember(who, peopleDirectory(world));
  if (!verdict.allowed) await say(refusalMessage({ code: 'not_allowed', verdict }));
  return verdict.allowed;
}
