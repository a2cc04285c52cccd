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

/** Slack repeats the findings twice for blocks: bare in `errors`, marked in `response_metadata.messages`. */
export function refusal(code: string, findings: readonly string[]): SlackApiError {
  const messages = findings.map((finding) => `[ERROR] ${finding}`);
  const errors = code === 'invalid_blocks' ? { errors: [...findings] } : {};
  return new SlackApiError(code, { ...errors, response_metadata: { messages } });
}

/** A person tried what the Slack client would not let them do, such as clicking a button that is not there. */
export class PersonError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'PersonError';
    this.code = code;
  }
}
