import { z } from 'zod';
import type { FoundAlert } from './bounded-alert.ts';

/** The payload that docs/alerts.md gives for Datadog's webhook. */
const deliverySchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  /** Differs between the groups of a monitor, and from one time it fires to the next. */
  cycle: z.union([z.string(), z.number()]).nullish(),
  transition: z.string(),
  title: z.string(),
  text: z.string().nullish(),
  tags: z.union([z.string(), z.array(z.string())]).nullish(),
  scope: z.string().nullish(),
  priority: z.string().nullish(),
  link: z.string().nullish(),
  /** Milliseconds. */
  date: z.union([z.string(), z.number()]).nullish(),
});

export function readDatadog(body: unknown): { found: FoundAlert[]; leftOut: number } | null {
  const { data } = deliverySchema.safeParse(body);
  if (data === undefined) return null;
  const { id, transition, title, text, tags, scope, priority, link, date } = data;
  const isOver = /recovered/i.test(transition);
  const ms = Number(date ?? Number.NaN);
  const at = Number.isFinite(ms) && Math.abs(ms) < 8e15 ? new Date(ms).toISOString() : null;
  const labels = labelsOf(typeof tags === 'string' ? tags.split(',') : (tags ?? []));
  return {
    found: [
      {
        // A group of a monitor is an alert of its own, whatever its cycle.
        id: JSON.stringify([id, scope ?? '']),
        isOver,
        title: title.replace(/^\[[^\]]*\]\s*/, ''),
        text: text ?? '',
        labels: { ...labels, ...(scope ? { scope } : {}), ...(priority ? { priority } : {}), monitor: id },
        since: isOver || !/^(?:re-)?trigger|^warn/i.test(transition) ? null : at,
        until: isOver ? at : null,
        link: link ?? '',
      },
    ],
    leftOut: 0,
  };
}

/** `service:checkout` is a label; a tag without a value is one that is empty. */
function labelsOf(tags: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    tags
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '')
      .map((tag): [string, string] => {
        const colon = tag.indexOf(':');
        return colon < 1 ? [tag, ''] : [tag.slice(0, colon), tag.slice(colon + 1)];
      }),
  );
}
