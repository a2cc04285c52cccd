import { z } from 'zod';
import { linksOf, type NamedLink, type ShownResult } from '../blocks/links.ts';
import { bold, person, type Span } from '../blocks/rich.ts';
import type { LinkHosts } from '../core/address.ts';
import { verdictOf } from '../core/condition-result.ts';
import { sayCondition, sayOpposite } from '../core/condition-words.ts';
import { fieldInfo, unwrap } from '../core/fields.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Step } from '../core/plan.ts';
import { resultsById } from '../core/refs.ts';
import { shownValue, stepOutcome } from '../core/result-words.ts';
import type { Sealed } from '../core/revision.ts';
import type { Approval, StepResult } from '../core/run.ts';
import { argWords, type Vocabulary, vocabularyOf } from '../core/step-words.ts';

/** A revision with the plain words for its steps. */
export interface Wording {
  readonly sealed: Sealed;
  readonly words: Vocabulary;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
}

export function wordingOf(
  sealed: Sealed,
  manifests: ReadonlyMap<string, Manifest>,
  hosts: LinkHosts,
): Wording {
  return { sealed, words: vocabularyOf(sealed.plan.steps, manifests, sealed.targets), hosts };
}

/** The result of a step in displayable form; null if it has none. */
export function shownResult(of: Wording, { stepId, result }: StepResult): ShownResult | null {
  const step = stepOf(of, stepId);
  const manifest = of.words.scope.get(stepId);
  if (!step || !manifest || !result) return null;
  return { manifest, args: argWords(step, of.words), result, hosts: of.hosts };
}

/** Links in the result of a step. */
export function resultLinks(of: Wording, result: StepResult): NamedLink[] {
  const shown = shownResult(of, result);
  return shown === null ? [] : linksOf(shown);
}

export function stepOf(of: Wording, stepId: string): Step | undefined {
  return of.words.steps.get(stepId);
}

/** The outcome of a step in plain words, without a full stop. */
export function outcomeWords({ sealed, words }: Wording, result: StepResult): string {
  return stepOutcome({ words, targets: sealed.targets }, result);
}

/** The small print of a result: every short field by name, such as the query that was counted. */
export function details(of: Wording, result: StepResult): { name: string; value: string }[] {
  const manifest = of.words.scope.get(result.stepId);
  if (!manifest || !result.result) return [];
  return Object.entries(result.result)
    .filter(([name, value]) => value !== '' && !isShownElsewhere(manifest, name))
    .map(([name, value]) => ({ name: name.replaceAll('_', ' '), value: shownValue(value) }));
}

function isShownElsewhere({ main, said = [], shows = {}, result }: Manifest, name: string): boolean {
  if (name === main || name === 'lines' || said.includes(name)) return true;
  const ofTables = (shows.tables ?? []).flatMap(({ rows, total }) => [rows, total]);
  if (name === shows.prose || ofTables.includes(name)) return true;
  const schema = result.shape[name];
  if (schema === undefined) return false;
  const inner = unwrap(schema);
  // Other numbers are for conditions: people read them in the headline.
  if (inner instanceof z.ZodBoolean || inner instanceof z.ZodNumber) return true;
  return fieldInfo(schema).address === true;
}

/** The condition of a step in plain words; null if it has none. */
export function onlyIf(of: Wording, stepId: string): string | null {
  const when = stepOf(of, stepId)?.when;
  return when === undefined ? null : sayCondition(when, of.words);
}

/**
 * The consequence and reason of a skip: "would page …", "nobody was paged, because there are no more than 20 open P1
 * tickets in OPS (18)".
 */
export function skipWords(of: Wording, result: StepResult, results: readonly StepResult[]): string {
  const words = outcomeWords(of, result);
  const when = stepOf(of, result.stepId)?.when;
  if (result.reason?.code === 'condition_false' && when !== undefined) {
    const known = resultsById(results);
    return `${words}, because ${sayOpposite(when, { ...of.words, results: known })}`;
  }
  if (result.reason?.code === 'dry_run') return withoutStop(result.reason.message.replace(/^Dry run: /, ''));
  return result.reason ? `${words} (${withoutStop(result.reason.message)})` : words;
}

/** "because 24 > 22": why a write was made, with its condition's values; empty if it has none. */
export function becauseWords(of: Wording, result: StepResult, results: readonly StepResult[]): string {
  const { when, oneOf } = stepOf(of, result.stepId) ?? {};
  const verdict =
    when === undefined || oneOf !== undefined
      ? null
      : verdictOf(when, { words: of.words, targets: of.sealed.targets }, results);
  return verdict?.holds === true ? `, because ${verdict.values}` : '';
}

/** A separate message as part of a longer sentence. */
export function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

/** "Approved by Ana Ruiz and Ben Okafor", or the other way it was approved. */
export function approvedSpans({ by, how }: Approval): Span[] {
  const names = by.flatMap((id, index): Span[] => [
    index === 0 ? '' : index === by.length - 1 ? ' and ' : ', ',
    person(id),
  ]);
  if (how === 'glass') return [bold('Approved alone, breaking glass,'), ' by ', ...names];
  return [how === 'standing' ? 'Approved by the standing approval of ' : 'Approved by ', ...names];
}
