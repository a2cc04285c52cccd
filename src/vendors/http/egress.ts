import { mayLeave } from '../../core/address.ts';
import { CountersignError } from '../../core/errors.ts';

/** An address that must not be contacted. */
export class EgressError extends CountersignError {}

/** A configured address as a URL. Only https may leave; plain http stays on this machine. */
export function configuredUrl(address: string): URL {
  const url = new URL(address);
  if (mayLeave(url)) return url;
  throw new EgressError('egress_refused', `${url.origin} is not an https address.`, { origin: url.origin });
}

/** An address below a configured one. The authority ends at the slash between them, so no path can change the host. */
export function below(base: URL, path: string): URL {
  return new URL(`${base.href.replace(/\/$/, '')}/${path.replace(/^\//, '')}`);
}
