import { isButtonWrite } from '../approval/approve-by-button.ts';
import { aroundOf, changesOf } from '../approval/card/around.ts';
import { type CardView, drawCard } from '../approval/card/card.ts';
import type { CardState } from '../approval/card/state.ts';
import type { ApprovalProgress } from '../approval/required-approvals.ts';
import type { Message } from '../blocks/message.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { own } from '../core/own-property.ts';
import type { Policy } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import type { RunEvent } from '../core/run.ts';
import { type AroundDeps, around } from '../history/around.ts';
import type { ElsewhereDeps } from '../history/similar-elsewhere.ts';
import { cached } from '../process/cache.ts';
import * as report from '../report/reporting.ts';
import { cardDamaged } from '../report/undeliverable.ts';
import type { Stages } from '../stages.ts';
import type { OutboxMessage } from '../store/outbox.ts';
import {
  cardMessage,
  messageTo,
  queued,
  type Receiver,
  type ReminderMessages,
  reminderMessages,
  threadMessage,
  watchMessage,
} from '../store/outbox-messages.ts';
import * as steps from '../store/steps.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';

/** The report stage with the cards of the approval stage. */
export interface Reporting extends Omit<report.Reporting, 'changeCard' | 'expired'> {
  /** Updates a card; for an expired one also tells the requester. */
  card(revision: Revision, state: CardState): Promise<void>;
  /** Updates the card of an open revision with its approvers. */
  progress(revision: Revision, progress: ApprovalProgress): Promise<void>;
  /** Updates the card of an open revision with its other requesters. */
  asked(revision: Revision): Promise<void>;
  /** The new state of a card, to be stored with it. */
  cardMessage(revision: Revision, state: CardState): OutboxMessage;
  /** The final state of a card whose plan is damaged, to be stored with its end. */
  damagedCard(of: { requestId: string; number: number }): OutboxMessage;
  /** The messages of a reminder, to be stored with it. */
  nudges(revision: Revision, reminder: ReminderMessages): readonly OutboxMessage[];
  /** A message to a channel, to be stored with its event. */
  toChannel(teamId: string, channel: string, key: string, message: Message): OutboxMessage;
  /** A message about a watch, to be stored with its event. */
  toWatch(...of: Parameters<typeof watchMessage>): OutboxMessage;
  /** A message in the thread of a card, to be stored with its event. */
  toThread(...of: Parameters<typeof threadMessage>): OutboxMessage;
}

export type ReportingDeps = Omit<report.ReportDeps, 'cards' | 'around'> & {
  readonly policy: Policy;
  readonly gateway: Pick<SlackGateway, 'permalink' | 'isIn'>;
  readonly elsewhere: ElsewhereDeps['elsewhere'];
};

export function startReporting(deps: ReportingDeps): Reporting {
  const { db, teamId, manifests, hosts, policy, now } = deps;
  const draw = (revision: Revision, view: Omit<CardView, 'manifests' | 'policy' | 'hosts'>) =>
    drawCard(revision, { manifests, policy, hosts, ...view });
  const open = async (revision: Revision, view: Pick<CardView, 'facts' | 'progress'>) =>
    draw(revision, { state: { kind: 'proposed' }, ...(await aroundOf(deps, revision)), ...view });
  const redraw = async (revision: Revision, view: Pick<CardView, 'progress'> = {}) => {
    const facts = await steps.factsOf(db, revision.sealed);
    await stage.changeCard(revision, await open(revision, { facts, ...view }));
  };
  const known = knownAround(deps, redraw);
  const stage = report.startReporting({
    ...deps,
    around: ({ requestId: own, ...of }) => around({ ...of, own, saysNone: true }, known),
    cards: {
      card: (revision, facts) => open(revision, { facts }),
      superseded: (revision, byNumber) => draw(revision, { state: { kind: 'superseded', byNumber } }),
      changes: (revision) => changesOf(deps, revision),
      approvesItself: (revision, facts) => isButtonWrite(revision, facts, manifests),
    },
  });
  return {
    ...stage,
    async card(revision, state) {
      await stage.changeCard(revision, draw(revision, { state }));
      if (state.kind === 'expired') await stage.expired(revision);
    },
    progress: (revision, progress) => redraw(revision, { progress }),
    asked: (revision) => redraw(revision),
    cardMessage: (revision, state) =>
      queued(cardMessage(revision, 'update', draw(revision, { state })), now()),
    damagedCard: (of) =>
      queued(
        cardMessage({ sealed: { teamId, ...of } }, 'update', { message: cardDamaged(), fallback: null }),
        now(),
      ),
    nudges: (revision, reminder) =>
      reminderMessages(revision, reminder).map((message) => queued(message, now())),
    toChannel: (team, channel, key, message) =>
      queued(messageTo(team, { kind: 'channel', channel, threadTs: null }, key, message), now()),
    toWatch: (...of) => queued(watchMessage(...of), now()),
    toThread: (...of) => queued(threadMessage(...of), now()),
  };
}

/** Dependencies of what the bot itself knows of a service. A channel is public when anybody is in it. */
export function knownAround(
  {
    db,
    teamId,
    damaged,
    gateway,
    manifests,
    ...elsewhere
  }: Pick<ReportingDeps, 'db' | 'teamId' | 'damaged' | 'gateway' | 'manifests'> & ElsewhereDeps,
  redraw: (revision: Revision) => Promise<void>,
): AroundDeps {
  const { permalink, isIn } = gateway;
  return {
    db,
    teamId,
    damaged,
    manifests,
    ...elsewhere,
    permalink: cached(permalink),
    redraw,
    isPublic: (channel) => isIn('anybody', channel),
  };
}

/** `followAfter` reads the history of incidents that a run has opened or changed. */
export function reportStage(
  reporting: Reporting,
  followAfter: (event: RunEvent) => Promise<void>,
): Stages['report'] {
  return {
    messagesFor: (event, revision) => reporting.messagesFor(event, revision),
    async stored(event) {
      await reporting.stored(event);
      if (event.type === 'finished') await followAfter(event);
    },
  };
}

/** The operators, and the bot's default channel. A group that cannot be read counts as empty. */
export async function operatorPlaces(
  config: Pick<OperatorConfig, 'operators' | 'channels' | 'defaults'>,
  gateway: Pick<SlackGateway, 'groupMembers'>,
): Promise<readonly Receiver[]> {
  const members = config.operators.map(async (id) =>
    id.startsWith('S') ? [...(await gateway.groupMembers(id).catch(() => []))] : [id],
  );
  const people = (await Promise.all(members)).flat().map((userId) => ({ kind: 'person', userId }) as const);
  const channel = own(config.channels, config.defaults.channel ?? '')?.id;
  return channel === undefined ? people : [...people, { kind: 'channel', channel, threadTs: null }];
}
