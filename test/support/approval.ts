import { randomUUID } from 'node:crypto';
import type { Rules } from '../../src/approval/basis.ts';
import type { ApprovalContext, Reporting } from '../../src/approval/context.ts';
import type { PeopleDirectory } from '../../src/approval/ports.ts';
import type { Person } from '../../src/core/person.ts';
import type { Facts } from '../../src/core/read-results.ts';
import type { Revision } from '../../src/core/revision.ts';
import { readsIdOf } from '../../src/core/run.ts';
import type { OutboxMessage } from '../../src/store/outbox.ts';
import { propose } from '../../src/store/propose.ts';
import * as requests from '../../src/store/requests.ts';
import { keep } from '../../src/store/steps.ts';
import type { Db } from '../../src/store/tables.ts';
import { testCatalogue, testPolicy } from './catalogue.ts';
import { givenRequest, NOON, TEAM } from './store.ts';

const nobodySpecial = { deactivated: false, bot: false, guest: false, external: false };

/** Everybody is a full member except as marked; no groups, nobody on call. */
export function directoryOf(mark: (userId: string) => Partial<Person> = () => ({})): PeopleDirectory {
  return {
    person: async ({ userId: id }) => ({ id, ...nobodySpecial, ...mark(id) }),
    groupMembers: async () => new Set(),
    onCall: async () => [],
  };
}

/** Cards and messages that nobody sees; each is queued under the key it is given, or its own. */
function silentReporting(): Reporting {
  const nothing = async (): Promise<void> => undefined;
  const message = (key: string = randomUUID()): OutboxMessage => {
    return { teamId: TEAM, conversation: key, key, kind: 'private', payload: {}, now: NOON };
  };
  return {
    ...{ propose: nothing, card: nothing, progress: nothing, asked: nothing, kick() {}, nudges: () => [] },
    ...{ cardMessage: () => message(), damagedCard: () => message() },
    toChannel: (_team, _channel, key) => message(key),
    toThread: (_of, key) => message(key),
  };
}

/** The approval stage on a test's database. */
export function approvalContext(
  db: Db,
  { policy = testPolicy, catalogue = testCatalogue(), ...change }: Partial<ApprovalContext & Rules> = {},
): ApprovalContext {
  return {
    ...{ db, teamId: TEAM, people: directoryOf(), reporting: silentReporting() },
    ...{ manifests: catalogue.manifests, rules: { policy, catalogue } },
    ...{ operators: [], announceIn: 'C0LOUD', now: () => NOON, log: { info() {}, warn() {}, error() {} } },
    damaged: (row, error) => {
      throw new Error(`${row.kind} ${row.id} is damaged`, { cause: error });
    },
    maySee: async () => true,
    cardLink: async () => null,
    resolve: async () => ({ targets: [], needs: [] }),
    withKnowledge: async (plan) => plan,
    answerersOf: () => [],
    replyTo: () => undefined,
    startBehind: async () => undefined,
    edited() {},
    decided() {},
    ...change,
  };
}

/** Stores a revision that waits for a decision, with the results of its reads. */
export async function givenRevision(
  db: Db,
  { sealed, bytes, digest }: Revision,
  facts: Facts,
): Promise<void> {
  const { teamId, requestId, number, authors, requester } = sealed;
  if ((await requests.get(db, teamId, requestId)) === null) {
    await givenRequest(db, requestId, { teamId, requester });
  }
  const readsId = readsIdOf(requestId, number);
  await propose(db, {
    ...{ teamId, requestId, number, digest, bytes, authors, targets: [], nudgeAt: null, readsId },
    ...{ origin: { planner: 'offline' }, actor: requester, cause: `${requestId}:${number}` },
    createdAt: new Date(sealed.createdAt),
    expiresAt: new Date(sealed.expiresAt),
  });
  const steps = facts.map((result) => {
    const { stepId, tool, startedAt } = result;
    return { stepId, tool, startedAt, result };
  });
  await keep(db, { teamId, runId: readsId }, steps);
  await db
    .updateTable('runs')
    .set({ state: 'finished' })
    .where('teamId', '=', teamId)
    .where('id', '=', readsId)
    .execute();
}
