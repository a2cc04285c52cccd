import { z } from 'zod';
import { type Checkup, tried } from '../../core/doctor-result.ts';
import type { StructuredModel } from '../../core/model.ts';

const timeoutMs = 30_000;

/** Asks a model for one word. Costs a few tokens; listing models would not show whether the account has credit. */
export function probeModel(model: StructuredModel): Promise<Checkup[]> {
  const about = `model ${model.name}`;
  return tried(about, async () => {
    const question = {
      name: 'ready',
      schema: z.object({ ready: z.boolean() }),
      messages: [{ role: 'user' as const, content: 'Answer {"ready": true}.' }],
      // Some models think before they answer, and those tokens count.
      maxTokens: 500,
    };
    const { value, problems } = await model.ask(question, AbortSignal.timeout(timeoutMs));
    if (value !== null) return [{ about, level: 'ok', says: 'answers in the shape that was asked for' }];
    const says = `it answers, but not in the shape that was asked for (${problems.join('; ')}); plans may fall back to offline`;
    return [{ about, level: 'note', says }];
  });
}
