/** Action ids of buttons and menus. */
export const actionIds = {
  approve: 'plan.approve',
  edit: 'plan.edit',
  dryRun: 'plan.dry_run',
  reject: 'plan.reject',
  again: 'plan.again',
  details: 'plan.details',
  cancel: 'plan.cancel',
  /** Proposes the step that undoes another. */
  undo: 'step.undo',
  /** Followed by the tool of the requested step. */
  next: 'step.next.',
  /** Opens the form behind `/plan`. */
  planNext: 'plan.next',
  /** Followed by the number of the option, from 0. */
  clarify: 'clarify.answer.',
  /** Asks for its value, as if it had been typed; followed by its place. */
  ask: 'plan.ask.',
  /** Rates an answer or a finished run. */
  rate: 'plan.rate',
  editStep: 'plan.edit.step',
  /** Adds a field to the form for an argument that the plan does not set. */
  editMore: 'plan.edit.more',
  /** The next page of a list of plans. */
  older: 'history.older',
  /** A card as people saw it before they decided. */
  shownCard: 'story.card',
  /** Opens the form of a standing approval, and ends one. */
  standing: 'plan.standing',
  revoke: 'standing.revoke',
  /** Followed by where to: `channel` or `ticket`. */
  publishReview: 'review.publish.',
  /** Ends a watch. */
  endWatch: 'watch.end',
  /** Removes a saved playbook. */
  removePlaybook: 'playbook.remove',
  /** Acknowledges the incident of PagerDuty that an alert's message shows. */
  ackAlert: 'alert.ack',
  /** The review of an incident that an alert was about. */
  reviewAlert: 'alert.review',
  /** Proposes the fix of a supported cause: below an answer, and below an alert; followed by the cause's place there. */
  fix: 'cause.fix.',
  fixAlert: 'alert.fix.',
  /** Proposes the fix of the next cause, after a write that did not help. */
  nextFix: 'cause.next',
  /** Opens the form behind `/plan` with a ready-made plan. */
  fillIn: 'playbook.fill_in',
  /** Repeats a past plan; followed by its place. */
  same: 'plan.same.',
  /** Another ready-made plan in the form behind `/plan`. */
  askPlaybook: 'ask.playbook',
} as const;

/** Callback ids of modals. */
export const viewIds = {
  edit: 'plan.edit.submit',
  reject: 'plan.reject.submit',
  /** Why something was rated as not helpful. */
  rate: 'plan.rate.submit',
  details: 'plan.details.submit',
  glass: 'plan.glass.submit',
  standing: 'plan.standing.submit',
  ask: 'plan.ask.submit',
  /** The values that a button's step needs first. */
  next: 'step.next.submit',
} as const;
