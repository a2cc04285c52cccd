import type { Fields } from './fields.ts';

/** A Web API answer with `ok: false`; the code is Slack's. */
export class SlackApiError extends Error {
  readonly code: string;
  readonly details: Fields;

  constructor(code: string, details: Fields = {}) {
    super(code);
    this.name = 'SlackApiError';
    this.code = code;
    this.details = details;
  }
}

/** For blocks Slack returns the findings twice: bare in `errors`, marked in `response_metadata.messages`. */
export function refusal(code: string, findings: readonly string[]): SlackApiError {
  const messages = findings.map((finding) => `[ERROR] ${finding}`);
  const errors = code === 'invalid_blocks' ? { errors: [...findings] } : {};
  return new SlackApiError(code, { ...errors, response_metadata: { messages } });
}

/** An action that the Slack client would not allow, such as clicking a button that does not exist. */
export class PersonError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'PersonError';
    this.code = code;
  }
}
