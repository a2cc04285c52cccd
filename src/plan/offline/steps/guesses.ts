/** What a plan takes for granted, in words. A change compares them with what its plan says, so each is said here alone. */

export const openTicketsOnly = 'Only open tickets.';

/** The operator's own, where none was named. */
export const notNamed = (kind: 'service' | 'project', name: string): string =>
  `No ${kind} was named, so I used ${name}.`;

/** The service of a project, or the project of a service, where the other one was named. */
export const belonging = (kind: 'service' | 'project', name: string, to: string): string =>
  `${name} is the ${kind} of ${to}.`;

/** "page me" */
export const yourService = (name: string): string => `You are on call for ${name}, so I used that.`;

/** An incident or an error that somebody is paged for. */
export const sameService = (name: string): string => `No other service was named, so I used ${name}.`;
