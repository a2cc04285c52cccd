import { randomUUID } from 'node:crypto';
import { event } from '@pagerduty/pdjs';
import { visibleText } from '../../core/clean-text.ts';
import { configuredUrl } from '../http/egress.ts';
import { noAnswer } from '../http/no-answer.ts';
import { refusal, retryAfterMs } from '../http/vendor-status.ts';
import { observe } from './call-metrics.ts';
import type { PagerDutyWriter } from './port.ts';
import { errorText } from './rest.ts';
import type { RoutingKeys } from './services.ts';

export interface PageWriterOptions {
  /** Host of Events v2, with a port if need be; always https. */
  readonly eventsHost: string;
  readonly routing: Pick<RoutingKeys, 'of'>;
  readonly now: () => Date;
}

const vendor = 'PagerDuty';

type Page = Parameters<PagerDutyWriter['page']>[0];

/** Sends pages. Each call is exactly one request; `mayHaveHappened` of its VendorErrors is reliable. */
export function createPageWriter(options: PageWriterOptions): Pick<PagerDutyWriter, 'page'> {
  const host = configuredUrl(`https://${options.eventsHost}`).host;
  return {
    async page(page, signal) {
      const routingKey = await options.routing.of(page.service, signal);
      const data = eventFor(page, routingKey);
      const { outcome, seen } = await observe(randomUUID(), signal, (own) =>
        // The library retries a 429 by itself; `observe` ends the request first, and 1 ms is for the case that it does
        // not.
        event(
          Object.assign(
            { server: host, data, requestTimeout: 0, retryTimeout: 1 },
            { redirect: 'manual' as const, compress: false, ...own },
          ),
        ),
      );
      const status = seen.status ?? (outcome.ok ? outcome.value.status : undefined);
      if (status === 202) return { dedupKey: page.dedupKey };
      if (status === undefined) {
        const error = outcome.ok ? undefined : outcome.error;
        throw noAnswer(error, { vendor, host, write: true, signal });
      }
      throw refusal({
        vendor,
        status,
        detail: outcome.ok ? errorText(outcome.value.data) : '',
        secrets: [routingKey],
        settings: 'the routing key of the service',
        permission: 'Check the routing key of the service.',
        retryAfterMs: retryAfterMs(seen.retryAfter, options.now),
        write: true,
      });
    },
  };
}

function eventFor(page: Page, routingKey: string): Parameters<typeof event>[0]['data'] {
  const text = visibleText(page.summary);
  const { summary, clipped } = clippedSummary(text);
  const details = Object.fromEntries(
    Object.entries(page.details).map(([name, value]) => [name, visibleText(value)]),
  );
  return {
    routing_key: routingKey,
    event_action: 'trigger',
    dedup_key: page.dedupKey,
    payload: {
      summary,
      source: 'countersign',
      severity: page.severity,
      custom_details: { ...(clipped ? { text } : {}), ...details, countersign: page.mark },
    },
    ...(page.link === null ? {} : { links: [{ ...page.link }] }),
  };
}

/** PagerDuty's limit for a summary, in characters. */
const limit = 1_024;
const mark = '… (cut; the full text is in the details)';

/** A summary that PagerDuty accepts; anything too long is visibly cut between characters. */
function clippedSummary(text: string): { summary: string; clipped: boolean } {
  if (text.length <= limit) return { summary: text, clipped: false };
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > limit - mark.length) break;
    kept += character;
  }
  return { summary: `${kept}${mark}`, clipped: true };
}
