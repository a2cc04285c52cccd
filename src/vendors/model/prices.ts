/** List prices in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** Input tokens served from the vendor's prompt cache. */
  readonly cached: number;
  readonly output: number;
}

/**
 * OpenAI's standard tier without batch, flex or long-context surcharges. Source: the price list at
 * developers.openai.com/api/docs/pricing; the 5.4 and 5.5 families as published in June 2026, the older ones as last
 * listed there. Prices change: the vendor's invoice is authoritative.
 */
const prices: ReadonlyMap<string, ModelPrice> = new Map([
  ['gpt-5.5', { input: 5, cached: 0.5, output: 30 }],
  ['gpt-5.4', { input: 2.5, cached: 0.25, output: 15 }],
  ['gpt-5.4-mini', { input: 0.75, cached: 0.075, output: 4.5 }],
  ['gpt-5.4-nano', { input: 0.2, cached: 0.02, output: 1.25 }],
  ['gpt-5.2', { input: 1.75, cached: 0.175, output: 14 }],
  ['gpt-5.1', { input: 1.25, cached: 0.125, output: 10 }],
  ['gpt-5', { input: 1.25, cached: 0.125, output: 10 }],
  ['gpt-5-mini', { input: 0.25, cached: 0.025, output: 2 }],
  ['gpt-5-nano', { input: 0.05, cached: 0.005, output: 0.4 }],
  ['gpt-4.1', { input: 2, cached: 0.5, output: 8 }],
  ['gpt-4.1-mini', { input: 0.4, cached: 0.1, output: 1.6 }],
  ['gpt-4.1-nano', { input: 0.1, cached: 0.025, output: 0.4 }],
  ['gpt-4o', { input: 2.5, cached: 1.25, output: 10 }],
  ['gpt-4o-mini', { input: 0.15, cached: 0.075, output: 0.6 }],
]);

/** The price of a model or of a dated snapshot of it (`gpt-4o-mini-2024-07-18`); null if unknown. */
export function priceOf(model: string): ModelPrice | null {
  return prices.get(model.replace(/-\d{4}-\d{2}-\d{2}$/, '')) ?? null;
}

/** The most expensive of them, for models newer than the list: a budget must not count them as free. */
const dearest: ModelPrice = { input: 5, cached: 5, output: 30 };

/**
 * US dollars at list price. A model without a known price counts as the most expensive if the host bills (`billed`),
 * and as free elsewhere, such as on Ollama.
 */
export function costOf(
  model: string,
  tokens: { readonly prompt: number; readonly cached: number; readonly completion: number },
  { billed }: { readonly billed: boolean },
): number {
  const price = priceOf(model) ?? (billed ? dearest : null);
  if (!price) return 0;
  const fresh = Math.max(0, tokens.prompt - tokens.cached);
  return (fresh * price.input + tokens.cached * price.cached + tokens.completion * price.output) / 1_000_000;
}
