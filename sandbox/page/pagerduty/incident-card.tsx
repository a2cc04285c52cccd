import { useState } from 'react';
import { safeUrl } from '../blocks/mrkdwn.ts';
import { clockTime } from '../blocks/slack-date.ts';
import { ExternalLink } from '../external-link.tsx';
import { Icon } from '../icon.tsx';
import type { Incident } from '../model.ts';
import { useSandbox } from '../sandbox-context.ts';

/** True while the phone of the person notified rings: low urgency wakes nobody. */
export function isRinging({ status, urgency }: Incident): boolean {
  return status === 'triggered' && urgency === 'high';
}

/** One incident, with its buttons. */
export function IncidentCard({ incident }: { incident: Incident }) {
  const { as, send } = useSandbox();
  const [busy, setBusy] = useState(false);

  async function move(verb: 'acknowledge' | 'resolve') {
    setBusy(true);
    await send('POST', `/api/pagerduty/incidents/${encodeURIComponent(incident.id)}/${verb}`, { as });
    setBusy(false);
  }
  return (
    <li className={`incident incident-${incident.status}`}>
      <div className="incident-head">
        {isRinging(incident) ? <Icon name="phone" className="icon phone" /> : null}
        <strong className="incident-state">{headline(incident)}</strong>
        <span className="muted">
          #{incident.number} · {incident.service} · {clockTime(new Date(incident.createdAt), new Date())}
        </span>
      </div>
      <p className="incident-title">{incident.title}</p>
      <dl>
        {incident.facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{safeUrl(value) ? <ExternalLink url={value}>{value}</ExternalLink> : value}</dd>
          </div>
        ))}
        <div>
          <dt>Dedup key</dt>
          <dd>
            <code>{incident.dedupKey}</code>
          </dd>
        </div>
      </dl>
      {incident.status === 'resolved' ? null : (
        <div className="actions">
          {incident.status === 'triggered' ? (
            <button
              type="button"
              className="button button-primary"
              disabled={busy}
              aria-label={`Acknowledge page ${incident.number}`}
              onClick={() => void move('acknowledge')}
            >
              Acknowledge
            </button>
          ) : null}
          <button
            type="button"
            className="button"
            disabled={busy}
            aria-label={`Resolve page ${incident.number}`}
            onClick={() => void move('resolve')}
          >
            Resolve
          </button>
        </div>
      )}
    </li>
  );
}

function headline(incident: Incident): string {
  const { status } = incident;
  const notified = incident.notified.map(({ name }) => name);
  const by = incident.acknowledgedBy.at(-1);
  if (status === 'acknowledged') return by ? `Acknowledged by ${by.name}` : 'Acknowledged';
  if (status === 'resolved') return 'Resolved';
  if (notified.length === 0) return 'Triggered';
  return `${notified.join(', ')}: ${isRinging(incident) ? 'this phone is ringing' : 'low urgency, no phone rings'}`;
}
