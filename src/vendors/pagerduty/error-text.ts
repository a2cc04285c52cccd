/**
 * PagerDuty's own words. REST answers `{ error: { message, errors } }`, Events v2 `{ message, errors }`; a wrong
 * token gives `{ error: 'text' }`.
 */
export function errorText(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const inner = 'error' in body ? body.error : body;
  if (typeof inner === 'string') return inner;
  if (typeof inner !== 'object' || inner === null) return '';
  const message = 'message' in inner && typeof inner.message === 'string' ? inner.message : '';
  const errors = 'errors' in inner && Array.isArray(inner.errors) ? inner.errors : [];
  const causes = errors.filter((text) => typeof text === 'string' && text !== '');
  return [message, causes.join(', ')].filter(Boolean).join(': ');
}

/** PagerDuty's numeric error code, or null. Only REST has one. */
export function errorNumber(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'number' ? error.code : null;
}
