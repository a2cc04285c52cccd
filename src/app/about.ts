import type { Rules } from '../approval/context.ts';
import { withJoiners } from '../approval/may-approve.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import { isWaitedFor } from '../approval/required-approvals.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { type RowReader, readRow, readRows, type TellDamage } from '../core/damaged-row.ts';
import type { PlanId } from '../core/plan-id.ts';
import type { Revision } from '../core/revision.ts';
import { killSwitchName } from '../core/run.ts';
import { standingOf } from '../history/list.ts';
import type { AboutPort, Listed } from '../history/port.ts';
import type { StoryPort } from '../history/story-port.ts';
import * as approvals from '../store/approvals.ts';
import * as history from '../store/history.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as switches from '../store/switches.ts';
import * as watches from '../store/watches.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { cardLink } from './card-link.ts';
import type { Books, SoundBooks } from './stored-requests.ts';
import { cardAsShown, type StoryDeps, storyOf } from './story.ts';
import { watchReader } from './watch-rows.ts';

export interface AboutDeps extends StoryDeps {
  readonly gateway: SlackGateway;
  readonly people: PeopleDirectory;
  /** Draws the card of an open revision anew, which posts one that was deleted again. */
  readonly redraw: (revision: Revision) => Promise<void>;
  readonly rules: Rules;
  readonly catalogue: Catalogue;
  readonly now: () => Date;
}

/** Plans of a workspace with this id; without a gateway they have no links. */
export async function listedIn(
  { db, teamId, damaged }: SoundBooks,
  id: PlanId,
  gateway: SlackGateway | null,
): Promise<Listed[]> {
  const ids = await requestsNamed({ db, teamId }, id);
  return listedOf(await history.episodes(db, teamId, ids, 'newest'), linkWith(gateway), damaged);
}

async function requestsNamed({ db, teamId }: Books, id: PlanId): Promise<readonly string[]> {
  return id.kind === 'request' ? [id.id] : history.byShortDigest(db, teamId, id.digits);
}

/** The plans that ran, in the order of their runs. */
export async function plansOfRuns(
  { db, teamId, damaged }: SoundBooks,
  ran: readonly RunOf[],
  gateway: SlackGateway,
): Promise<Listed[]> {
  const ids = [...new Set(ran.map(({ requestId }) => requestId))];
  const all = listedOf(await history.episodes(db, teamId, ids, 'with_runs'), linkWith(gateway), damaged);
  const named = new Map(all.map((one) => [runKey(one), one]));
  return ran.flatMap((run) => named.get(runKey(run)) ?? []);
}

type Lists = 'waiting' | 'recent' | 'running' | 'asked' | 'history' | 'named';

/** Plans by state, by requester and by name. */
function plansPort({
  db,
  teamId,
  damaged,
  gateway,
  redraw,
}: SoundBooks & Pick<AboutDeps, 'gateway' | 'redraw'>): Pick<StoryPort, Lists> {
  const linkOf: LinkOf = (of, revision) => {
    const isOpen = of.state === 'proposed' && revision !== null;
    return cardLink(gateway, of, isOpen ? () => redraw(revision) : undefined);
  };
  const listed = async (ids: readonly string[], which: history.Which): Promise<Listed[]> => {
    return listedOf(await history.episodes(db, teamId, ids, which), linkOf, damaged);
  };
  const page: AboutPort['history'] = async (filter, before, limit) => {
    const found = await history.find(db, { teamId, filter, before, limit });
    const next = found.length < limit ? null : (found.at(-1)?.at ?? null);
    return {
      plans: await listed(
        found.map(({ id }) => id),
        'with_runs',
      ),
      next,
    };
  };
  return {
    async waiting(limit) {
      const open = await revisions.listOpen(db, { teamId, limit });
      return listed(
        open.map(({ requestId }) => requestId),
        'newest',
      );
    },
    recent: async (limit) =>
      plansOfRuns({ db, teamId, damaged }, await runs.listRecent(db, { teamId, limit }), gateway),
    running: async (limit) => listed(await history.running(db, { teamId, limit }), 'newest'),
    async asked(userId, limit) {
      const found = await history.find(db, {
        teamId,
        filter: { kind: 'asked', userId },
        before: farAway,
        limit,
      });
      return listed(
        found.map(({ id }) => id),
        'with_runs',
      );
    },
    history: page,
    async named(id) {
      return listed(await requestsNamed({ db, teamId }, id), 'newest');
    },
  };
}

/** Everything the bot can report about its own plans. */
export function aboutPort(deps: AboutDeps): StoryPort {
  const { db, teamId, damaged, gateway, people, rules, manifests, catalogue, now } = deps;
  return {
    ...plansPort(deps),
    story: (plan) => storyOf(plan, deps),
    cardAsShown: (of) => cardAsShown(deps, of),
    catalogue,
    async mayApprove(userId, { revision }) {
      if (revision === null) return false;
      const { requestId, number } = revision.sealed;
      const [given, { requesters: joiners }] = await Promise.all([
        approvals.list(db, { teamId, requestId, number }),
        requests.joinersOf(db, teamId, requestId),
      ]);
      const asked = withJoiners({ revision, joiners });
      const judged = { revision: asked, policy: rules.policy, manifests, people, now: now() };
      return isWaitedFor(
        userId,
        judged,
        given.map(({ approver }) => approver),
      );
    },
    maySee: (userId, channel) => gateway.isIn(userId, channel),
    watches: async () => readRows(await watches.open(db, teamId), watchReader, damaged),
    async stopped() {
      const found = await switches.get(db, teamId, killSwitchName);
      return found?.isOn ? { by: found.actor, at: found.at.toISOString(), reason: found.reason } : null;
    },
  };
}

interface RunOf {
  readonly requestId: string;
  readonly number: number;
}

/** A revision runs once. */
function runKey({ requestId, number }: RunOf): string {
  return `${requestId}:${number}`;
}

/** Later than anything stored, even if the processes' clocks differ. */
const farAway = new Date('9999-01-01T00:00:00.000Z');

type LinkOf = (of: history.Episode, revision: Revision | null) => Promise<string | null>;

function linkWith(gateway: SlackGateway | null): LinkOf {
  return async (of) => (gateway === null ? null : cardLink(gateway, of));
}

/** A damaged plan stands in the list all the same. */
function listedOf(all: readonly history.Episode[], linkOf: LinkOf, damaged: TellDamage): Listed[] {
  const reader: RowReader<history.Episode, Listed> = {
    ...revisions.planReader,
    read: (of) => {
      const revision = readRow(of, revisions.planReader, damaged);
      return {
        ...{ requester: of.requester, channel: of.channel, standing: standingOf(of) },
        ...{ requestId: of.requestId, number: of.number, digest: of.digest },
        revision,
        askedAt: of.askedAt.toISOString(),
        isAnswer: of.state === 'answered',
        link: () => linkOf(of, revision),
      };
    },
  };
  return readRows(all, reader, damaged);
}
