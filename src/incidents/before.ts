import type { RichTextBlockElement } from '@slack/types';
import { sameButtons } from '../blocks/causes.ts';
import { actions } from '../blocks/layout.ts';
import type { Message } from '../blocks/message.ts';
import { noticeText, rich } from '../blocks/rich.ts';
import { describeError } from '../core/errors.ts';
import type { Life } from '../core/incident-history.ts';
import type { Log } from '../core/log.ts';
import { own } from '../core/own-property.ts';
import { serviceOf } from '../core/targets.ts';
import * as alerts from '../store/alerts.ts';
import * as outbox from '../store/outbox.ts';
import { queued } from '../store/outbox-messages.ts';
import { type AdvanceDeps, pagedCards } from './advance.ts';
import { headsOf, type PagedCard, reply } from './messages.ts';

/** The past that is like an incident, with buttons that repeat past plans. */
export interface Before {
  readonly elements: readonly RichTextBlockElement[];
  readonly again: readonly { readonly text: string; readonly value: string }[];
}

export interface BeforeDeps extends AdvanceDeps {
  /** Null where nothing is like it. */
  before(of: {
    readonly service: string;
    /** Slack id of the channel that is told. */
    readonly channel: string;
    readonly incident: string;
    readonly requestId: string;
    readonly words: string;
  }): Promise<Before | null>;
  readonly log: Log;
}

/** Tells each thread that paged what is like its incident before. Idempotent; never throws: it is help, no outcome. */
export async function tellBefore(life: Life, deps: BeforeDeps): Promise<void> {
  const { db, now, log, kick } = deps;
  try {
    for (const card of headsOf(await pagedCards(life.id, deps))) {
      const found = await beforeOf(card, life, deps);
      if (found === null) continue;
      await outbox.enqueue(db, queued(reply(card, `before:${life.id}`, messageOf(found)), now()));
      kick();
    }
  } catch (error) {
    log.warn(
      { incident: life.id, ...describeError(error) },
      'What was like an incident could not be looked up',
    );
  }
}

async function beforeOf(
  { thread, progress: { revision, steps } }: PagedCard,
  life: Life,
  { db, teamId, manifests, before }: BeforeDeps,
): Promise<Before | null> {
  const { requestId, plan } = revision.sealed;
  const [channel = '', threadTs = ''] = thread.split('/');
  const page = steps.find(({ result }) => own(result?.result ?? {}, 'incident') === life.id);
  const service = page === undefined ? null : serviceOf(plan, page.stepId, manifests);
  if (service === null) return null;
  // An investigation or an alert has shown it already.
  if (plan.situation !== undefined || (await alerts.problemAt(db, { teamId, channel, threadTs })) !== null)
    return null;
  const { args } = plan.steps.find(({ id }) => id === page?.stepId) ?? { args: {} };
  const texts = Object.values(args)
    .flat()
    .filter((part) => typeof part === 'string' && part !== service);
  const words = [life.title, ...texts].join(' ');
  return before({ service, channel, incident: life.id, requestId, words });
}

function messageOf({ elements, again }: Before): Message {
  return {
    text: noticeText(['Like this before']),
    blocks: [
      rich([...elements], 'before'),
      ...(again.length === 0 ? [] : [actions(sameButtons(again), 'again')]),
    ],
  };
}
