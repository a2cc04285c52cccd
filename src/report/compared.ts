import { z } from 'zod';
import { systemNames } from '../core/askable.ts';
import { celType } from '../core/cel.ts';
import { fieldInfo } from '../core/fields.ts';
import type { Manifest } from '../core/manifest.ts';
import { isEstimate, thousands } from '../core/numbers.ts';
import { refsIn, splitRef } from '../core/refs.ts';
import type { StepResult } from '../core/run.ts';
import { argWords } from '../core/step-words.ts';
import type { Wording } from './run-words.ts';

const times = new Set(['window', 'since', 'until', 'during']);

/** A whole number that is neither an estimate nor a lower bound. */
const isExact = ({ main = '', result: { shape } }: Manifest, { result }: StepResult): boolean =>
  celType(shape[main] ?? z.never()) === 'int' && result !== null && !isEstimate(result);

/** Reads whose numbers another result is computed from, which says them, and all that there is to say of them. */
export function numbersSaidIn({ words }: Wording, reads: readonly StepResult[]): ReadonlySet<string> {
  const used = reads.flatMap(({ stepId }) => {
    const [step, manifest] = [words.steps.get(stepId), words.scope.get(stepId)];
    const isNumber = ([arg]: readonly [string, unknown]): boolean =>
      fieldInfo(manifest?.args.shape[arg] ?? z.never()).exact === true;
    return Object.entries(step?.args ?? {})
      .filter(isNumber)
      .flatMap(([, value]) => refsIn(value));
  });
  const isMore = ({ result }: StepResult): boolean => Boolean(result?.over) || Boolean(result?.assumed);
  const more = new Set(reads.filter(isMore).map(({ stepId }) => stepId));
  return new Set(used.map((ref) => splitRef(ref).step).filter((id) => !more.has(id)));
}

interface Compared {
  /** "errors of checkout: 232 today, 6 yesterday" */
  readonly words: string;
  readonly results: readonly StepResult[];
}

/** The same number for several times, said side by side. */
export function comparedIn({ words }: Wording, reads: readonly StepResult[]): Compared[] {
  const numbers = reads.flatMap((result) => {
    const [step, manifest] = [words.steps.get(result.stepId), words.scope.get(result.stepId)];
    const main = manifest?.main ?? '';
    const [value, noun] = [result.result?.[main], manifest?.nouns[main]];
    if (!step || !manifest || noun === undefined || typeof value !== 'number') return [];
    if (step.args.by !== undefined || !isExact(manifest, result)) return [];
    const args = argWords(step, words);
    const bare = noun(Object.fromEntries(Object.entries(args).filter(([name]) => !times.has(name))));
    const whole = noun(args);
    if (!whole.startsWith(`${bare} `)) return [];
    return [{ result, value, bare, when: whole.slice(bare.length + 1), system: manifest.system }];
  });
  const groups = [...Map.groupBy(numbers, ({ system, bare }) => `${system} ${bare}`).values()];
  const same = groups.filter((group) => group.length > 1);
  return same.map((group) => {
    const [{ bare, system }] = group as [(typeof group)[number]];
    const each = group.map(({ value, when }) => `${thousands(value)} ${when}`).join(', ');
    const where = same.length > 1 ? `${systemNames[system] ?? system}: ` : '';
    return {
      words: `${where}${bare.replace(/^the number of /, '')}: ${each}`,
      results: group.map(({ result }) => result),
    };
  });
}
