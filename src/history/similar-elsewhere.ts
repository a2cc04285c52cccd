import type { RichTextBlockElement, RichTextSection } from '@slack/types';
import MiniSearch from 'minisearch';
import { duration } from '../blocks/card-frame.ts';
import { bullets, line, link, type Span, time } from '../blocks/rich.ts';
import { type LinkHosts, mayLink } from '../core/address.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Readers } from '../core/ports.ts';
import { type CacheTime, createCache } from '../process/cache.ts';
import { only } from './plans.ts';

/** Things like this that vendors know of: past incidents, closed tickets, reviews. */

export interface PastThing {
  /** "#812 Disk full". */
  readonly name: string;
  /** Empty where there is none. */
  readonly url: string;
  /** ISO 8601, or null. */
  readonly at: string | null;
  /** ISO 8601 of when it was over. */
  readonly ended?: string | null;
  /** Id of the incident that it is, if it is one. */
  readonly incident?: string;
  /** The vendor itself says that it is like what is going on now. */
  readonly isAlike?: boolean;
  /** The words that it is found by. */
  readonly words: string;
}

export interface PastSource {
  /** "past incidents of PagerDuty": for people, when it could not be asked. */
  readonly name: string;
  find(of: { service: string; code: string | null }, signal: AbortSignal): Promise<readonly PastThing[]>;
}

export interface ElsewhereDeps {
  readonly elsewhere: readonly PastSource[];
  readonly hosts: LinkHosts;
  readonly log: Log;
}

/** The sources with equal questions of a moment asked once: the problems of a storm are like the same past. */
export function sharedPast(sources: readonly PastSource[], keeping: CacheTime): PastSource[] {
  return sources.map(({ name, find }) => {
    const recent = createCache<readonly PastThing[]>(keeping);
    return {
      name,
      find: (of, signal) => recent.of(JSON.stringify([of.service, of.code]), () => find(of, signal)),
    };
  });
}

const askMs = 5_000;
const maxShown = 3;
/** Maximum things whose channel is looked up. */
const maxLooked = 8;
/** One word in common says little. */
const minShared = 2;

/** The things of all sources that have most in common with it, and the sources that could not be asked. */
export async function similarElsewhere(
  { service, words }: { readonly service: string; readonly words: string },
  mayShow: (incident: string) => Promise<boolean>,
  { elsewhere, hosts, log }: ElsewhereDeps,
): Promise<{ readonly items: RichTextSection[]; readonly missing: RichTextBlockElement[] }> {
  const code = codesIn(words)[0] ?? null;
  const signal = AbortSignal.timeout(askMs);
  const asked = await Promise.allSettled(elsewhere.map((one) => one.find({ service, code }, signal)));
  const missing = asked.flatMap((one, nth) => {
    if (one.status === 'fulfilled') return [];
    log.warn(describeError(one.reason), 'A source of past incidents could not be asked');
    return [bullets([line(`Not looked up: ${elsewhere[nth]?.name}.`)])];
  });
  const all = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const like = mostSimilar(all, words, service).filter((one) => haveMuchInCommon(one) || one.past.isAlike);
  const others = all.filter((one) => one.isAlike && !like.some(({ past }) => past === one));
  const best = [...like, ...others.map((past) => ({ past, sameCode: false }))].slice(0, maxLooked);
  const may = await only(best, ({ past: { incident } }) => incident === undefined || mayShow(incident));
  const shown = may.slice(0, maxShown);
  return { items: shown.map(({ past, sameCode }) => line(...spansOf(past, sameCode, hosts))), missing };
}

function spansOf({ name, url, at, ended }: PastThing, sameCode: boolean, hosts: LinkHosts): Span[] {
  const words = cut(oneLine(name), 120);
  const lasted = at !== null && ended ? Date.parse(ended) - Date.parse(at) : null;
  return [
    mayLink(url, hosts) ? link(url, words) : words,
    ...(at === null ? [] : [' of ', time(at, '{date_long}')]),
    ...(sameCode ? [', same code'] : []),
    ...(lasted === null || lasted < 0 ? [] : [`: over after ${duration(lasted)}`]),
  ];
}

/** Error codes such as PAY-E-2201. */
function codesIn(words: string): string[] {
  return words.match(/\b[A-Z][A-Z0-9]{1,9}(?:-[A-Z0-9]{1,9}){0,2}-\d{2,6}\b/g) ?? [];
}

/** Words that every question has. */
const common = new Set(
  'the and for with why what how investigate status going about alert rule fix'.split(' '),
);

export interface SimilarThing<T> {
  readonly past: T;
  readonly sameCode: boolean;
  /** How many words they have in common. */
  readonly shared: number;
}

export function haveMuchInCommon({
  sameCode,
  shared,
}: Pick<SimilarThing<unknown>, 'sameCode' | 'shared'>): boolean {
  return sameCode || shared >= minShared;
}

/** Those with words in common, the same error code first. */
export function mostSimilar<T extends { readonly words: string }>(
  all: readonly T[],
  words: string,
  service: string,
): SimilarThing<T>[] {
  const name = new Set(service.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const processTerm = (term: string): string | null => {
    const low = term.toLowerCase();
    return low.length < 3 || common.has(low) || name.has(low) ? null : low;
  };
  const index = new MiniSearch({ fields: ['words'], processTerm });
  index.addAll(all.map(({ words: text }, id) => ({ id, words: text })));
  const codes = new Set(codesIn(words));
  const found = index.search(words).flatMap(({ id, queryTerms }) => {
    const past = all[Number(id)];
    if (past === undefined) return [];
    return [
      {
        past,
        sameCode: codesIn(past.words).some((code) => codes.has(code)),
        shared: new Set(queryTerms).size,
      },
    ];
  });
  return [...found.filter(({ sameCode }) => sameCode), ...found.filter(({ sameCode }) => !sameCode)];
}

/** Maximum past incidents and tickets that are searched. */
const maxPast = 50;
const maxPages = 10;

/** Past incidents, closed tickets and written reviews of a service. */
export function pastSources({
  readers,
  catalogue,
}: {
  readonly readers: Pick<Readers, 'pagerduty' | 'jira' | 'runbooks'>;
  readonly catalogue: Pick<Catalogue, 'manifests' | 'services'>;
}): PastSource[] {
  const { manifests } = catalogue;
  const has = (tool: string, source: PastSource): PastSource[] => (manifests.has(tool) ? [source] : []);
  return [
    ...has('pagerduty.incidents', {
      name: 'past incidents of PagerDuty',
      find: ({ service }, signal) => pastIncidents(service, readers.pagerduty, signal),
    }),
    ...has('jira.search', {
      name: 'closed tickets',
      async find({ service, code }, signal) {
        const project = catalogue.services.find(({ name }) => name === service)?.project;
        if (project === undefined) return [];
        const query = { project, status: 'closed', ...(code === null ? {} : { text: code }) };
        const { issues } = await readers.jira.search(query, { limit: maxPast, order: 'updated' }, signal);
        return issues.map(({ key, summary, url, created, resolved }) => ({
          ...{
            name: `${key} ${summary}`,
            url,
            at: created.toISOString(),
            ended: resolved?.toISOString() ?? null,
          },
          words: [summary, code].join(' '),
        }));
      },
    }),
    ...has('runbook.search', {
      name: 'written reviews',
      async find({ service }, signal) {
        const query = { words: 'review', service, code: null };
        const found = await Promise.all(readers.runbooks.map((one) => one.search(query, maxPages, signal)));
        return found
          .flatMap(({ hits }) => hits)
          .filter(({ title }) => /\breview|post-?mortem/i.test(title))
          .map(({ title, address, changed, excerpt }) => ({
            ...{ name: title, url: address, at: changed, words: `${title} ${excerpt}` },
          }));
      },
    }),
  ];
}

async function pastIncidents(
  service: string,
  pagerduty: Readers['pagerduty'],
  signal: AbortSignal,
): Promise<PastThing[]> {
  const of = { services: [service], order: 'newest' } as const;
  const [over, open] = await Promise.all([
    pagerduty.incidents({ ...of, states: ['resolved'], limit: maxPast }, signal),
    pagerduty.incidents({ ...of, states: ['triggered', 'acknowledged'], limit: 1 }, signal),
  ]);
  const [newest] = open.incidents;
  const alike = newest === undefined ? [] : await pagerduty.pastIncidents(newest.id, signal);
  const older = alike.filter((id) => over.incidents.every((one) => one.id !== id));
  const others = await Promise.all(older.map((id) => pagerduty.incident(id, signal)));
  return [...over.incidents, ...others.filter((one) => one !== null)].map((one) => ({
    ...{ name: `#${one.number} ${one.title}`, url: one.url, at: one.createdAt, ended: one.changedAt || null },
    ...{ incident: one.id, isAlike: alike.includes(one.id), words: one.title },
  }));
}
