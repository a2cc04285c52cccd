import { llmSummarize as manifest } from '../../manifests/llm.summarize.ts';
import { cut } from '../../src/core/clean-text.ts';
import { VendorError } from '../../src/core/errors.ts';
import { checkedAgainst, doubt, ledgerOf } from '../../src/core/fact-ledger.ts';
import { defineRead, type ReadContext } from '../../src/core/tool.ts';
import { extractOf, partsOf } from './summary.ts';

/** Maximum characters of a summary: about one screen of a phone. */
const maxCharacters = 1_500;
/** Maximum characters sent to the model at once. */
const partCharacters = 16_000;
/** Maximum characters of the summary of a part: a dozen of them make one part again. */
const partSummary = 1_200;
/** Maximum parts with the model at the same time. */
const atOnce = 4;
const maxText = 4_000;

export const llmSummarize = defineRead(manifest, async ({ input, about = null }, context) => {
  try {
    const { text, levels } = await inLevels(input, about, context);
    const checked = checkedAgainst(ledgerOf(input), input, text);
    const note = checked.marked === 0 ? '' : `\n${missingWords(checked.marked)}`;
    return { text: cut(checked.text, maxText - note.length) + note, marked: checked.marked, levels };
  } catch (error) {
    // The client already retried where that could help. An extract of the text's own lines is better than an error.
    if (!(error instanceof VendorError) || context.signal.aborted) throw error;
    const why = error.code === 'not_configured' ? 'made without a model' : `because ${error.message}`;
    return { text: cut(extractOf(input, about, maxCharacters, why), maxText), marked: 0, levels: 0 };
  }
});

function missingWords(marked: number): string {
  return marked === 1
    ? `${doubt} marks a detail that is not in what was summarised. Check it before you rely on it.`
    : `${doubt} marks ${marked} details that are not in what was summarised. Check them before you rely on them.`;
}

/** Parts, their summaries, and the whole: each level is shorter, until it fits into one question. */
async function inLevels(
  input: string,
  about: string | null,
  context: ReadContext,
): Promise<{ text: string; levels: number }> {
  let material = input;
  for (let levels = 1; ; levels += 1) {
    const parts = partsOf(material, partCharacters);
    if (parts.length <= 1) return { text: await ask(material, about, maxCharacters, context), levels };
    const summaries = await each(parts, (part) => ask(part, about, partSummary, context));
    material = summaries
      .map((summary, index) => `Part ${index + 1} of ${parts.length}:\n${summary}`)
      .join('\n\n');
  }
}

function ask(
  material: string,
  about: string | null,
  max: number,
  { readers, signal }: ReadContext,
): Promise<string> {
  return readers.model.summarize(material, { about, maxCharacters: max }, signal);
}

/** Processes all of them, a few at a time, and keeps their order. */
async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
  }
  return results;
}
