import { VendorError } from '../../core/errors.ts';

export interface PagerDutyService {
  /** PagerDuty service id. */
  readonly id: string;
  /** Events v2 integration key of the service; null when none is configured: then it cannot be paged. */
  readonly routingKey: string | null;
}

/** The configured service with this name. Throws a VendorError for any other, without sending anything. */
export function serviceOf(services: ReadonlyMap<string, PagerDutyService>, name: string): PagerDutyService {
  const service = services.get(name);
  if (service !== undefined) return service;
  throw new VendorError('unknown_service', `No service ${name} is configured in countersign.yml.`, {
    retryable: false,
    mayHaveHappened: false,
    facts: { service: name },
  });
}
