import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, time } from '../blocks/rich.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { RowKind, TellDamage } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Pin } from '../core/mcp.ts';
import * as outbox from '../store/outbox.ts';
import { messageTo, queued, type Receiver } from '../store/outbox-messages.ts';
import * as refusals from '../store/refusals.ts';
import type { TeamDb } from '../store/tables.ts';
import type { Reporting } from './reporting.ts';

/** Notices to operators about the bot itself: damaged rows, changed tools, and events that Slack held back. */

interface NoticeDeps extends TeamDb {
  readonly reporting: Pick<Reporting, 'send'>;
  readonly log: Log;
}

export interface DamageDeps extends TeamDb {
  /** The operators: people, then a channel. */
  operators(): Promise<readonly Receiver[]>;
  /** Counts a damaged row. */
  counted(kind: RowKind): void;
  readonly now: () => Date;
  readonly log: Log;
}

/** Maximum rows reported to operators by name; further ones are in the log and the metric. */
const maxReported = 10;

/** Counts each damaged row once, and reports it to operators, the log and, for a plan, the audit log. */
export function damageReports(deps: DamageDeps): { tell: TellDamage; idle(): Promise<void> } {
  const { counted, log } = deps;
  const known = new Set<string>();
  const underWay = new Set<Promise<void>>();
  return {
    tell({ kind, id }, error) {
      const name = `${kind}:${id}`;
      if (known.has(name)) return;
      known.add(name);
      counted(kind);
      log.error({ kind, id, ...describeError(error) }, 'A stored row is damaged');
      if (known.size > maxReported) return;
      const done = reportDamage(deps, kind, id)
        .catch((failed: unknown) =>
          log.warn({ kind, id, ...describeError(failed) }, 'Could not report a damaged row'),
        )
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    async idle() {
      await Promise.all(underWay);
    },
  };
}

async function reportDamage(
  { db, teamId, operators, now }: DamageDeps,
  kind: RowKind,
  id: string,
): Promise<void> {
  const at = now();
  if (kind === 'plan') {
    const found = { kind: 'tampering', reason: 'damaged', userId: 'system', facts: {} } as const;
    await refusals.record(db, { teamId, at, subject: `revision:${id}`, ...found });
  }
  for (const place of await operators()) {
    const to = place.kind === 'person' ? place.userId : place.channel;
    const notice = messageTo(teamId, place, `damaged:${kind}:${id}:${to}`, rowDamaged(kind, id));
    await outbox.enqueue(db, queued(notice, at));
  }
}

const rowWords = {
  plan: ['plan', 'It cannot be approved or run; ask for it again.'],
  watch: ['watch', 'It does not look any more; end it and make it again.'],
  incident: ['followed incident', 'It is read again from PagerDuty.'],
  arrival: ['message to the bot', 'It stays in the inbox and is not worked on.'],
} as const;

function rowDamaged(kind: RowKind, id: string): Message {
  const [noun, then] = rowWords[kind];
  return note(
    [bold('A stored row is damaged: '), `the ${noun} `, code(id), '. ', then],
    ['Everything else goes on. Find out who can write to the database, and compare with a backup.'],
  );
}

/** A pinned tool of an MCP server. */
interface PinnedTool {
  readonly pin: Pin;
  readonly state: 'ok' | 'changed' | 'missing' | 'unreachable';
  readonly message: string;
  /** Hash of the server's current declaration; empty if there is none. */
  readonly seen: string;
}

export interface McpWatchDeps extends NoticeDeps {
  readonly mcp: {
    onOff(listener: (tool: PinnedTool) => void): void;
    look(signal: AbortSignal, wanted: 'all' | 'off'): Promise<readonly PinnedTool[]>;
  };
  /** Channel for telling the operator; null for the log only. */
  readonly channel: string | null;
  /** Every so many rounds all tools are checked, in the others those that are switched off. */
  readonly everyLook: number;
}

/** Time limit for all servers to list their tools, in milliseconds. */
const lookMs = 30_000;

/** Regularly checks every pinned tool, and reports each change from its pin once. */
export function mcpWatch(deps: McpWatchDeps): () => Promise<void> {
  const { mcp, log } = deps;
  // A call may notice it before the next check.
  mcp.onOff((tool) => {
    reportSwitchedOff(deps, tool).catch((error: unknown) =>
      log.warn(
        { ...describeError(error), tool: tool.pin.name },
        'Could not notify anybody that a tool was switched off',
      ),
    );
  });
  let rounds = 0;
  return async () => {
    const wanted = rounds % deps.everyLook === 0 ? 'all' : 'off';
    rounds += 1;
    for (const { pin, state, message } of await mcp.look(AbortSignal.timeout(lookMs), wanted)) {
      if (state === 'unreachable') log.warn({ tool: pin.name, message }, 'An MCP server does not answer');
    }
  };
}

async function reportSwitchedOff(
  { db, teamId, reporting, channel, log }: McpWatchDeps,
  { pin, message, seen }: PinnedTool,
): Promise<void> {
  log.warn({ tool: pin.name, message }, 'An MCP tool is switched off');
  if (channel === null) return;
  const key = `mcp:${pin.name}:${pin.pinned.sha256.slice(0, 16)}:${seen.slice(0, 16)}`;
  if ((await outbox.byKey(db, teamId, key)) !== null) return;
  await reporting.send(teamId, { kind: 'channel', channel, threadTs: null }, key, note([message]));
}

/** Tells the default channel, at most once an hour, that Slack held events back; the log has it every time. */
export async function reportMissedEvents(
  { catalogue, reporting, teamId, log }: Omit<NoticeDeps, 'db'> & { readonly catalogue: Catalogue },
  minute: Date,
): Promise<void> {
  const channel = catalogue.channels.find(({ name }) => name === catalogue.defaults.channel);
  if (channel === undefined) {
    log.warn({}, 'No channel to tell of missed events: set defaults.channel in countersign.yml');
    return;
  }
  const key = `missed-events:${minute.toISOString().slice(0, 13)}`;
  const place = { kind: 'channel', channel: channel.id, threadTs: null } as const;
  await reporting.send(teamId, place, key, eventsHeldBack(minute));
}

function eventsHeldBack(since: Date): Message {
  return note([
    bold('I may have missed messages.'),
    ' Slack held events back from ',
    time(since.toISOString()),
    ' because too many arrived at once. If I did not answer a mention or a reply, please send it again.',
  ]);
}
