import { useSandbox } from '../sandbox-context.ts';
import { IncidentCard } from './incident-card.tsx';
import { OnCallRow } from './on-call-row.tsx';

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
