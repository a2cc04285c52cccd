/** An incident as PagerDuty's REST API sends it. */
export function pagerDutyIncident(own: Readonly<Record<string, unknown>> = {}) {
  const service = { id: 'PSOPS01', type: 'service_reference', summary: 'ops' };
  return {
    id: 'PX1',
    type: 'incident',
    incident_number: 12,
    title: 'OPS is down',
    status: 'triggered',
    urgency: 'high',
    created_at: '2026-03-10T11:00:00Z',
    last_status_change_at: '2026-03-10T11:00:00Z',
    last_status_change_by: service,
    html_url: 'https://acme.pagerduty.com/incidents/PX1',
    incident_key: 'cs-1',
    service,
    ...own,
  };
}
