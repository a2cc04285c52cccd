import { llmSummarize as manifest } from '../../manifests/llm.summarize.ts';
import { defineRead } from '../../src/core/tool.ts';

/** Characters of a summary: about a screen of a phone. */
const maxCharacters = 1_500;

export const llmSummarize = defineRead(manifest, async ({ input, about }, { readers, signal }) => ({
  text: await readers.model.summarize(input, { about: about ?? null, maxCharacters }, signal),
}));
