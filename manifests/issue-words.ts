import type { ArgWords } from '../src/core/manifest.ts';
import { dayNames, durationWords, duringWords, lastWords, sinceWords } from './time-words.ts';

/** Issue filters in words: "open P1 bugs in OPS without label tech-debt, created in the last 2 days". */
export function issueWords(args: ArgWords, total = 2): string {
  const noun = total === 1 ? 'ticket' : 'tickets';
  const kind = args.type ? `${args.type.toLowerCase()} ${noun}` : noun;
  const isClosed = args.status === 'closed' || args.status === 'done';
  const made = isClosed ? 'closed' : 'created';
  // "closed yesterday" already says that they are closed.
  const isSaid =
    args.status === 'all' || (isClosed && (args.window || args.since || args.until || args.during));
  const what = [isSaid ? '' : args.status, args.priority, kind];
  const tail = [
    args.priority_not ? `without ${args.priority_not}` : '',
    args.type_not ? `other than ${args.type_not.toLowerCase()}` : '',
    args.status_not ? `not ${args.status_not}` : '',
    args.project ? `in ${args.project}` : '',
    args.assignee
      ? args.assignee === 'unassigned'
        ? 'that nobody is assigned to'
        : `assigned to ${args.assignee === 'me' ? 'whoever asked' : args.assignee}`
      : '',
    args.assignee_not ? `not assigned to ${args.assignee_not}` : '',
    args.label ? `labelled ${named(args.label)}` : '',
    args.label_not ? `not labelled ${named(args.label_not)}` : '',
    args.component ? `of component ${named(args.component)}` : '',
    args.text ? `about “${args.text}”` : '',
    args.window ? `${made} ${lastWords(args.window)}` : '',
    args.since ? `${made} ${sinceWords(args.since)}` : '',
    args.until ? `${made} before ${dayNames(args.until)}` : '',
    args.during ? `${made} ${duringWords(args.during)}` : '',
    args.older_than ? `older than ${durationWords(args.older_than)}` : '',
    args.not_updated_for ? `not updated for ${durationWords(args.not_updated_for)}` : '',
    args.updated_within ? `updated ${lastWords(args.updated_within)}` : '',
    args.updated_since ? `updated ${sinceWords(args.updated_since)}` : '',
  ];
  return [...what, ...tail].filter(Boolean).join(' ');
}

/** A name in a sentence, quoted if it could be mistaken for words of the sentence. */
function named(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `“${name}”`;
}
