import type { Person, Who } from '../core/person.ts';

/** Looks up people at the time of a click. Each method may throw a VendorError: then nobody is allowed. */
export interface PeopleDirectory {
  /** A person with this id and another home is external. */
  person(who: Who): Promise<Person | null>;
  groupMembers(groupId: string): Promise<ReadonlySet<string>>;
  /** Slack user ids of the people on call for a service now. */
  onCall(service: string): Promise<readonly string[]>;
}
