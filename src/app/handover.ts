import type { Catalogue } from '../core/catalogue.ts';
import { describeError } from '../core/errors.ts';
import { lifeOf } from '../core/life.ts';
import type { Log } from '../core/log.ts';
import { type HandoverPort, handover } from '../report/handover.ts';
import type { StoryPort } from '../report/story-port.ts';
import * as followed from '../store/followed.ts';
import { lifeInBrief } from '../vendors/pagerduty/life.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import type { Books } from './books.ts';
import { openingTools } from './following.ts';
import type { Reporting } from './reporting.ts';

/** Posts what the next shift has to know to a channel, once under its key. */
export type HandOver = (channel: string, hours: number, key: string) => Promise<void>;

interface HandoverDeps extends Books {
  readonly reporting: Pick<Reporting, 'send'>;
  readonly about: StoryPort;
  readonly pagerduty: Pick<PagerDutyReader, 'incidents'>;
  readonly catalogue: Catalogue;
  readonly now: () => Date;
  readonly log: Log;
}

/** Incidents of ours that one hand-over may be about. */
const maxOurs = 50;
/** What PagerDuty gives at once; the rest is counted. */
const maxOpen = 100;
/** Milliseconds to ask PagerDuty. */
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
  const { db, teamId, about, log } = deps;
  return {
    ...about,
    async incidents(since) {
      const rows = await followed.since(db, { teamId, since, limit: maxOurs });
      return rows.flatMap(({ life: stored, requester, channel }) => {
        const life = lifeOf(stored);
        return life === null ? [] : [{ life, requester, channel }];
      });
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

/** What PagerDuty shows as open for the services of countersign.yml. */
async function openNow({ db, teamId, pagerduty, catalogue }: HandoverDeps): ReturnType<HandoverPort['open']> {
  const [first, ...others] = catalogue.services.map(({ name }) => name);
  if (first === undefined) return { total: 0, incidents: [] };
  const { total, incidents } = await pagerduty.incidents(
    { services: [first, ...others], states: ['triggered', 'acknowledged'], order: 'newest', limit: maxOpen },
    AbortSignal.timeout(askMs),
  );
  const tools = openingTools(catalogue.manifests);
  const ids = incidents.map(({ id }) => id);
  const asked = await followed.askedAt(db, { teamId, ids, tools });
  return {
    total,
    incidents: incidents.map((incident) => ({
      life: lifeInBrief(incident),
      asked: asked.find(({ id }) => id === incident.id) ?? null,
    })),
  };
}
