import { type Back, periodOf, windowMs } from '../calendar/period.ts';
import { zoneNamed } from '../calendar/span.ts';
import { cut, visibleText } from '../clean-text.ts';
import { CountersignError } from '../errors.ts';
import { own } from '../own-property.ts';
import {
  type ParameterType,
  piecesOf,
  placesOf,
  type QueryLanguage,
  type QueryTemplate,
  timeGroups,
  timeNames,
} from './template.ts';

/** A question that cannot be put to the log system or database as asked. */
export class QueryError extends CountersignError {}

export type QueryValue = string | number | Date;

/** A query with its values; each system has its own way to write them. */
export interface BoundQuery {
  /** The vetted query, or null when a person wrote it. */
  readonly template: QueryTemplate | null;
  /** Null: the only one there is. */
  readonly source: string | null;
  readonly text: string;
  readonly values: Readonly<Record<string, QueryValue>>;
  readonly from: Date;
  readonly to: Date;
  /** How far back it looks by default, ISO 8601; empty when the plan gives the time or the query has none. */
  readonly over: string;
  /** The column or span of time to group its entries by; empty for none. */
  readonly by: string;
  /** Assumed values, in words: "service checkout, times in UTC"; empty if there is nothing. */
  readonly assumed: string;
}

/** The tools' view of queries. */
export interface QueryBook {
  /** The query selected by the arguments. Throws a QueryError that names the argument. */
  bind(language: QueryLanguage, args: QueryArgs, now: Date): BoundQuery;
}

export type QueryArgs = Readonly<Record<string, unknown>>;

/** Arguments that select the query or the time, as opposed to its parameters. */
const times = ['window', 'since', 'until', 'during'];
const ownArguments = new Set(['named', 'query', 'database', 'by', ...times]);
/** Those of a query that a model may have written; it says its language. */
const writtenArguments = new Set(['language', 'query', 'source', ...times]);
const usualWindow = 'PT1H';
const maxAssumed = 300;

/**
 * The operator's queries, and the languages in which people (`pasted`) and models (`byModel`) may write their own. `zone`:
 * for times without one.
 */
export function queryBook(
  templates: readonly QueryTemplate[],
  pasted: ReadonlySet<QueryLanguage>,
  zone = 'UTC',
  byModel: ReadonlySet<QueryLanguage> = new Set(),
): QueryBook {
  return {
    bind(language, args, now) {
      const here = { now, zone };
      const written = args.query;
      if (typeof written === 'string') {
        const isByModel = args.language !== undefined;
        if ((isByModel ? byModel : pasted).has(language)) return bindWritten(language, written, args, here);
        throw new QueryError('query_pasted', notAllowed(language, templates, isByModel));
      }
      const known = templates.filter((one) => one.language === language);
      const template = chosen(known, args);
      return { template, ...bindTemplate(template, args, here) };
    },
  };
}

function notAllowed(
  language: QueryLanguage,
  templates: readonly QueryTemplate[],
  isByModel: boolean,
): string {
  const vetted = listed(templates.filter((one) => one.language === language));
  const [whose, setting] = isByModel
    ? ['a model writes', 'written_queries']
    : ['people write', 'pasted_queries'];
  return `Queries that ${whose} are not run here: ${setting} in countersign.yml does not list ${language}. ${vetted}`;
}

function bindWritten(language: QueryLanguage, text: string, args: QueryArgs, here: Back): BoundQuery {
  const isByModel = args.language !== undefined;
  const known = isByModel ? writtenArguments : ownArguments;
  const other = Object.keys(args).find((name) => !known.has(name) || name === 'named' || name === 'by');
  // A person approves what the card shows.
  if (isByModel && visibleText(text) !== text.replaceAll('\r\n', '\n'))
    throw new QueryError('query_statement', 'A written query must not hold invisible characters.');
  if (other !== undefined)
    throw new QueryError(
      'query_argument',
      `A handwritten query takes no ${other}: put it in the query itself.`,
    );
  const over = language === 'sql' || saysWhen(args) ? '' : usualWindow;
  const named = isByModel ? args.source : args.database;
  const source = typeof named === 'string' && language !== 'spl' ? named : null;
  const assumed = zoneWords(args, here).join(', ');
  return {
    template: null,
    source,
    text,
    values: {},
    over,
    by: '',
    assumed,
    ...timeOf(args, usualWindow, here),
  };
}

function chosen(known: readonly QueryTemplate[], args: QueryArgs): QueryTemplate {
  if (args.named !== undefined) {
    const found = known.find(({ name }) => name === args.named);
    if (found) return found;
    throw new QueryError('query_unknown', `There is no vetted query ${String(args.named)}. ${listed(known)}`);
  }
  const given = givenIn(args);
  const fitting = fittingFor(known, args);
  const [only, other] = fitting;
  if (only !== undefined && other === undefined) return only;
  const why =
    fitting.length === 0
      ? `No vetted query takes ${given.join(' and ') || 'no arguments'}.`
      : `Several vetted queries fit: ${fitting.map(({ name }) => name).join(', ')}.`;
  throw new QueryError('query_unclear', `${why} ${listed(known)}`);
}

const givenIn = (args: QueryArgs): string[] => Object.keys(args).filter((name) => !ownArguments.has(name));

/** The queries that take the arguments of a search which names none. */
export function fittingFor(known: readonly QueryTemplate[], args: QueryArgs): QueryTemplate[] {
  const given = givenIn(args);
  return known.filter(
    (one) =>
      given.every((name) => Object.hasOwn(one.parameters, name)) &&
      Object.entries(one.parameters).every(
        ([name, { default: usual }]) => usual !== undefined || given.includes(name),
      ) &&
      coversService(one, args),
  );
}

function listed(known: readonly QueryTemplate[]): string {
  if (known.length === 0) return 'None is vetted.';
  const names = known.slice(0, 20).map(({ name, says }) => `${name} (${says[0] ?? name})`);
  return `Vetted queries, chosen by named=…: ${names.join(', ')}.`;
}

function coversService({ services }: QueryTemplate, args: QueryArgs): boolean {
  return services.length === 0 || args.service === undefined || services.includes(String(args.service));
}

function bindTemplate(template: QueryTemplate, args: QueryArgs, here: Back): Omit<BoundQuery, 'template'> {
  const { name, parameters, services, source, text } = template;
  if (!coversService(template, args)) {
    throw new QueryError(
      'query_service',
      `The query ${name} is about ${services.join(', ')}, not ${String(args.service)}.`,
    );
  }
  for (const given of Object.keys(args)) {
    const takes = times.includes(given)
      ? takesTime(template)
      : given === 'named' || given === 'by' || Object.hasOwn(parameters, given);
    if (takes) continue;
    const what = `${given} “${cut(String(args[given]), 60)}”`;
    const possible = [...Object.keys(parameters), ...(takesTime(template) ? ['a time'] : [])];
    const other = possible.length === 0 ? 'it takes no arguments' : `it takes ${possible.join(', ')}`;
    throw new QueryError('query_argument', `The query ${name} cannot be narrowed by ${what}; ${other}.`);
  }
  const by = groupOf(template, args);
  const values = Object.entries(parameters).flatMap(([parameter, { type, default: usual }]) => {
    const value = own(args, parameter) ?? usual;
    if (typeof value === 'string' || typeof value === 'number') return valuesOf(parameter, type, value);
    throw new QueryError(
      'query_argument',
      `The query ${name} needs ${parameter}, and the plan does not say it.`,
    );
  });
  const over = saysWhen(args) || !takesTime(template) ? '' : template.window;
  const usual = Object.entries(parameters).flatMap(([parameter, { default: value }]) =>
    own(args, parameter) === undefined ? [`${parameter.replaceAll('_', ' ')} ${String(value)}`] : [],
  );
  return {
    ...{ source, text, values: Object.fromEntries(values), over, by },
    assumed: cut([...usual, ...zoneWords(args, here)].join(', '), maxAssumed),
    ...timeOf(args, template.window, here),
  };
}

/** 5xx is 500 to 599. */
function valuesOf(name: string, type: ParameterType, value: string | number): [string, QueryValue][] {
  const [from, to] = placesOf(name, type);
  if (from === undefined || to === undefined) return [[name, value]];
  const said = String(value).toLowerCase();
  return [
    [from, Number(said.replaceAll('x', '0'))],
    [to, Number(said.replaceAll('x', '9'))],
  ];
}

/** All that a query's entries can be grouped by. Numbers of Prometheus are grouped by what their operator wrote. */
export function groupsOf(template: QueryTemplate): string[] {
  if (template.language === 'promql') return [];
  return [...(template.groups ?? []), ...(takesTime(template) ? timeGroups : [])];
}

function groupOf(template: QueryTemplate, { by }: QueryArgs): string {
  if (typeof by !== 'string') return '';
  const known = groupsOf(template);
  if (known.includes(by)) return by;
  const can = known.length === 0 ? '' : ` It can be by ${known.join(', ')}.`;
  throw new QueryError('query_group', `The query ${template.name} cannot be grouped by ${by}.${can}`);
}

/** The zone of clock times that name none. */
function zoneWords(args: QueryArgs, { zone }: Back): string[] {
  const isClock = (value: unknown) =>
    typeof value === 'string' &&
    /\d:\d\d/.test(value) &&
    !/(?:Z|[+-]\d\d:?\d\d)$/.test(value) &&
    !zoneNamed.test(value);
  return times.some((time) => isClock(args[time])) ? [`times in ${zone}`] : [];
}

export function saysWhen(args: QueryArgs): boolean {
  return times.some((time) => args[time] !== undefined);
}

/** Log systems limit every search by time themselves; a database only where the query has time parameters. */
export function takesTime({ language, text }: QueryTemplate): boolean {
  const names = piecesOf(text).flatMap((piece) => ('name' in piece ? [piece.name] : []));
  return language !== 'sql' || timeNames.some((name) => names.includes(name));
}

function timeOf(args: QueryArgs, usual: string, here: Back): { from: Date; to: Date } {
  const { from, to } = periodOf(args, here);
  const end = to ?? here.now;
  return { from: from ?? new Date(end.getTime() - windowMs(usual)), to: end };
}
