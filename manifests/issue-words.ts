import type { ArgWords, Asked } from '../src/core/manifest.ts';

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

/** How people say which issues they mean, for counting and for listing. */
export const issuesAsked = {
  nouns: [
    'ticket',
    'issue',
    'backlog',
    'queue',
    'jira',
    'jira ticket',
    'jira issue',
    'one',
    'case',
    'card',
    'jiras',
    'ticket count',
    'open count',
    'ones',
    'request',
    'everything',
    'whatever',
    'item',
  ],
  calls: ['priority', 'status', 'type', 'assignee', 'label'],
  args: {
    project: {
      cues: ['in', 'for', 'of', 'on', 'at', 'from', 'project', 'within', 'under', 'to', 'into'],
      after: ['project', 'board', 'queue', 'backlog'],
    },
    priority: { cues: ['of priority', 'with priority', 'priority', 'prio', 'of'] },
    status: {
      words: {
        open: ['open', 'unresolved', 'still open', 'outstanding', 'unclosed', 'unfinished'],
        closed: ['closed', 'resolved', 'done', 'finished', 'completed', 'fixed', 'solved'],
        blocked: ['blocked'],
        'in progress': ['in progress', 'in-progress'],
        'in review': ['in review'],
        reopened: ['reopened'],
        waiting: ['waiting'],
        'to do': ['to do', 'todo'],
      },
    },
    type: {
      words: {
        bug: ['bug', 'defect'],
        story: ['story', 'user story'],
        task: ['task'],
        incident: ['incident ticket'],
        epic: ['epic'],
        'sub-task': ['sub-task', 'subtask'],
        improvement: ['improvement'],
      },
    },
    assignee: {
      takes: 'person',
      cues: [
        'assigned to',
        'owned by',
        'assignee',
        'on the plate of',
        'belonging to',
        'held by',
        'worked on by',
      ],
      words: {
        unassigned: [
          'unassigned',
          'not assigned',
          'without assignee',
          'without an assignee',
          'no assignee',
          'nobody assigned',
          'no one assigned',
          'with nobody assigned',
          'without an owner',
          'no owner',
          'nobody owns',
          'ownerless',
          'not assigned to anyone',
          'assigned to nobody',
          'nobody is assigned to',
          'have no assignee',
          'has no assignee',
          'without owner',
          'with no assignee',
          'with no owner',
          'nobody has taken',
          'nobody took',
          'nobody picked up',
          'nobody has picked up',
          'assigned to no one',
          'no one owns',
          'orphaned',
        ],
      },
    },
    label: {
      takes: 'word',
      cues: [
        'label',
        'labelled',
        'labeled',
        'tagged',
        'with label',
        'with the label',
        'tagged with',
        'carrying the label',
        'labelled as',
        'labels',
        'carry',
        'carry the label',
        'carrying',
        'tag',
      ],
    },
    text: {
      takes: 'topic',
      cues: [
        'about',
        'mentioning',
        'containing',
        'mention',
        'that mention',
        'matching',
        'regarding',
        'with the words',
        'contain',
        'with the text',
        'that contain',
        'whose summary has',
        'mentions',
        'concerning',
        'say',
        'titled',
        'that say',
      ],
    },
    window: {
      takes: 'duration',
      cues: [
        'last',
        'past',
        'in the last',
        'in the past',
        'within the last',
        'over the last',
        'over the past',
        'during the last',
        'during the past',
        'created in the last',
        'for the last',
        'from the last',
        'within the past',
        'in',
        'newer than',
        'younger than',
        'the last',
        'the past',
        'previous',
        'within',
        'for the past',
        'from the past',
      ],
    },
    since: {
      takes: 'time',
      cues: [
        'since',
        'from',
        'created',
        'after',
        'created since',
        'opened',
        'opened since',
        'raised',
        'filed',
        'closed',
        'on',
        'came in',
        'reported',
      ],
    },
    older_than: {
      takes: 'duration',
      cues: [
        'older than',
        'open for more than',
        'more than',
        'open longer than',
        'for more than',
        'over',
        'for over',
        'open for over',
        'longer than',
        'created more than',
        'that are older than',
        'for longer than',
      ],
    },
    not_updated_for: {
      takes: 'duration',
      cues: [
        'not updated for',
        'untouched for',
        'not updated in',
        'no update for',
        'without update for',
        'without an update for',
        'not touched for',
        'idle for',
        'stale for',
        'not changed for',
        'no updates in',
        'not touched in',
        'not changed in',
        'without updates for',
        'not updated in the last',
        'not updated in over',
        'not updated for more than',
        'not updated for over',
        'no activity for',
        'no updates for',
        'no update in',
        'untouched for over',
        'untouched for more than',
        'idle for over',
        'idle for more than',
        'untouched in',
        'without activity for',
        'stale for over',
        'not touched for over',
        'no movement for',
      ],
    },
  },
} as const satisfies Omit<Asked, 'examples' | 'verbs'>;
