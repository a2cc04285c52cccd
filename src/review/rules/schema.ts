import { type Finding, finding } from '../../core/finding.ts';
import { type Plan, planLimits, planSchema } from '../../core/plan.ts';

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** A key anywhere in the draft that reaches for a prototype, or null. */
function forbiddenKey(value: unknown, depth = 0): string | null {
  if (typeof value !== 'object' || value === null || depth > 20) return null;
  for (const key of Object.getOwnPropertyNames(value)) {
    if (forbiddenKeys.has(key)) return key;
    const below = forbiddenKey(Object.getOwnPropertyDescriptor(value, key)?.value, depth + 1);
    if (below !== null) return below;
  }
  return null;
}

function size(draft: unknown): number | null {
  try {
    return Buffer.byteLength(JSON.stringify(draft) ?? '');
  } catch {
    return null; // circular, or not JSON at all: the caller reports it
  }
}

function place(path: readonly PropertyKey[], draft: unknown): { step: string | null; field: string | null } {
  if (path[0] !== 'steps' || typeof path[1] !== 'number')
    return { step: null, field: path.join('.') || null };
  const steps = (draft as { steps?: unknown[] }).steps;
  const step = steps?.[path[1]];
  const id =
    typeof step === 'object' && step !== null && 'id' in step
      ? String(step.id).slice(0, 40)
      : `#${path[1] + 1}`;
  return { step: id, field: path.slice(2).join('.') || null };
}

/** Every draft must have the shape of a plan and stay within its limits. */
export function parseDraft(draft: unknown): { plan: Plan | null; findings: Finding[] } {
  const fail = (rule: string, message: string) => ({
    plan: null,
    findings: [finding(rule, null, null, message)],
  });
  const bytes = size(draft);
  if (bytes === null) return fail('schema', 'is not JSON');
  if (bytes > planLimits.bytes)
    return fail('too_large', `has ${bytes} bytes; a plan may have ${planLimits.bytes}`);
  const key = forbiddenKey(draft);
  if (key !== null) return fail('schema', `the key "${key}" is not allowed`);
  const parsed = planSchema.safeParse(draft);
  if (parsed.success) return { plan: parsed.data, findings: [] };
  const findings = parsed.error.issues.slice(0, 30).map((issue) => {
    const { step, field } = place(issue.path, draft);
    return finding('schema', step, field, issue.message);
  });
  return { plan: null, findings };
}
