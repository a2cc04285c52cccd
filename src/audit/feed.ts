import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely';
import { z } from 'zod';
import { sha256 } from '../core/canonical.ts';
import { jsonOf } from '../core/json.ts';
import { eventConversation, type OutboxMessage } from '../store/outbox.ts';
import type { Db } from '../store/tables.ts';
import type { AuditEntry } from './chain.ts';

/** Attached to a pool and every transaction on it where the events of its plans are sent. Changes no query. */
class FeedCarrier implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs) {
    return node;
  }

  transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result);
  }
}

export function carryFeed(): KyselyPlugin {
  return new FeedCarrier();
}

/** Lines of the log about plans and their runs as events for another system, stored with the lines; empty without one. */
export function eventsOf(db: Db, lines: readonly AuditEntry[]): OutboxMessage[] {
  if (!db.getExecutor().plugins.some((plugin) => plugin instanceof FeedCarrier)) return [];
  return lines.flatMap((line) => {
    const type = typeOf(line.kind);
    return type === null || line.about === undefined ? [] : messageOf(line, type, line.about);
  });
}

/** Events by the kind of their line; other lines about writes, reminders and refused clicks stay in the log (docs/events.md). */
function typeOf(kind: string): string | null {
  const [what = '', change = ''] = kind.split('.');
  if (what === 'revision' && decisions.has(change)) return `countersign.plan.${change}`;
  if (kind === checked) return 'countersign.write.checked';
  return what === 'run' && stages.has(change) ? `countersign.run.${change}` : null;
}

const checked = 'write.checked';
/** Without the numbers, which are results. */
const outcomeSchema = z.object({ step: z.string(), outcome: z.string() });
const decisions: ReadonlySet<string> = new Set([
  ...['proposed', 'answered', 'seconded', 'approved', 'rejected', 'expired', 'superseded', 'cancelled'],
]);
const stages: ReadonlySet<string> = new Set(['started', 'finished', 'refused', 'cancel_requested']);

function messageOf(
  { teamId, at, kind, actor, subject, data: said }: AuditEntry,
  type: string,
  { requestId, number, mode }: NonNullable<AuditEntry['about']>,
): OutboxMessage {
  // An event id for each approver of several, and for each checked step.
  const outcome = kind === checked ? outcomeSchema.parse(said) : null;
  const one = kind === 'revision.seconded' ? actor : (outcome?.step ?? '');
  const id = sha256(`${teamId}\n${kind}\n${subject}\n${one}`);
  const details = outcome ?? said;
  const data = { workspace: teamId, request: requestId, revision: number, actor, details };
  const payload = {
    ...{ specversion: '1.0', id, type, source: `/countersign/${teamId}`, subject: `${requestId}/${number}` },
    ...{ time: at.toISOString(), datacontenttype: 'application/json' },
    data: mode === undefined ? data : { ...data, mode },
  };
  const conversation = eventConversation(requestId);
  return { teamId, conversation, key: `event:${id}`, kind: 'private', payload: jsonOf(payload), now: at };
}
