import type { VendorError } from '../../core/errors.ts';

/** Parameters that differ between hosts and models; the rest of a request is the same everywhere. */
export interface ModelParameters {
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly reasoning_effort?: 'low';
  readonly prompt_cache_key?: string;
}

/** OpenAI itself, one of its regions, or Azure's: calls there cost money. */
export function isOpenai(baseURL: string): boolean {
  return /(^|\.)(api\.openai\.com|openai\.azure\.com)$/.test(new URL(baseURL).hostname);
}

const lengths = ['max_tokens', 'max_completion_tokens'];
const dispensable = ['temperature', 'reasoning_effort', 'prompt_cache_key'];

/** The parameter a refusal is about. Proxies only name it in their message, possibly followed by the one to use instead. */
function parameterIn({ code, facts: { parameter }, message }: VendorError): string | null {
  if (code !== 'model_request') return null;
  const known = [...lengths, ...dispensable];
  if (typeof parameter === 'string') return parameter;
  return message.match(/[a-z_]+/g)?.find((word) => known.includes(word)) ?? null;
}

/**
 * Chooses the parameters for one model behind one host. Reasoning models refuse a temperature and `max_tokens` and
 * think for long unless told otherwise; Ollama only knows `max_tokens` (its documentation, 2026-10). Names are not
 * conclusive (a deployment may have any name, `gpt-5-chat-latest` does not reason), so a parameter that the host
 * refuses is left out from then on, or takes its other form.
 */
export function createParameters(options: { readonly model: string; readonly baseURL: string }): {
  of(maxTokens: number): ModelParameters;
  /** Handles a refusal: true when it is about a parameter, and asking without that is worth a try. */
  refused(error: VendorError): boolean;
} {
  const openai = isOpenai(options.baseURL);
  const reasons = /(^|\/)(o\d|gpt-5)/.test(options.model);
  const refused = new Set<string>();
  const length = (): string => {
    const likely = openai || reasons ? lengths.toReversed() : lengths;
    return likely.find((name) => !refused.has(name)) ?? lengths[0] ?? '';
  };
  return {
    of(maxTokens) {
      const wanted: Record<string, number | string> = {
        [length()]: maxTokens,
        ...(reasons ? { reasoning_effort: 'low' } : { temperature: 0 }),
        ...(openai ? { prompt_cache_key: 'countersign' } : {}),
      };
      return Object.fromEntries(Object.entries(wanted).filter(([name]) => !refused.has(name)));
    },
    refused(error) {
      const parameter = parameterIn(error);
      if (parameter === null) return false;
      const other = lengths.find((name) => name !== parameter);
      const known =
        dispensable.includes(parameter) || (lengths.includes(parameter) && !refused.has(other ?? ''));
      if (!known || refused.has(parameter)) return false;
      refused.add(parameter);
      return true;
    },
  };
}
