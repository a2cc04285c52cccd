import { useState } from 'react';
import { clockTime } from '../blocks/slack-date.ts';
import { useSandbox } from '../sandbox-context.ts';

/** The alerts of the company's monitoring, each of which is fired and resolved by hand. */
export function MonitoringPane() {
  const { state, send } = useSandbox();
  const [busy, setBusy] = useState(false);

  async function set(name: string, verb: 'fire' | 'resolve') {
    setBusy(true);
    await send('POST', `/api/monitoring/${encodeURIComponent(name)}/${verb}`, {});
    setBusy(false);
  }
  return (
    <ul className="alerts" aria-label="Alerts">
      {state.monitoring.map(({ name, about, since }) => {
        const verb = since === null ? 'fire' : 'resolve';
        return (
          <li key={name} className={since === null ? '' : 'alert-firing'}>
            <span className="alert-text">
              <strong>{name}</strong>
              <span className="muted">
                {since === null ? about : `firing since ${clockTime(new Date(since), new Date())}`}
              </span>
            </span>
            <button
              type="button"
              className="button"
              disabled={busy}
              aria-label={`${verb === 'fire' ? 'Fire' : 'Resolve'} ${name}`}
              onClick={() => void set(name, verb)}
            >
              {verb === 'fire' ? 'Fire' : 'Resolve'}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
