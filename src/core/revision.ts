import { z } from 'zod';
import { proposedBySchema } from './agent.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { CountersignError } from './errors.ts';
import { targetKinds } from './fields.ts';
import { parseJson } from './json.ts';
import { planSchema } from './plan.ts';

const resolvedTargetSchema = z.strictObject({
  step: z.string(),
  arg: z.string(),
  kind: z.enum(targetKinds),
  value: z.string(),
  label: z.string(),
  called: z.string().optional(),
  about: z.string().optional(),
  identity: z.string(),
  service: z.string().optional(),
  instead: z.strictObject({ code: z.enum(['cannot_work', 'done_already']), message: z.string() }).optional(),
  people: z.array(z.strictObject({ id: z.string(), name: z.string() })).optional(),
  handle: z.string().optional(),
});

const estimateSchema = z.strictObject({
  /** Milliseconds, from the history of each tool along the critical path; null without history. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  /** US dollars: planning so far plus what the run is expected to add. */
  usd: z.number(),
});
export type Estimate = z.infer<typeof estimateSchema>;

/** Everything one approval covers. The card is rendered from exactly this, and the digest is taken over its bytes. */
const sealedSchema = z.strictObject({
  format: z.literal(1),
  teamId: z.string(),
  requestId: z.string(),
  number: z.number().int().min(1),
  requester: z.string(),
  /** Slack ids of the requester and of everyone who edited it; of an agent its name and its owner. */
  authors: z.array(z.string()),
  plan: planSchema,
  /** Digests of what it uses of the catalogue, by what people call each part; one digest of all in old revisions. */
  catalogue: z.union([z.string(), z.record(z.string(), z.string())]),
  /** Digest of the rules about it. */
  policy: z.string(),
  targets: z.array(resolvedTargetSchema),
  /** The problem of each write that has one; see `problem.ts`. */
  problems: z.array(z.strictObject({ step: z.string(), key: z.string(), words: z.string() })).optional(),
  /** How the plan was made, for the card: the planner and its remarks. */
  planner: z.enum(['offline', 'model', 'playbook', 'person']),
  notes: z.array(z.string()),
  /** The watch or playbook it came from, for which a standing approval can be given. */
  source: z.strictObject({ scope: z.string(), version: z.string() }).optional(),
  /** The agent that proposed it. */
  agent: proposedBySchema.optional(),
  estimate: estimateSchema,
  /** ISO 8601 UTC. */
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Sealed = z.infer<typeof sealedSchema>;

/** `answered`: its reads ran, and there was nothing to write. */
export type RevisionState =
  | 'proposed'
  | 'answered'
  | 'approved'
  | 'rejected'
  | 'expired'
  | 'superseded'
  | 'cancelled';

/** A revision's canonical bytes with their SHA-256. */
export interface Revision {
  readonly sealed: Sealed;
  readonly bytes: string;
  readonly digest: string;
}

export class DigestError extends CountersignError {}

/** Seals a plan into the bytes that people approve. */
export function seal(sealed: Sealed): Revision {
  const parsed = sealedSchema.parse(sealed);
  const bytes = canonicalJson(parsed);
  return { sealed: parsed, bytes, digest: sha256(bytes) };
}

/** Reads sealed bytes back. Throws a DigestError when they do not match `digest` or hold no valid plan. */
export function unseal(bytes: string, digest: string): Revision {
  if (sha256(bytes) !== digest) {
    throw new DigestError('digest_mismatch', 'The plan is not the one that was shown; nothing was run.', {
      digest,
    });
  }
  const sealed = sealedSchema.safeParse(parseJson(bytes));
  if (sealed.success) return { sealed: sealed.data, bytes, digest };
  throw new DigestError('unreadable_plan', 'The stored plan cannot be read; nothing was run.', { digest });
}
