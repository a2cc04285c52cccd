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
  return [message, ...errors].filter((text) => typeof text === 'string' && text !== '').join(' ');
}
