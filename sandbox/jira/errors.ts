/** Jira's error response: the HTTP status, the general messages, and the messages per field. */
export class JiraRefusal extends Error {
  override readonly name = 'JiraRefusal';
  readonly code = 'jira_refusal';
  readonly status: 400 | 404 | 410;
  readonly errorMessages: readonly string[];
  readonly errors: Readonly<Record<string, string>>;

  constructor(
    status: 400 | 404 | 410,
    errorMessages: readonly string[],
    errors: Readonly<Record<string, string>> = {},
  ) {
    super([...errorMessages, ...Object.values(errors)].join(' '));
    this.status = status;
    this.errorMessages = errorMessages;
    this.errors = errors;
  }
}

export function badRequest(...errorMessages: readonly string[]): JiraRefusal {
  return new JiraRefusal(400, errorMessages);
}

export function issueNotFound(): JiraRefusal {
  return new JiraRefusal(404, ['Issue does not exist or you do not have permission to see it.']);
}
