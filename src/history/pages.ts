import { z } from 'zod';
import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold } from '../blocks/rich.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { parseJson } from '../core/json.ts';
import { targetName } from '../core/targets.ts';
import type { HistoryFilter } from '../store/history.ts';
import { fittedSections, type Listed, olderButton, planSection } from './list.ts';
import * as plans from './plans.ts';
import { type PlanDeps, type Viewing, visible } from './plans.ts';

/** Requests, approvals and runs, page by page. */

export interface PagesDeps extends PlanDeps, Viewing {
  readonly catalogue: Catalogue;
}

/** Maximum lines in one list. */
export const shown = 10;
/** Rows of history per query, one query after the other: most people may see most of the first. */
export const pastLooks = [20, 50, 50, 50, 50] as const;

/** Requests, approvals and runs, newest first. `typed`: the name to filter by; null for all plans. */
export async function historyFor(
  viewer: string,
  typed: string | null,
  before: Date,
  deps: PagesDeps,
): Promise<Message> {
  const of = typed === null ? null : namedIn(typed, deps.catalogue);
  return typed !== null && of === null ? unknownName(typed) : history(viewer, of, before, deps);
}

async function history(
  viewer: string,
  of: PlanTarget | null,
  until: Date,
  deps: PagesDeps,
): Promise<Message> {
  const title = of === null ? 'History' : `History of ${of.label}`;
  const found: Listed[] = [];
  let before = until;
  let isOver = false;
  // A person in few channels may see little of a page; the search is limited nevertheless.
  for (const limit of pastLooks) {
    if (found.length >= shown || isOver) break;
    const looked = await plans.past(deps, of?.filter ?? { kind: 'all' }, { before, limit });
    isOver = looked.next === null;
    before = looked.next ?? before;
    found.push(...(await visible(viewer, looked.plans, deps)));
  }
  const now = page(found);
  const last = now.at(-1);
  const next =
    found.length > now.length && last !== undefined ? new Date(last.askedAt) : isOver ? null : before;
  const section = await planSection(title, now, { none: 'Nothing you can see yet.', max: shown });
  const tail =
    next === null ? [] : [olderButton(JSON.stringify({ of: of?.typed ?? null, at: next.getTime() }))];
  const blocks = fittedSections([section], { tail });
  return { text: fallbackText(`${title}: ${now.length === 1 ? '1 plan' : `${now.length} plans`}`), blocks };
}

/** The first entries of a list, up to `shown`. The next page starts at a new request, so that none is split. */
function page(all: readonly Listed[]): readonly Listed[] {
  const idOf = (index: number) => all[index]?.requestId;
  let end = Math.min(shown, all.length);
  while (end > 0 && idOf(end - 1) === idOf(end)) end -= 1;
  return all.slice(0, end === 0 ? shown : end);
}

const olderSchema = z.strictObject({ of: z.string().max(200).nullable(), at: z.number() });

/** Handles the button below a list of plans; null for one we did not write. */
export async function olderFor(viewer: string, value: string, deps: PagesDeps): Promise<Message | null> {
  const { data } = olderSchema.safeParse(parseJson(value));
  const before = new Date(data?.at ?? Number.NaN);
  if (data === undefined || Number.isNaN(before.getTime())) return null;
  return historyFor(viewer, data.of, before, deps);
}

function unknownName(typed: string): Message {
  return note([
    bold('I don’t know that name: '),
    cut(oneLine(typed), 80),
    '. Name a service, project, channel or person of countersign.yml, or a ticket such as OPS-7.',
  ]);
}

/** A typed word with the thing it names here. */
interface PlanTarget {
  readonly typed: string;
  readonly label: string;
  readonly filter: HistoryFilter;
}

/** The thing named after `/plan history`: a person, a ticket, a service, a project or a channel. Null if the name is unknown. */
function namedIn(typed: string, { services, projects, channels, people }: Catalogue): PlanTarget | null {
  const named = (label: string, filter: HistoryFilter): PlanTarget => ({ typed, label, filter });
  const about = (kind: Parameters<typeof targetName>[0], value: string): PlanTarget =>
    named(value, { kind: 'target', target: targetName(kind, value) });
  // Slack's format for names that people pick: <@U012ABC|ana>, <#C012ABC|ops>.
  const user = /^<@([UW][A-Z0-9]+)(?:\|([^>]*))?>$/.exec(typed);
  if (user?.[1] !== undefined)
    return named(user[2] ? `@${user[2]}` : 'this person', { kind: 'person', userId: user[1] });
  const word = (/^<#[CG][A-Z0-9]+\|([^>]*)>$/.exec(typed)?.[1] ?? typed).toLowerCase();
  const bare = word.replace(/^[@#]/, '');
  if (/^[a-z][a-z0-9_]+-\d{1,9}$/.test(word)) return about('issue', word.toUpperCase());
  const service = services.find(({ name }) => name.toLowerCase() === word);
  if (service !== undefined) return about('service', service.name);
  const project = projects.find(({ key, aliases }) =>
    [key, ...aliases].some((each) => each.toLowerCase() === word),
  );
  if (project !== undefined) return about('project', project.key);
  const person = people.find(({ handle }) => handle.toLowerCase() === bare);
  if (person !== undefined) return named(`@${person.handle}`, { kind: 'person', userId: person.id });
  const channel = channels.find(({ name }) => name.toLowerCase() === bare);
  return channel === undefined ? null : about('channel', `#${channel.name}`);
}
