import { durationMs } from '../core/duration.ts';
import { placesIn } from '../core/queries/promql-places.ts';
import { piecesOf, placesOf, type QueryLanguage, timeNames } from '../core/queries/template.ts';
import type { Complaint, Known } from './complaint.ts';
import type { OperatorConfig } from './schema.ts';
import { neededVariable } from './secret-files.ts';

type Query = OperatorConfig['queries'][number];

/** Names of the sources for a language; Splunk and Prometheus are single ones. */
export function sourcesOf(config: OperatorConfig, language: QueryLanguage): string[] {
  if (language === 'sql') return Object.keys(config.databases);
  if (language === 'kql') return Object.keys(config.azure?.workspaces ?? {});
  return [language === 'spl' ? 'splunk' : 'prometheus'];
}

const variableOf: Partial<Record<QueryLanguage, string>> = { spl: 'SPLUNK_URL', promql: 'PROMETHEUS_URL' };

/** Problems with the queries in the file and with their sources. */
export function queryComplaints(config: OperatorConfig, known: Known): Complaint[] {
  const complaints: Complaint[] = [];
  for (const [name, { url }] of known.holdsNoKeys ? [] : Object.entries(config.databases)) {
    const path = ['databases', name, 'url'];
    const address = known.variables.get(url);
    if (address === undefined) complaints.push({ path, message: neededVariable(url, known.variables) });
    else if (known.checksEnvironment && !/^(postgres(ql)?|mysql):\/\//.test(address))
      complaints.push({ path, message: `needs ${url} to start with postgres:// or mysql://` });
  }
  const need = (variable: string, path: string[]): void => {
    if (known.checksEnvironment && !known.variables.has(variable))
      complaints.push({ path, message: neededVariable(variable, known.variables) });
  };
  if (config.azure && !known.holdsNoKeys) {
    for (const one of ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET']) need(one, ['azure']);
  }
  const taken = new Set<string>();
  config.queries.forEach((query, index) => {
    const variable = variableOf[query.language];
    if (variable !== undefined) need(variable, ['queries', String(index), 'language']);
    for (const [field, message] of problemsOf(config, query)) {
      complaints.push({ path: ['queries', index, ...field], message });
    }
    const name = `${query.language} ${query.name}`;
    if (taken.has(name)) complaints.push({ path: ['queries', index, 'name'], message: 'is used twice' });
    taken.add(name);
  });
  return complaints;
}

function problemsOf(config: OperatorConfig, query: Query): [field: string[], message: string][] {
  const problems: [string[], string][] = [];
  const sources = sourcesOf(config, query.language);
  const source = query.source ?? (sources.length === 1 ? sources[0] : undefined);
  if (source === undefined)
    problems.push([['source'], `must be one of ${sources.join(', ') || 'none: none is set up'}`]);
  else if (!sources.includes(source)) problems.push([['source'], 'is not set up']);
  for (const service of query.services) {
    if (!Object.hasOwn(config.services, service))
      problems.push([['services'], `${service} is not under services`]);
  }
  if (durationMs(query.window) === null) problems.push([['window'], 'must have no months and years']);
  problems.push(...placeProblems(query));
  if (query.language === 'promql') problems.push(...promqlProblems(query));
  else if (query.unit !== undefined) problems.push([['unit'], 'is for promql only']);
  for (const [name, { type, default: usual }] of Object.entries(query.parameters)) {
    if (usual !== undefined && (type === 'number') !== (typeof usual === 'number'))
      problems.push([['parameters', name, 'default'], `must be a ${type === 'number' ? 'number' : 'text'}`]);
  }
  return problems;
}

const reserved = new Set<string>([...timeNames, 'named', 'query', 'window', 'since', 'until']);

const notBoth = (name: string): string => `needs both {${name}_from} and {${name}_to} in text`;

/** Every placeholder must be a parameter and outside quotes, where it could only be part of a text. */
function placeProblems({ text, parameters, language }: Query): [field: string[], message: string][] {
  const problems: [string[], string][] = [];
  const used = new Set<string>();
  const places = new Set(Object.entries(parameters).flatMap(([name, { type }]) => placesOf(name, type)));
  let quote = '';
  for (const piece of piecesOf(text)) {
    if ('text' in piece) {
      quote = quoteAfter(piece.text, quote);
      continue;
    }
    used.add(piece.name);
    const isTime =
      timeNames.some((name) => name === piece.name) || (language === 'promql' && piece.name === 'window');
    const isKnown = isTime || places.has(piece.name);
    if (!isKnown) problems.push([['text'], `{${piece.name}} is not under parameters`]);
    if (quote !== '') problems.push([['text'], `{${piece.name}} must not stand in quotes`]);
  }
  for (const [name, { type }] of Object.entries(parameters)) {
    if (reserved.has(name)) problems.push([['parameters', name], 'is a name of its own; use another one']);
    else if (placesOf(name, type).some((place) => !used.has(place)))
      problems.push([['parameters', name], type === 'status' ? notBoth(name) : 'is not used in text']);
  }
  return problems;
}

/** Words go where Prometheus reads a label's value, numbers anywhere else: so a value cannot become part of the query. */
function promqlProblems({
  text,
  parameters,
  count,
  code,
  groups,
}: Query): [field: string[], message: string][] {
  const places = placesIn(text).flatMap((piece) => ('name' in piece ? [piece] : []));
  const misplaced = places.flatMap(({ name, place }): [string[], string][] => {
    const type = Object.hasOwn(parameters, name) ? parameters[name]?.type : 'number';
    if (place !== 'bare' && !Object.hasOwn(parameters, name))
      return [[['text'], `{${name}} must stand outside of label matchers`]];
    return place === 'bare' && type !== 'number'
      ? [[['text'], `{${name}} must be the value of a label, as in {job={${name}}}`]]
      : [];
  });
  const columns = Object.entries({ count, code, groups }).filter(([, column]) => column !== undefined);
  return [
    ...misplaced,
    ...columns.map(([field]): [string[], string] => [
      [field],
      'is not for promql: its numbers have no columns',
    ]),
  ];
}

/** The quote still open after a text; empty for none. */
function quoteAfter(text: string, open: string): string {
  let quote = open;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\') at += 1;
    else if (quote === '' && /["'`]/.test(character)) quote = character;
    else if (character === quote) quote = '';
  }
  return quote;
}
