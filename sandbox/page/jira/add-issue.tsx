import { useState } from 'react';
import { useSandbox } from '../sandbox-context.ts';
import type { Filter } from './filter.ts';
import { Select } from './select.tsx';

/** One new issue, starting with the project and priority of the filter. */
export function AddIssue({ filter }: { filter: Filter }) {
  const { as, state, send } = useSandbox();
  const { projects, priorities, issueTypes } = state.jira;
  const [summary, setSummary] = useState('');
  const [chosen, setChosen] = useState<{ project?: string; priority?: string; issueType?: string }>({});
  const project = chosen.project ?? (filter.project || projects[0]?.key || '');
  const priority = chosen.priority ?? (filter.priority || 'P3');
  const issueType = chosen.issueType ?? 'Incident';

  async function add() {
    const sent = await send('POST', '/api/jira/issues', { as, project, priority, issueType, summary });
    if (sent) setSummary('');
  }
  const same = (names: readonly string[]) => names.map((one): [string, string] => [one, one]);
  return (
    <details className="fold">
      <summary>Add an issue</summary>
      <form
        className="fold-body"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label className="labelled wide">
          <span>Summary</span>
          <input className="input" value={summary} onChange={(event) => setSummary(event.target.value)} />
        </label>
        <Select
          label="In project"
          value={project}
          options={same(projects.map((one) => one.key))}
          onChange={(value) => setChosen({ ...chosen, project: value })}
        />
        <Select
          label="With priority"
          value={priority}
          options={same(priorities)}
          onChange={(value) => setChosen({ ...chosen, priority: value })}
        />
        <Select
          label="Type"
          value={issueType}
          options={same(issueTypes)}
          onChange={(value) => setChosen({ ...chosen, issueType: value })}
        />
        <button type="submit" className="button button-primary" disabled={summary.trim() === ''}>
          Add issue
        </button>
      </form>
    </details>
  );
}
