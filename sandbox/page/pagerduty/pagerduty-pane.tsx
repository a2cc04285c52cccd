import { clockTime } from '../blocks/slack-date.ts';
import type { OnCall } from '../model.ts';
import { useSandbox } from '../sandbox-context.ts';
import { Avatar } from '../slack/avatar.tsx';
import { IncidentCard } from './incident-card.tsx';

export function PagerDutyPane() {
  const { onCalls, incidents } = useSandbox().state.pagerduty;
  const order = { triggered: 0, acknowledged: 1, resolved: 2 };
  const sorted = incidents.toSorted((a, b) => order[a.status] - order[b.status] || b.number - a.number);
  return (
    <>
      <h3>Pages</h3>
      {sorted.length === 0 ? <p className="empty">No pages. Every phone is quiet.</p> : null}
      <ul className="incidents" aria-label="Pages">
        {sorted.map((one) => (
          <IncidentCard key={one.id} incident={one} />
        ))}
      </ul>
      <h3>On call</h3>
      <ul className="on-call">
        {onCalls.map((one) => (
          <OnCallRow key={one.service.id} onCall={one} />
        ))}
      </ul>
    </>
  );
}

function OnCallRow({ onCall }: { onCall: OnCall }) {
  const { state, send } = useSandbox();
  const person = state.people.find((one) => one.id === onCall.user);
  const { name, id } = onCall.service;
  return (
    <li>
      <Avatar id={onCall.user} name={person?.realName ?? onCall.user} />
      <div className="on-call-text">
        <strong>{name}</strong>
        <span className="muted">until {clockTime(new Date(onCall.until), new Date())}</span>
      </div>
      <label>
        <span className="visually-hidden">On call for {name}</span>
        <select
          className="input"
          value={onCall.user}
          onChange={(event) =>
            void send('PUT', '/api/pagerduty/oncall', {
              service: id,
              user: event.target.value,
              until: onCall.until,
            })
          }
        >
          {state.people.map((one) => (
            <option key={one.id} value={one.id}>
              {one.realName}
            </option>
          ))}
        </select>
      </label>
    </li>
  );
}
