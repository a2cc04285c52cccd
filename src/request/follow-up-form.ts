import { z } from 'zod';
import type { FormValues } from '../blocks/form-values.ts';
import { viewIds } from '../blocks/ids.ts';
import { option, selectInput, textInput } from '../blocks/inputs.ts';
import { plain } from '../blocks/layout.ts';
import type { Block, Modal } from '../blocks/message.ts';
import { line, rich } from '../blocks/rich.ts';
import { type Catalogue, namesOf } from '../core/catalogue.ts';
import { cut } from '../core/clean-text.ts';
import { fieldInfo } from '../core/fields.ts';
import { parseJson } from '../core/json.ts';
import { own } from '../core/own-property.ts';
import type { RequestContext } from './context.ts';
import { type FollowUpClick, type Offered, offeredBy } from './follow-up.ts';

/** Where a form was opened, and for which offer. */
type Place = Pick<FollowUpClick, 'value' | 'tool' | 'channel' | 'threadTs'>;

/** Maximum characters of a text typed on a phone; its plan still fits its card. */
const maxText = 1_000;
const blockOf = (arg: string): string => `next:${arg}`;

/** The form to fill in before a follow-up step; null if it needs none. */
export async function formBefore(
  place: Place,
  userId: string,
  context: RequestContext,
): Promise<Modal | null> {
  const offered = await offeredBy({ ...place, userId }, context);
  return offered === null || (offered.offer.asks ?? []).length === 0
    ? null
    : formOf(offered, place, context.catalogue);
}

/** Only the values the step does not have yet. */
function formOf({ offer, revision }: Offered, place: Place, catalogue: Catalogue): Modal {
  const { manifests } = catalogue;
  const fields = (offer.asks ?? []).map(({ arg, label, value }): Block => {
    const schema = manifests.get(offer.tool)?.args.shape[arg];
    const { target } = schema === undefined ? {} : fieldInfo(schema);
    const about = { blockId: blockOf(arg), label };
    const names = target === undefined ? [] : namesOf(catalogue, target);
    const first = value ?? firstOf(target, names, { revision }, catalogue);
    if (names.length > 0)
      return selectInput({ ...about, options: names.map((name) => option(name)), value: first });
    const max = Math.min(maxOf(schema), maxText);
    return textInput({ ...about, value: cut(first, max), max, multiline: max > 300 });
  });
  const { value, tool, channel, threadTs } = place;
  return {
    type: 'modal',
    callback_id: viewIds.next,
    private_metadata: JSON.stringify({ v: value, t: tool, c: channel, h: threadTs }),
    title: plain(offer.words, 24),
    submit: plain(offer.words, 24),
    close: plain('Close', 24),
    blocks: [
      ...fields,
      rich([line('If you’re an approver this happens immediately; otherwise it’s sent for approval.')]),
    ],
  };
}

/** Among several projects the one of the target service, else the default. */
function firstOf(
  target: string | undefined,
  names: readonly string[],
  { revision }: Pick<Offered, 'revision'>,
  { services, defaults }: Catalogue,
): string {
  if (target !== 'project') return '';
  const named = revision.sealed.targets.find(({ kind }) => kind === 'service')?.value;
  const project = services.find(({ name }) => name === named)?.project ?? defaults.project;
  return project !== undefined && names.includes(project) ? project : '';
}

function maxOf(schema: z.core.$ZodType | undefined): number {
  return schema instanceof z.ZodString ? (schema.maxLength ?? maxText) : maxText;
}

const placeSchema = z.strictObject({
  v: z.string().max(600),
  t: z.string().max(80),
  c: z.string().max(40),
  h: z.string().max(40),
});

/** Null for metadata we did not write. */
function readPlace(metadata: string): Place | null {
  const parsed = placeSchema.safeParse(parseJson(metadata));
  if (!parsed.success) return null;
  const { v: value, t: tool, c: channel, h: threadTs } = parsed.data;
  return { value, tool, channel, threadTs };
}

type Given =
  | { readonly ok: true; readonly given: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** A submitted form: its place and values, or the errors by field; null when the offer is gone. */
export async function readFollowUp(
  userId: string,
  { metadata, values }: { readonly metadata: string; readonly values: FormValues },
  context: RequestContext,
): Promise<(Given & { readonly place: Place }) | null> {
  const place = readPlace(metadata);
  const offered = place && (await offeredBy({ ...place, userId }, context));
  return place && offered && { ...givenIn(values, offered, context.catalogue), place };
}

function givenIn(values: FormValues, { offer }: Offered, { manifests }: Catalogue): Given {
  const given: Record<string, string> = {};
  const errors: Record<string, string> = {};
  for (const { arg } of offer.asks ?? []) {
    const value = values.get(blockOf(arg));
    const text = typeof value === 'string' ? value.trim() : '';
    const schema = own(manifests.get(offer.tool)?.args.shape ?? {}, arg);
    const parsed = schema?.safeParse(text);
    if (text === '') errors[blockOf(arg)] = 'Fill this in.';
    else if (parsed?.success) given[arg] = text;
    else errors[blockOf(arg)] = parsed?.error.issues[0]?.message ?? 'This cannot be used.';
  }
  return Object.keys(errors).length === 0 ? { ok: true, given } : { ok: false, errors };
}
