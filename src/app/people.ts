import type { PeopleDirectory } from '../approval/ports.ts';
import * as requests from '../store/requests.ts';
import type { TeamDb } from '../store/tables.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';

/** Whether a person may see a request: their own, and those in channels they can read. */
export function seesRequest({
  db,
  teamId,
  gateway,
}: TeamDb & { readonly gateway: Pick<SlackGateway, 'isIn'> }): (
  userId: string,
  requestId: string,
) => Promise<boolean> {
  return async (userId, requestId) => {
    const request = await requests.get(db, teamId, requestId);
    return request !== null && (request.requester === userId || gateway.isIn(userId, request.channel));
  };
}

/** Time limit for looking up who is on call, in milliseconds; who may approve is checked at the click. */
const onCallMs = 5_000;

/** Looks up people: Slack for persons and groups, PagerDuty and Slack together for who is on call. */
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
