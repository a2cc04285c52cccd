import { z } from 'zod';
import { digestOf } from './canonical.ts';
import { type Json, jsonOf } from './json.ts';
import type { Manifest, Success } from './manifest.ts';

type Facts = { readonly [key: string]: Json };

/** Manifests never change, and every workspace and digest asks for the same ones. */
const known = new WeakMap<Manifest, Facts>();

/** The declaration without its functions, for digests and prompts. */
export function manifestFacts(manifest: Manifest): Facts {
  const facts = known.get(manifest) ?? factsOf(manifest);
  known.set(manifest, facts);
  return facts;
}

const digests = new WeakMap<Manifest, string>();

/** Digest of the declaration. A catalogue has tens of them, and its digest is asked for with every plan. */
export function manifestDigest(manifest: Manifest): string {
  const digest = digests.get(manifest) ?? digestOf(jsonOf(manifestFacts(manifest)));
  digests.set(manifest, digest);
  return digest;
}

function factsOf(manifest: Manifest): Facts {
  return {
    name: manifest.name,
    effect: manifest.effect,
    summary: manifest.summary,
    args: z.toJSONSchema(manifest.args, { unrepresentable: 'any' }) as Json,
    result: z.toJSONSchema(manifest.result, { unrepresentable: 'any' }) as Json,
    yields: manifest.yields,
    accepts: manifest.accepts,
    limits: { ...manifest.limits },
    exactlyOne: manifest.exactlyOne.map((names) => [...names]),
    ...(manifest.anyOf === undefined ? {} : { anyOf: [...manifest.anyOf] }),
    ...(manifest.risk === undefined ? {} : { risk: manifest.risk }),
    ...(manifest.verify === undefined ? {} : { verify: { ...manifest.verify } }),
    ...(manifest.success === undefined ? {} : { success: successFacts(manifest.success) }),
  };
}

function successFacts(success: Success<z.ZodObject>): Facts {
  if ('unread' in success) return { ...success };
  return { holds: success.holds, read: success.read?.tool ?? null };
}
