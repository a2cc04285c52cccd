import type { DraftStep, DraftValue } from './draft.ts';

function word(value: DraftValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A few words on what the result of a step is, with a colon; empty where the result speaks for itself. */
export function labelFor(step: DraftStep): string {
  const { project, priority, status, type, service, key } = step.args;
  const kind = word(type) ? `${word(type)} tickets` : 'tickets';
  const place = word(project) ? `in ${word(project)}` : '';
  const { assignee, label, label_not: without, text: said } = step.args;
  const nobody = assignee === 'unassigned';
  const issues = [
    nobody ? 'unassigned' : '',
    word(status),
    word(priority),
    kind,
    place,
    word(assignee) && !nobody ? `of ${word(assignee)}` : '',
    word(label) ? `labelled ${word(label)}` : '',
    word(without) ? `not labelled ${word(without)}` : '',
    word(said) ? `about “${word(said)}”` : '',
  ]
    .filter(Boolean)
    .join(' ');
  const about = word(step.args.about);
  const labels: Readonly<Record<string, string>> = {
    'jira.count': issues,
    'jira.search': issues,
    'jira.get': word(key),
    'sla.threshold': 'SLA limit',
    'jira.sla': `SLA of ${word(key) || word(project) || 'the tickets'}`,
    'pagerduty.oncall': `on call${word(service) ? ` for ${word(service)}` : ''}`,
    'pagerduty.incidents': `PagerDuty incidents${word(service) ? ` of ${word(service)}` : ''}`,
    'runbook.search': 'runbooks',
    'errors.lookup': 'meaning',
    'logs.kql': about || 'log entries',
    'logs.spl': about || 'log entries',
    'sql.query': about || 'rows',
    'jira.create': 'ticket',
  };
  const text = labels[step.tool];
  return text === undefined ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}: `;
}
