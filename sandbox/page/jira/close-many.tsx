import { useState } from 'react';
import { useSandbox } from '../sandbox-context.ts';
import type { Filter } from './filter.ts';

/** Ends a breach at once: closes open issues of one project and priority until N are left. */
export function CloseMany({ filter }: { filter: Filter }) {
  const { send } = useSandbox();
  const [keep, setKeep] = useState('18');
  const ready = filter.project !== '' && filter.priority !== '';
  return (
    <details className="fold">
      <summary>Close many</summary>
      {ready ? (
        <form
          className="fold-body"
          onSubmit={(event) => {
            event.preventDefault();
            void send('POST', '/api/jira/issues/bulk-close', {
              project: filter.project,
              priority: filter.priority,
              keepOpen: Number(keep),
            });
          }}
        >
          <label className="labelled">
            <span>
              Open {filter.priority} issues to keep in {filter.project}
            </span>
            <input
              className="input"
              type="number"
              min={0}
              step={1}
              required
              value={keep}
              onChange={(event) => setKeep(event.target.value)}
            />
          </label>
          <button type="submit" className="button">
            Close the others
          </button>
        </form>
      ) : (
        <p className="muted">Choose one project and one priority above first.</p>
      )}
    </details>
  );
}
