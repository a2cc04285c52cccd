import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, line, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { readRow } from '../core/damaged-row.ts';
import { incidentStateSpans } from '../report/incident-words.ts';
import * as alerts from '../store/alerts.ts';
import * as followed from '../store/followed-incidents.ts';
import { incidentsOfThread } from '../store/incidents.ts';
import { requestsOfThread } from '../store/threads.ts';
import { fittedSections, linesOf, planLine, type Section } from './list.ts';
import type { PlanDeps, Viewing } from './plans.ts';
import * as plans from './plans.ts';

/** A thread, and who asks in it. */
export interface CatchUp {
  readonly userId: string;
  readonly channel: string;
  readonly threadTs: string | null;
}

const maxPlans = 20;

/** The story of a thread so far: its alert, its incidents, and its requests, decisions and runs. */
export async function catchUp(
  { userId, channel, threadTs }: CatchUp,
  deps: PlanDeps & Viewing,
): Promise<Message> {
  if (threadTs === null) return note(['Ask that in a thread, and I say what happened in it so far.']);
  const { db, teamId } = deps;
  const at = { teamId, channel, threadTs };
  const [alert, ids] = await Promise.all([alerts.problemAt(db, at), requestsOfThread(db, at)]);
  const ran = await plans.visible(userId, await plans.ofRequests(deps, ids), deps);
  const oldestFirst = ran.toSorted((a, b) => a.askedAt.localeCompare(b.askedAt)).slice(-maxPlans);
  const incidents = await Promise.all(
    (await incidentsOfThread(db, { ...at, id: '' })).map((id) => incidentLine(id, deps)),
  );
  const lines = await linesOf(oldestFirst);
  const sections: Section[] = [
    sectionOf('Incidents', incidents.flat()),
    sectionOf(
      'Plans, oldest first',
      lines.map((one) => planLine(one, { asked: true })),
    ),
  ].filter(({ items }) => items.length > 0);
  const head = alert === null ? [] : [rich([line(...alertSpans(alert))])];
  if (sections.length === 0 && alert === null)
    return note(['I know of nothing that happened in this thread.']);
  return {
    text: fallbackText('What happened in this thread so far'),
    blocks: fittedSections(sections, { head }),
  };
}

function sectionOf(title: string, items: Section['items']): Section {
  return { title, items, none: '', count: items.length };
}

function alertSpans({ rule, titles, state, firedAt, closedAt }: alerts.Titled): Span[] {
  const name = bold(`${cut(oneLine(titles || rule), 120)} `);
  if (state === 'open') return [name, 'fires since ', time(firedAt.toISOString()), '.'];
  const ended: Span[] = closedAt === null ? [] : [' to ', time(closedAt.toISOString())];
  return [name, 'fired from ', time(firedAt.toISOString()), ...ended, '; it is over.'];
}

async function incidentLine(
  id: string,
  { db, teamId, damaged }: PlanDeps,
): Promise<ReturnType<typeof line>[]> {
  const row = await followed.get(db, { teamId, id });
  const life = (row && readRow(row, followed.lifeReader, damaged)?.life) ?? null;
  if (life === null) return [];
  const state = incidentStateSpans(life) ?? ['nobody has acknowledged it yet'];
  return [line(`#${life.number} ${cut(oneLine(life.title), 120)} · `, ...state)];
}
