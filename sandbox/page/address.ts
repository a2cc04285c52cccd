import { useCallback, useState } from 'react';

/**
 * One setting of the page, kept in its address (`?as=U0BEN&channel=C0OPS`), so that a reload and a second window keep
 * it without storing anything in the browser.
 */
export function useAddress(name: string, fallback: string): [string, (value: string) => void] {
  const [value, setValue] = useState(() => new URLSearchParams(location.search).get(name) ?? fallback);
  const change = useCallback(
    (next: string) => {
      const query = new URLSearchParams(location.search);
      if (next === fallback) query.delete(name);
      else query.set(name, next);
      history.replaceState(null, '', query.size > 0 ? `?${query}` : location.pathname);
      setValue(next);
    },
    [name, fallback],
  );
  return [value, change];
}
