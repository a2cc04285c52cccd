import type { ArgWords } from '../src/core/manifest.ts';

/** Issue filters as words: "open P1 bugs in OPS without label tech-debt, created in the last 2 days". */
export function issueWords(args: ArgWords): string {
  const kind = args.type ? `${args.type.toLowerCase()} tickets` : 'tickets';
  const what = [args.status && args.status !== 'all' ? args.status : '', args.priority, kind];
  const made = args.status === 'closed' || args.status === 'done' ? 'closed' : 'created';
  const tail = [
    args.priority_not ? `without ${args.priority_not}` : '',
    args.project ? `in ${args.project}` : '',
    args.assignee
      ? args.assignee === 'unassigned'
        ? 'that nobody is assigned to'
        : `assigned to ${args.assignee}`
      : '',
    args.assignee_not ? `not assigned to ${args.assignee_not}` : '',
    args.label ? `labelled ${args.label}` : '',
    args.label_not ? `not labelled ${args.label_not}` : '',
    args.text ? `about “${args.text}”` : '',
    args.window ? `${made} in the last ${durationWords(args.window)}` : '',
    args.since ? `${made} since ${args.since}` : '',
    args.older_than ? `older than ${durationWords(args.older_than)}` : '',
    args.not_updated_for ? `not updated for ${durationWords(args.not_updated_for)}` : '',
  ];
  return [...what, ...tail].filter(Boolean).join(' ');
}

const units: Record<string, string> = { W: 'week', D: 'day', H: 'hour', M: 'minute', S: 'second' };

/** An ISO 8601 duration in words: PT45M is "45 minutes". Anything else is returned as it is. */
export function durationWords(iso: string): string {
  if (!/^P(\d+W|(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$/.test(iso)) return iso;
  const parts = [...iso.matchAll(/(\d+)([WDHMS])/g)].map(([, count, unit]) => {
    const word = units[unit ?? ''] ?? '';
    return `${count} ${word}${count === '1' ? '' : 's'}`;
  });
  return parts.join(' ') || iso;
}
