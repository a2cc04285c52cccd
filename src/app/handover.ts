import type { Catalogue } from '../core/catalogue.ts';
import { readRow } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { type Asked, type EndedPlan, type HandoverPort, handover, type Newest } from '../history/handover.ts';
import type { StoryPort } from '../history/story-port.ts';
import * as followed from '../store/followed-incidents.ts';
import * as history from '../store/history.ts';
import { lifeInBrief } from '../vendors/pagerduty/life.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { plansOfRuns } from './about.ts';
import type { Reporting } from './reporting.ts';
import type { SoundBooks } from './stored-requests.ts';

/** Posts the handover for the next shift to a channel, once per key. */
export type HandOver = (channel: string, hours: number, key: string) => Promise<void>;

interface HandoverDeps extends SoundBooks {
  readonly gateway: SlackGateway;
  readonly reporting: Pick<Reporting, 'send'>;
  readonly about: StoryPort;
  readonly pagerduty: Pick<PagerDutyReader, 'incidents'>;
  readonly catalogue: Catalogue;
  readonly now: () => Date;
  readonly log: Log;
}

/** Maximum incidents that PagerDuty returns at once; the rest are counted. */
const maxOpen = 100;
/** Time limit for asking PagerDuty, in milliseconds. */
const askMs = 10_000;

export function handingOver(deps: HandoverDeps): HandOver {
  const { teamId, reporting, now } = deps;
  const port = handoverPort(deps);
  return async (channel, hours, key) => {
    const since = new Date(now().getTime() - hours * 3_600_000);
    const message = await handover(channel, since, port);
    await reporting.send(teamId, { kind: 'channel', channel, threadTs: null }, `handover:${key}`, message);
  };
}

function handoverPort(deps: HandoverDeps): HandoverPort {
  const { db, teamId, damaged, gateway, about, log } = deps;
  return {
    ...about,
    async ended(since, limit) {
      const rows = await history.ended(db, { teamId, since, limit });
      return {
        done: newest(
          rows.filter(({ outcome }) => outcome === 'done'),
          limit,
        ),
        bad: newest(
          rows.filter(({ outcome }) => outcome !== 'done'),
          limit,
        ),
      };
    },
    lookUp: (ended) => plansOfRuns(deps, ended, gateway),
    async incidents(since, limit) {
      const rows = await followed.since(db, { teamId, since, limit });
      const askedOf = await askers(rows, deps);
      const all = rows.flatMap(({ id, life: stored }) => {
        const [life = null, asked] = [
          readRow({ id, life: stored }, followed.lifeReader, damaged)?.life,
          askedOf(id),
        ];
        return life === null || asked === null ? [] : [{ ...asked, life }];
      });
      return { all, isCut: rows.length === limit };
    },
    async open() {
      try {
        return await openNow(deps);
      } catch (error) {
        const { code, message } = describeError(error);
        log.warn({ code, message }, 'A hand-over could not ask PagerDuty');
        return { unread: message };
      }
    },
  };
}

/** A full batch of one kind: there may be more of it. */
function newest(rows: readonly history.Ended[], limit: number): Newest<EndedPlan> {
  const kinds = Map.groupBy(rows, ({ mode, outcome }) => `${mode} ${outcome}`);
  return {
    all: rows.map(({ mode, ...row }) => ({ ...row, isAnswer: mode === 'read' })),
    isCut: [...kinds.values()].some(({ length }) => length === limit),
  };
}

/** Open incidents in PagerDuty for the services of countersign.yml. */
async function openNow(deps: HandoverDeps): ReturnType<HandoverPort['open']> {
  const { pagerduty, catalogue } = deps;
  const [first, ...others] = catalogue.services.map(({ name }) => name);
  if (first === undefined) return { total: 0, incidents: [] };
  const { total, incidents } = await pagerduty.incidents(
    { services: [first, ...others], states: ['triggered', 'acknowledged'], order: 'newest', limit: maxOpen },
    AbortSignal.timeout(askMs),
  );
  const askedOf = await askers(incidents, deps);
  return {
    total,
    incidents: incidents.map((incident) => ({ life: lifeInBrief(incident), asked: askedOf(incident.id) })),
  };
}

/** Who first requested a page about each of these incidents, and where; null if nobody did. */
async function askers(
  incidents: readonly { readonly id: string }[],
  { db, teamId, catalogue }: HandoverDeps,
): Promise<(id: string) => Asked | null> {
  const tools = followed.openingTools(catalogue.manifests);
  const asked = await followed.askedAt(db, { teamId, ids: incidents.map(({ id }) => id), tools });
  const byId = new Map(asked.map(({ id, requester, channel }) => [id, { requester, channel }]));
  return (id) => byId.get(id) ?? null;
}
