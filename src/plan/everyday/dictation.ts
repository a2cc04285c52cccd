import type { Manifest } from '../../core/manifest.ts';
import { carriedBy, type Drafted, saysMoreThan } from './clause.ts';
import type { DraftStep, Part } from './draft.ts';
import { type Heard, wordsBetween } from './heard.ts';
import { stem } from './negations.ts';
import { slotsOf } from './slots.ts';
import type { Token } from './tokens.ts';

/** Where the text of a write begins and ends: a network points at words, and what they are in the sentence decides. */

type Said = Extract<Part, { said: unknown }>;
type Manifests = ReadonlyMap<string, Manifest>;

const relative = /^(?:that|which|who|die|der|das|qui|que)$/u;
const copula = /^(?:is|are|was|were|has|have|ist|sind|est|sont|está|están|é|são)$/u;
/** “Wait for 2 approvals”: an order about the plan itself, and no news for the person who is paged. */
const awaits = /^(?:wait|hold|ask|get|require|need|needs|requires)$/u;
const consent = /^(?:approv\p{L}*|confirm\p{L}*|permission|go-ahead|sign-off|ok|okay)$/u;

/**
 * The draft with its texts as far as they go: behind a colon to the end, else up to an order about the plan itself. Null
 * where a text is what is left of a relative clause, or where a dictated one was also read as something else.
 */
export function withDictation(draft: Drafted, heard: Heard, manifests: Manifests): Drafted | null {
  const steps: DraftStep[] = [];
  for (const step of draft.steps) {
    const args = new Map(step.args);
    for (const [arg, said] of textsOf(step, manifests)) {
      const text = spanOf(said, step, draft, { heard, manifests });
      if (text === null) return null;
      args.set(arg, [text]);
    }
    steps.push({ ...step, args });
  }
  return { ...draft, steps };
}

/** The texts of a write that are words of the request. */
function textsOf({ tool, args }: DraftStep, manifests: Manifests): [string, Said][] {
  const manifest = manifests.get(tool);
  if (manifest?.effect !== 'write') return [];
  return [...args].flatMap(([arg, parts]): [string, Said][] => {
    const [only, ...more] = parts ?? [];
    const isText = slotsOf(manifest).get(arg) === 'text' && more.length === 0;
    return isText && only !== undefined && 'said' in only && only.held === undefined ? [[arg, only]] : [];
  });
}

function spanOf(
  said: Said,
  { tool }: DraftStep,
  draft: Drafted,
  { heard, manifests }: { readonly heard: Heard; readonly manifests: Manifests },
): Said | null {
  const { tokens } = heard;
  const { from, to } = said;
  const [before, first] = [tokens[from - 1], tokens[from]];
  // A quotation has an end of its own.
  if (first?.section !== 0 || first.values.text !== undefined) return said;
  if (before?.kind === 'mark' && before.low === ':') {
    const verbs = new Set(manifests.get(tool)?.asked?.verbs.map(stem));
    if (!tokens.slice(0, from).some(({ low }) => verbs.has(stem(low)))) return said;
    return isAlsoElse(said, draft, manifests)
      ? null
      : withSpan(said, wholeEnd(said, draft, heard, manifests), heard);
  }
  if (relative.test(before?.low ?? '') && copula.test(first.low)) return null;
  return withSpan(said, orderIn(tokens, from, to) ?? to, heard);
}

const withSpan = (said: Said, to: number, heard: Heard): Said =>
  to === said.to ? said : { ...said, to, said: wordsBetween(heard, said.from, to) };

/** Whether a value that is no text of a write was taken from inside of it. */
function isAlsoElse({ from, to }: Said, { steps }: Drafted, manifests: Manifests): boolean {
  const others = steps.flatMap((step) => {
    const texts = new Set(textsOf(step, manifests).map(([arg]) => arg));
    const args = [...step.args].flatMap(([arg, parts]) => (texts.has(arg) ? [] : (parts ?? [])));
    return [...args, ...(step.when?.parts.map(({ right }) => right) ?? [])];
  });
  return others.some((part) => 'said' in part && part.from >= from && part.to <= to);
}

/** The end of the request, where what follows says more and belongs to nothing else. */
function wholeEnd({ to }: Said, draft: Drafted, { tokens }: Heard, manifests: Manifests): number {
  const section = tokens.findIndex(({ kind }, at) => at > to && kind === 'section');
  const end = section < 0 ? tokens.length : section;
  const isCarried = carriedBy(draft, manifests, false);
  const rest = tokens.slice(to + 1, end);
  const isFree = !rest.some((token, at) => isCarried(token, to + 1 + at));
  return isFree && rest.some(saysMoreThan(draft, manifests)) ? end - 1 : to;
}

/** The last word before an order to wait for somebody's consent; undefined where there is none. */
function orderIn(tokens: readonly Token[], from: number, to: number): number | undefined {
  const mark = tokens.findIndex(
    ({ kind }, at) => at > from && at < to && kind === 'mark' && awaits.test(tokens[at + 1]?.low ?? ''),
  );
  const isOrder = mark > 0 && tokens.slice(mark + 2, to + 1).some(({ low }) => consent.test(low));
  return isOrder ? mark - 1 : undefined;
}
