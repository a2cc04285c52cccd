import { setTimeout as pause } from 'node:timers/promises';
import { refusalMessage } from '../approval/refusal-words.ts';
import { momentText } from '../core/cadence.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Policy } from '../core/policy.ts';
import { print } from '../notation/print.ts';
import { inputFields } from '../plan/playbooks/form.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { answerClicked } from '../request/answers.ts';
import { type AskPort, ask, broke, refuse, reject } from '../request/ask.ts';
import { type IntakePort, take } from '../request/intake.ts';
import { admits, type LimitPort } from '../request/limits.ts';
import type { AskingPort } from '../request/plan-form.ts';
import { pressRequest } from '../request/press.ts';
import { tellIfSlow } from '../request/slow-plan.ts';
import { hear, type ThreadPort } from '../request/thread.ts';
import { undoRequest } from '../request/undo.ts';
import { changeNotUnderstood } from '../request/words.ts';
import type { Stages } from '../stages.ts';
import * as requestRows from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import { headsOfThread, isPosting } from '../store/threads.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { EndPort } from '../watches/end.ts';
import { type KeepPort, keep } from '../watches/keep.ts';
import { tick } from '../watches/tick.ts';
import { seesRequest } from './people.ts';
import { resultPort } from './result-buttons.ts';
import { type Books, newestRevision, requestBook, revisionOf, type SoundBooks } from './stored-requests.ts';

export interface RequestStageDeps
  extends SoundBooks,
    Pick<ThreadPort, 'mayAsk' | 'ordersChange' | 'isNewRequest' | 'isNotation'> {
  readonly gateway: SlackGateway;
  readonly limits: Pick<LimitPort, 'perHour' | 'countBefore'>;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly invitation: AskPort['invitation'];
  /** Plans are made by a model, which may take a while. */
  readonly hasModel: boolean;
  readonly watches: KeepPort & EndPort;
  readonly now: () => Date;
  readonly log: Log;
}

const hourMs = 3_600_000;

/** The hourly limits of each person, counted in what is stored. */
export function hourlyLimits({ db }: Books, { caps }: Policy): RequestStageDeps['limits'] {
  return {
    perHour: { question: caps.questionsPerHour, plan: caps.plansPerHour },
    countBefore: (request, kind) =>
      requestRows.countBefore(db, request, {
        since: new Date(request.createdAt.getTime() - hourMs),
        writes: kind === 'plan',
      }),
  };
}

export function requestStage(deps: RequestStageDeps): Stages['request'] {
  const { teamId, gateway, limits, manifests, invitation, mayAsk, now } = deps;
  const requests = requestBook(deps);
  const intake: IntakePort = { teamId, requests, mayAsk, now };
  const asking: AskPort = {
    requests,
    notation: (plan) => print(plan, manifests),
    post: (message) => gateway.post(message),
    find: (posted) => gateway.findByKey(posted),
    invitation,
  };
  const thread = threadPort(deps);
  const results = resultPort(deps);
  const slow = { sleep: (ms: number) => pause(ms, undefined, { ref: false }), log: deps.log };
  return {
    take: (arrival, say) => take(arrival, intake, say),
    hear: (message, say) => hear(message, thread, say),
    async answer(click, say) {
      const next = await answerClicked(click, thread, say);
      if (next !== 'not_ours') return next;
      await say(refusalMessage({ code: 'not_ours' }));
      return null;
    },
    look: (at) => tick(at, deps.watches),
    admits: (asked, plan, turn, say) => admits(asked, plan, turn, { ...limits, requests, manifests }, say),
    keep: (asked, drafted, say) => keep(asked, drafted, deps.watches, say),
    undo: (click, say) => undoRequest(click, results, say),
    press: (click, say) => pressRequest(click, results, say),
    awaitPlan: (plan, say) => (deps.hasModel ? tellIfSlow(plan, say, slow) : plan),
    ask: (request, reply, turn, say) => ask(request, reply, turn, asking, say),
    refuse: (request, reply, say) => refuse(request, reply, asking, say),
    reject: (request, findings, say) => reject(request, findings, asking, say),
    notUnderstood: ({ change }, why, say) => say(changeNotUnderstood(change ?? '', why)),
    broke: (request, error, say) => broke(request, error, asking, say),
  };
}

/** Possible subjects of a reply in a thread, and who may change them. */
function threadPort(deps: RequestStageDeps): ThreadPort {
  const { db, teamId, gateway, watches, mayAsk, now, log } = deps;
  const { ordersChange, isNewRequest, isNotation } = deps;
  return {
    ...{ requests: requestBook(deps), mayAsk, ordersChange, isNewRequest, isNotation, now, log },
    maySee: seesRequest(deps),
    newest: (requestId) => newestRevision(deps, requestId),
    update: (of) => gateway.update(of),
    requestsOf: (at) => headsOfThread(db, { teamId, ...at }),
    isPosting: (channel) => isPosting(db, { teamId, channel }),
    mayEnd: (watch, who, say) => watches.mayEnd(watch, who, say),
    async watchOf(requestId) {
      const watch = await watches.load(`w-${requestId}`);
      if (watch?.plan == null || watch.endedAt !== null) return null;
      const { every, until, worse } = watch;
      const end = until === null ? {} : { until: momentText(until) };
      return { watch, plan: { ...watch.plan, watch: { every, worse, ...end } } };
    },
    async openRevision(requestId) {
      const row = await revisions.latest(db, teamId, requestId);
      return row?.state === 'proposed' || row?.state === 'answered' ? revisionOf(row) : null;
    },
  };
}

/** The content of the form behind `/plan`. */
export function askingPort({
  db,
  teamId,
  catalogue,
  usable,
}: Books & {
  readonly catalogue: Catalogue;
  readonly usable: () => Promise<{ readonly playbooks: readonly Playbook[] }>;
}): AskingPort {
  return {
    async offered() {
      const { playbooks } = await usable();
      return playbooks.map((one) => ({
        name: one.name,
        summary: one.summary,
        fields: inputFields(one, catalogue),
      }));
    },
    recent: (requester) => requestRows.listRecent(db, { teamId, limit: 50, requester }),
    request: (id) => requestRows.get(db, teamId, id),
  };
}
