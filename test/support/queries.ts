import { type BoundQuery, queryBook } from '../../src/core/queries/bind.ts';
import type { QueryLanguage, QueryParameter, QueryTemplate } from '../../src/core/queries/template.ts';

export const queryNow = new Date('2026-03-10T12:00:00Z');

/** A vetted query; parameters by name and type. */
export function template(
  language: QueryLanguage,
  text: string,
  parameters: Readonly<Record<string, QueryParameter['type']>> = {},
  changes: Partial<QueryTemplate> = {},
): QueryTemplate {
  const all = Object.entries(parameters).map(([name, type]) => [name, { type, describe: name, cues: [] }]);
  const source = language === 'spl' ? 'splunk' : 'shop';
  return {
    ...{ name: 'it', language, source, says: ['it'], services: [], window: 'PT1H', text },
    parameters: Object.fromEntries(all),
    ...changes,
  };
}

/** A vetted query with the values of arguments. */
export function bound(of: QueryTemplate, args: Readonly<Record<string, unknown>> = {}): BoundQuery {
  return queryBook([of], new Set()).bind(of.language, { named: of.name, ...args }, queryNow);
}

/** A query that a person wrote, where that is allowed. */
export function written(language: QueryLanguage, query: string, more: object = {}): BoundQuery {
  return queryBook([], new Set([language])).bind(language, { query, ...more }, queryNow);
}
