import { mayLeave } from '../../core/address.ts';
import { CountersignError } from '../../core/errors.ts';

/** An address that must not be reached. */
export class EgressError extends CountersignError {}

/** A configured address as a URL. Only https is let out; plain http stays on this machine. */
export function configuredUrl(address: string): URL {
  const url = new URL(address);
  if (mayLeave(url)) return url;
  throw new EgressError('egress_refused', `${url.origin} is not an https address.`, { origin: url.origin });
}

/** An address below a configured one; what would leave its origin is refused. */
export function below(base: URL, path: string): URL {
  const url = new URL(`${base.href.replace(/\/$/, '')}/${path.replace(/^\//, '')}`);
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') {
    throw new EgressError('egress_refused', `${url.origin} is not a configured host.`, {
      origin: url.origin,
    });
  }
  return url;
}
