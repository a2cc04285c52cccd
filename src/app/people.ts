import type { PeopleDirectory } from '../approval/ports.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';

/** Milliseconds to find out who is on call; who may approve is asked at the click. */
const onCallMs = 5_000;

/** Who people are: Slack for persons and groups, PagerDuty and Slack together for who is on call. */
export function peopleDirectory(
  gateway: Pick<SlackGateway, 'userInfo' | 'groupMembers' | 'userByEmail'>,
  pagerduty: Pick<PagerDutyReader, 'oncall'>,
): PeopleDirectory {
  return {
    async person({ userId, home }) {
      const person = await gateway.userInfo(userId);
      const another = person !== null && home !== null && !person.homes.includes(home);
      return another ? { ...person, external: true } : person;
    },
    groupMembers: (groupId) => gateway.groupMembers(groupId),
    async onCall(service) {
      const people = await pagerduty.oncall(service, AbortSignal.timeout(onCallMs));
      const ids = await Promise.all(people.map(({ email }) => (email ? gateway.userByEmail(email) : null)));
      return ids.filter((id) => id !== null);
    },
  };
}
