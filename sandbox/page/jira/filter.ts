import type { Issue } from '../model.ts';

export type Status = 'open' | 'done' | 'all';

export function isDone(issue: Issue): boolean {
  return issue.statusCategory === 'done';
}

/** An empty project or priority means any. */
export interface Filter {
  project: string;
  priority: string;
  status: Status;
}

export const statusNames: Record<Status, string> = { open: 'Open', done: 'Done', all: 'Open and done' };

export function matches(issue: Issue, filter: Filter): boolean {
  return (
    (filter.project === '' || issue.project === filter.project) &&
    (filter.priority === '' || issue.priority === filter.priority) &&
    (filter.status === 'all' || (filter.status === 'done') === isDone(issue))
  );
}

/** `open P1 issues in OPS`, for display after their number. */
export function describe({ project, priority, status }: Filter): string {
  return `${status === 'all' ? '' : `${status} `}${priority ? `${priority} ` : ''}issues ${project ? `in ${project}` : 'in all projects'}`;
}

export function statusOf(value: string): Status {
  return value === 'open' || value === 'done' ? value : 'all';
}
