/** One use of `/plan`: how to type it, and what it does. */
export interface Way {
  readonly typed: readonly string[];
  readonly about: string;
}

/** Everything `/plan` accepts, for its help and the reference page. Short: help is read on a phone. */
export const ways: readonly Way[] = [
  { typed: ['/plan <what you want>'], about: 'I answer with a plan, one question, or a reason why not' },
  { typed: ['/plan jira.count project=OPS'], about: 'a plan in notation, used as typed' },
  { typed: ['/plan help'], about: 'this list' },
  { typed: ['/plan list'], about: 'ready-made plans' },
  { typed: ['/plan run <name>'], about: 'one of them' },
  { typed: ['/plan save <name>'], about: 'keep your last plan that succeeded, as a playbook' },
  { typed: ['/plan saved'], about: 'playbooks that people saved, with a button to remove each' },
  {
    typed: ['/plan status', '/plan mine', '/plan history [service, person, ticket]'],
    about: 'pending, running and past plans',
  },
  {
    typed: ['/plan watches'],
    about: 'active watches; to start one, say “every 10 minutes”',
  },
  {
    typed: ['/plan handover [hours]'],
    about:
      'posts for the next shift what was paged and done, what failed, and what is open; 12 hours, or up to 7 days',
  },
  { typed: ['/plan approvals'], about: 'standing approvals, with a button to revoke each' },
  { typed: ['/plan show <id>'], about: 'a plan, with proof of what it did' },
  { typed: ['/plan policy <what you want>'], about: 'who may approve it, and why' },
  { typed: ['/plan break-glass <id>'], about: 'emergency approval on your own, if configured' },
  { typed: ['/plan stop [id]'], about: 'stop a run, or a plan that is waiting' },
  {
    typed: ['/plan stop all: <reason>', '/plan resume: <reason>'],
    about: 'stop every write, and allow them again',
  },
];
