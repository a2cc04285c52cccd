/** What a plan takes for granted, in words. A change compares them with what its plan says, so each is said here alone. */

export const openTicketsOnly = 'Only open tickets.';

/** The operator's own, where none was named. */
export function notNamed(kind: 'service' | 'project', name: string): string {
  return `No ${kind} was named, so I used ${name}.`;
}

/** The service of a project, or the project of a service, where the other one was named. */
export function belonging(kind: 'service' | 'project', name: string, to: string): string {
  return `${name} is the ${kind} of ${to}.`;
}

/** "page me" */
export function yourService(name: string): string {
  return `You are on call for ${name}, so I used that.`;
}

/** An incident or an error that somebody is paged for. */
export function sameService(name: string): string {
  return `No other service was named, so I used ${name}.`;
}
