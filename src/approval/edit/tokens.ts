import type { ArgValue } from '../../core/plan.ts';
import { isRef, splitRef } from '../../core/refs.ts';
import type { Vocabulary } from '../../core/step-words.ts';

/** In a text field a reference is shown as `{step.field}`, so that the words around it can be edited. */
const token = /\{([a-z][a-z0-9_]{0,31}(?:\.[a-z][A-Za-z0-9_]{0,40}){1,3})\}/g;

/** True when literal text looks like a reference: as a token it would turn into one. */
export function hasTokenLookalike(value: ArgValue): boolean {
  const literal = Array.isArray(value) ? value.filter((part) => !isRef(part)) : [value];
  return literal.some((part) => typeof part === 'string' && part.search(token) >= 0);
}

/**
 * Text with tokens as an argument: plain text, or its parts. A token of an existing step must name one of its results;
 * braces around anything else are text.
 */
export function fromTokens(
  text: string,
  words: Vocabulary,
): { ok: true; value: ArgValue } | { ok: false; message: string } {
  const parts: (string | { ref: string })[] = [];
  let last = 0;
  for (const match of text.matchAll(token)) {
    const ref = match[1] ?? '';
    const { step, path } = splitRef(ref);
    const manifest = words.scope.get(step);
    if (!manifest) continue;
    if (!Object.hasOwn(manifest.result.shape, path[0] ?? '')) {
      const known = Object.keys(manifest.result.shape).map((field) => `${step}.${field}`);
      return { ok: false, message: `{${ref}} is not a result. You can use: ${known.join(', ')}` };
    }
    if (match.index > last) parts.push(text.slice(last, match.index));
    parts.push({ ref });
    last = match.index + match[0].length;
  }
  if (parts.length === 0) return { ok: true, value: text };
  if (last < text.length) parts.push(text.slice(last));
  return { ok: true, value: parts };
}
