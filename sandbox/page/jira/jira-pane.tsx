import { useState } from 'react';
import { useSandbox } from '../sandbox-context.ts';
import { AddIssue } from './add-issue.tsx';
import { CloseMany } from './close-many.tsx';
import { describe, type Filter, matches, statusNames, statusOf } from './filter.ts';
import { IssueRow } from './issue-row.tsx';
import { Select } from './select.tsx';

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
