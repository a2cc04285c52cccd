import type { RichTextBlock } from '@slack/types';
import { shortDigest } from '../core/canonical.ts';
import { oneLine } from '../core/clean-text.ts';
import type { Revision } from '../core/revision.ts';
import { header } from './layout.ts';
import { limits } from './limits.ts';
import type { Block } from './message.ts';
import { bold, code, line, person, quote, rich, type Span, time } from './rich.ts';

/** Common parts of all messages that show a revision, in any state. */

const plannerWords: Readonly<Record<string, string>> = {
  offline: 'planned without a model',
  model: 'planned by the model',
  playbook: 'from a playbook',
  person: 'written or chosen by a person',
};

export function cardTitle({ sealed }: Revision): Block {
  return header(sealed.plan.summary, 'title');
}

/** The requester and the goal; the goal only if the title does not already say it. */
export function askedBlock(revision: Revision, goal: string, joiners?: Joiners): Block {
  const { summary } = revision.sealed.plan;
  const same = oneLine(goal).toLowerCase() === oneLine(summary).toLowerCase();
  const titled = same && summary.length <= limits.header;
  const asked = [...askedBy(revision), ...joinedBy(revision, joiners)];
  return rich(titled ? [line(...asked)] : [line(...asked, ':'), quote(goal)], 'asked');
}

/** "Ben asked" and the editors, as mentions; a schedule by its name. */
export function askedBy({ sealed }: Revision): Span[] {
  const { requester, authors, agent } = sealed;
  const editors = authors.filter((author) => author !== requester && author !== agent?.owner);
  const asked: Span[] = agent
    ? ['Proposed by ', bold(agent.name), ' (owner ', person(agent.owner), ')']
    : isUser(requester)
      ? [person(requester), ' asked']
      : [scheduleWords(requester)];
  return editors.length === 0 ? asked : [...asked, ', edited by ', ...people(editors)];
}

/** Others who made the same request while it was active, and the number of such requests. */
export interface Joiners {
  readonly requesters: readonly string[];
  readonly count: number;
}

const maxJoiners = 5;

function joinedBy(
  { sealed }: Revision,
  { requesters, count }: Joiners = { requesters: [], count: 0 },
): Span[] {
  if (count === 0) return [];
  const others = requesters.filter((id) => id !== sealed.requester);
  const named = others
    .slice(0, maxJoiners)
    .flatMap((id): Span[] => [', ', isUser(id) ? person(id) : id.replace(/^agent:/, '')]);
  const more = others.length > maxJoiners ? ` and ${others.length - maxJoiners} others` : '';
  const too = others.length === 0 ? '' : `${more} asked for the same`;
  return [...named, too, ` (asked ${count + 1} times)`];
}

function isUser(id: string): boolean {
  return /^[UW][A-Z0-9]{2,}$/.test(id);
}

function scheduleWords(requester: string): string {
  const [, kind, name] = /^(schedule|alert):(.*)$/s.exec(requester) ?? [];
  if (kind === 'alert') return `The alert rule “${name}” asked`;
  return kind === 'schedule' ? `The schedule “${name}” asked` : `${requester} asked`;
}

export function people(ids: readonly string[]): Span[] {
  return ids.flatMap((id, index): Span[] => {
    const separator = index === 0 ? '' : index === ids.length - 1 ? ' and ' : ', ';
    return [separator, person(id)];
  });
}

/** Milliseconds within which the time of day alone is enough. */
const shortMs = 12 * 3_600_000;

/** Revision, digest, origin and, while it is open, its expiry and the estimate. */
export function cardFacts(revision: Revision, options: { readonly open: boolean }): RichTextBlock {
  const { sealed } = revision;
  const facts: Span[] = [
    sealed.number > 1 ? `Revision ${sealed.number} · ` : '',
    code(shortDigest(revision.digest)),
    ` · ${writtenBy(sealed)}`,
  ];
  const spent = options.open ? estimateWords(revision) : '';
  const isLong = Date.parse(sealed.expiresAt) - Date.parse(sealed.createdAt) > shortMs;
  const at = time(sealed.expiresAt, isLong ? '{date_short_pretty} {time}' : '{time}');
  const until: Span[] = [' · until ', at, spent === '' ? '' : ` · ${spent}`];
  return rich([line(...facts, ...(options.open ? until : []))], 'facts');
}

function writtenBy({ planner, agent }: Revision['sealed']): string {
  if (planner === 'person' && agent) return `written by ${agent.name}`;
  return plannerWords[planner] ?? planner;
}

/** "about 2 s, at most 5 s · 0.002 USD", or empty if unknown. */
function estimateWords({ sealed }: Revision): string {
  const { p50Ms, p95Ms, usd } = sealed.estimate;
  const likely = p50Ms === null ? '' : `takes about ${duration(p50Ms)}`;
  const slow = p50Ms !== null && p95Ms !== null && p95Ms > p50Ms * 1.5 && duration(p95Ms) !== duration(p50Ms);
  const worst = slow ? `, rarely ${duration(p95Ms)}` : '';
  const money = usd > 0 ? `${usd < 0.001 ? 'under 0.001' : usd.toFixed(3)} USD` : '';
  return [likely + worst, money].filter(Boolean).join(' · ');
}

/** Milliseconds in a readable unit: 0.8 s, 12 s, 3 min. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0.1, Math.round(ms / 100) / 10)} s`;
  if (ms < 90_000) return `${Math.round(ms / 1_000)} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 360_000) / 10} h`;
}
