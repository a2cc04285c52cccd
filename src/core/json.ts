import { z } from 'zod';

/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Plain data as JSON: a copy without undefined fields. Throws for what JSON cannot carry. */
export function jsonOf(value: unknown): Json {
  return z.json().parse(JSON.parse(JSON.stringify(value)));
}
