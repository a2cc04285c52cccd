import type { VendorError } from '../../core/errors.ts';

/** Parameters that hosts and models differ about; everything else in a request is the same everywhere. */
export interface ModelParameters {
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly reasoning_effort?: 'low';
  readonly prompt_cache_key?: string;
}

/** OpenAI itself, one of its regions, or Azure's: what is asked there costs money. */
export function isOpenai(baseURL: string): boolean {
  return /(^|\.)(api\.openai\.com|openai\.azure\.com)$/.test(new URL(baseURL).hostname);
}

const lengths = ['max_tokens', 'max_completion_tokens'];
const dispensable = ['temperature', 'reasoning_effort', 'prompt_cache_key'];

/** The parameter that a refusal is about. Proxies name it in their message alone, and then perhaps what to use instead. */
function parameterIn({ code, facts: { parameter }, message }: VendorError): string | null {
  if (code !== 'model_request') return null;
  const known = [...lengths, ...dispensable];
  if (typeof parameter === 'string') return parameter;
  return message.match(/[a-z_]+/g)?.find((word) => known.includes(word)) ?? null;
}

/**
 * Chooses the parameters for one model behind one host. Models that reason refuse a temperature and `max_tokens` and
 * think for long unless told otherwise; Ollama knows `max_tokens` alone (its documentation, 2026-10). Names do not
 * tell everything (a deployment may have any name, `gpt-5-chat-latest` does not reason), so a parameter that the host
 * refuses is left out from then on, or takes its other form.
 */
export function createParameters(options: { readonly model: string; readonly baseURL: string }): {
  of(maxTokens: number): ModelParameters;
  /** Told of a refusal: true when it is about a parameter, and asking without that makes sense. */
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
