/** An error of the REST API: `{ error: { message, code, errors } }`. */
export class RestRefusal extends Error {
  override readonly name = 'RestRefusal';
  readonly code = 'pagerduty_refusal';
  readonly status: 400 | 401 | 403 | 404;
  /** PagerDuty's numeric error code. */
  readonly number: number;
  readonly errors: readonly string[];

  constructor(
    status: 400 | 401 | 403 | 404,
    number: number,
    message: string,
    errors: readonly string[] = [],
  ) {
    super(message);
    this.status = status;
    this.number = number;
    this.errors = errors;
  }
}

export function invalid(...errors: readonly string[]): RestRefusal {
  return new RestRefusal(400, 2_001, 'Invalid Input Provided', errors);
}

export function notFound(): RestRefusal {
  return new RestRefusal(404, 2_100, 'Not Found');
}
