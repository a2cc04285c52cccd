import { useState } from 'react';
import type { Issue } from '../model.ts';
import { useSandbox } from '../sandbox-context.ts';
import { isDone } from './filter.ts';

export function IssueRow({ issue }: { issue: Issue }) {
  const { send } = useSandbox();
  const [busy, setBusy] = useState(false);
  const done = isDone(issue);
  const verb = done ? 'Reopen' : 'Close';

  async function move() {
    setBusy(true);
    await send('POST', `/api/jira/issues/${encodeURIComponent(issue.key)}/transition`, {
      to: done ? 'To Do' : 'Resolved',
    });
    setBusy(false);
  }
  return (
    <li className={done ? 'issue issue-done' : 'issue'}>
      <div className="issue-text">
        <div className="issue-head">
          <span className="issue-key">{issue.key}</span>
          <span className={`pill priority-${issue.priority}`}>{issue.priority}</span>
          <span className={`pill status-${issue.statusCategory}`}>{issue.status}</span>
        </div>
        <div className="issue-summary">{issue.summary}</div>
        {issue.comments.length > 0 ? (
          <details className="issue-comments">
            <summary>
              {issue.comments.length === 1 ? '1 comment' : `${issue.comments.length} comments`}
            </summary>
            {issue.comments.map((one) => (
              <p key={one.id}>
                <strong>{one.author}</strong> {one.text}
              </p>
            ))}
          </details>
        ) : null}
      </div>
      <button
        type="button"
        className="button button-small"
        disabled={busy}
        aria-label={`${verb} ${issue.key}`}
        onClick={() => void move()}
      >
        {verb}
      </button>
    </li>
  );
}
