import { useState } from 'react';
import type { Issue } from '../model.ts';
import { useSandbox } from '../sandbox-context.ts';
import { AddIssue } from './add-issue.tsx';
import { CloseMany } from './close-many.tsx';
import { IssueRow } from './issue-row.tsx';
import { Select } from './select.tsx';

type Status = 'open' | 'done' | 'all';

export interface Filter {
  project: string;
  priority: string;
  status: Status;
}

const statusNames: Record<Status, string> = { open: 'Open', done: 'Done', all: 'Open and done' };

export function JiraPane() {
  const { jira } = useSandbox().state;
  const [filter, setFilter] = useState<Filter>({ project: 'OPS', priority: 'P1', status: 'open' });
  const issues = jira.issues.filter((one) => matches(one, filter)).toReversed();
  return (
    <>
      <div className="toolbar">
        <Select
          label="Project"
          value={filter.project}
          options={[
            ['', 'All projects'],
            ...jira.projects.map((one): [string, string] => [one.key, one.key]),
          ]}
          onChange={(project) => setFilter({ ...filter, project })}
        />
        <Select
          label="Priority"
          value={filter.priority}
          options={[['', 'Any'], ...jira.priorities.map((one): [string, string] => [one, one])]}
          onChange={(priority) => setFilter({ ...filter, priority })}
        />
        <Select
          label="Status"
          value={filter.status}
          options={Object.entries(statusNames)}
          onChange={(status) => setFilter({ ...filter, status: statusOf(status) })}
        />
      </div>
      <p className="count" role="status">
        <strong>{issues.length}</strong> {describe(filter)}
      </p>
      <AddIssue filter={filter} />
      <CloseMany filter={filter} />
      <ul className="issues" aria-label="Issues">
        {issues.map((issue) => (
          <IssueRow key={issue.key} issue={issue} />
        ))}
      </ul>
    </>
  );
}

function matches(issue: Issue, filter: Filter): boolean {
  return (
    (filter.project === '' || issue.project === filter.project) &&
    (filter.priority === '' || issue.priority === filter.priority) &&
    (filter.status === 'all' || (filter.status === 'done') === issue.done)
  );
}

function describe({ project, priority, status }: Filter): string {
  return `${status === 'all' ? '' : `${status} `}${priority ? `${priority} ` : ''}issues ${project ? `in ${project}` : 'in all projects'}`;
}

function statusOf(value: string): Status {
  return value === 'open' || value === 'done' ? value : 'all';
}
