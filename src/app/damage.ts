import type { RowKind, TellDamage } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Figures } from '../ops/figures.ts';
import { rowDamaged } from '../report/operator-words.ts';
import { placeParcel } from '../report/outbox-messages.ts';
import type { Place } from '../report/ports.ts';
import * as outbox from '../store/outbox.ts';
import * as refusals from '../store/refusals.ts';
import type { Books } from './stored-requests.ts';

export interface DamageDeps extends Books {
  /** The operators: people, then a channel. */
  operators(): Promise<readonly Extract<Place, { kind: 'person' | 'channel' }>[]>;
  readonly figures: Pick<Figures, 'damaged'>;
  readonly now: () => Date;
  readonly log: Log;
}

/** Maximum rows reported to operators by name; further ones are in the log and the metric. */
const maxTold = 10;

/** Counts each damaged row once, and reports it to operators, the log and, for a plan, the audit log. */
export function damageReports(deps: DamageDeps): { tell: TellDamage; idle(): Promise<void> } {
  const { figures, log } = deps;
  const known = new Set<string>();
  const underWay = new Set<Promise<void>>();
  return {
    tell({ kind, id }, error) {
      const name = `${kind}:${id}`;
      if (known.has(name)) return;
      known.add(name);
      figures.damaged(kind);
      log.error({ kind, id, ...describeError(error) }, 'A stored row is damaged');
      if (known.size > maxTold) return;
      const told = tellOperators(deps, kind, id)
        .catch((failed: unknown) =>
          log.warn({ kind, id, ...describeError(failed) }, 'Could not report a damaged row'),
        )
        .finally(() => underWay.delete(told));
      underWay.add(told);
    },
    async idle() {
      await Promise.all(underWay);
    },
  };
}

async function tellOperators(
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
    const { parcel, ...message } = placeParcel(
      teamId,
      place,
      `damaged:${kind}:${id}:${to}`,
      rowDamaged(kind, id),
    );
    await outbox.enqueue(db, { ...message, payload: jsonOf(parcel), now: at });
  }
}
