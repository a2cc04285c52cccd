/** A plan's name: the digits on its card, or the id in links, logs and the audit log. */
export type PlanId =
  | { readonly kind: 'short'; readonly digits: string }
  | { readonly kind: 'request'; readonly id: string };

/** Null for anything that names no plan. `3fa9 12c0`, `4bf2a81c09de`, `4bf2a81c09de/2`, `run-4bf2a81c09de-1`. */
export function readPlanId(text: string): PlanId | null {
  const word = text.trim().toLowerCase();
  const short = /^([0-9a-f]{4})\s?([0-9a-f]{4})$/.exec(word);
  if (short !== null) return { kind: 'short', digits: `${short[1]}${short[2]}` };
  const id = /^(?:(?:run|dry)-)?([0-9a-f]{12})(?:[/-]\w+)*$/.exec(word)?.[1];
  return id === undefined ? null : { kind: 'request', id };
}
