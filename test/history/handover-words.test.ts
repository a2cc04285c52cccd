import { describe, expect, test } from 'vitest';
import { assertMessageFits } from '../../src/blocks/fit.ts';
import type { Life } from '../../src/core/incident-history.ts';
import { type Newest, type Shift, shiftMessage } from '../../src/history/handover-words.ts';
import type { Listed, PlanState } from '../../src/history/list.ts';
import { slaPlan } from '../support/plans.ts';
import { revisionOf } from '../support/revisions.ts';
import { wordsOf } from '../support/workspace.ts';

const at = '2026-03-10T12:00:00.000Z';
const life = (number: number, title: string, url = ''): Life => ({
  ...{ id: `P${number}`, number, title, state: 'triggered', url, events: [] },
  ...{ openedAt: at, changedAt: at },
});

function listed(summary: string, state: PlanState): Listed {
  const revision = revisionOf({
    ...slaPlan(),
    summary: `${summary} ${'and tell everybody who has to know '.repeat(2)}`,
  });
  const { requestId, number } = revision.sealed;
  return {
    ...{ revision, requestId, number, digest: revision.digest },
    ...{ state, channel: 'C0OPS', requester: 'U0BEN', askedAt: at, card: null },
    link: async () => `https://example.slack.com/archives/C0OPS/${'p1234567890'.repeat(4)}`,
  };
}

function newest<T>(all: readonly T[], { count = all.length, isCut = false } = {}): Newest<T> {
  return { all, count, isCut };
}

const opened = newest([life(1, 'in public')]);
const shift: Shift = {
  since: new Date('2026-03-10T00:00:00Z'),
  open: { total: 1, incidents: opened.all },
  ...{ opened, waiting: newest([]), running: newest([]), bad: newest([]), done: newest([]), watches: [] },
};

const failed = listed('Failed page', { kind: 'ended', outcome: 'failed', at });
const thirty = <T>(make: (index: number) => T): T[] => Array.from({ length: 30 }, (_, index) => make(index));

describe('a hand-over', () => {
  test('after a busy hour is as long as Slack takes, with what matters most in full', async () => {
    const url = `https://example.pagerduty.com/${'x'.repeat(40)}`;
    const databases = thirty((index) => life(index, `Database ${'down '.repeat(15)}`, url));
    const ended = (index: number) =>
      listed(`Ended plan ${index}`, { kind: 'ended', outcome: index % 2 === 0 ? 'failed' : 'done', at });
    const plans = thirty(ended);
    const message = await shiftMessage({
      ...shift,
      opened: newest(databases),
      open: { total: 230, incidents: databases },
      waiting: newest(thirty((index) => listed(`Waiting plan ${index}`, { kind: 'waiting', until: at }))),
      bad: newest(plans.filter((_, index) => index % 2 === 0)),
      done: newest(plans.filter((_, index) => index % 2 === 1)),
    });
    expect(() => assertMessageFits(message)).not.toThrow();
    const words = wordsOf(message);
    expect(words).toMatch(/Open incidents.*#5.*and 22\d more.*Waiting for approval.*plan 2.*and 27 more/s);
    expect(words).toMatch(/Failed or unknown.*plan 4.*and 12 more.*Done.*plan 5.*and 12 more$/s);
  });

  test('without PagerDuty never says none: it lists what the bot opened, and says that there may be more', async () => {
    const open = { unread: 'PagerDuty did not answer.' };
    const message = await shiftMessage({ ...shift, open });
    expect(message.text).toMatch(/^Hand-over: PagerDuty could not be asked, 0 waiting/);
    expect(wordsOf(message)).toMatch(
      /PagerDuty could not be asked\s+, so these are only the ones that Countersign opened: PagerDuty did not answer\..*in public.*Waiting/s,
    );
    const none = wordsOf(await shiftMessage({ ...shift, open, opened: newest([]) }));
    expect(none).toMatch(
      /could not be asked\s+, so I can’t say what is open: PagerDuty did not answer\.\s+Waiting/,
    );
  });

  test('never calls a list empty that was not counted to its end', async () => {
    const message = await shiftMessage({
      ...shift,
      opened: newest(opened.all, { isCut: true }),
      waiting: newest([], { isCut: true }),
      running: newest(
        Array.from({ length: 100 }, () => failed),
        { isCut: true },
      ),
      bad: newest([failed], { isCut: true }),
      done: newest([], { isCut: true }),
    });
    expect(message.text).toMatch(/at least 0 waiting, at least 1 failed or unknown/);
    const words = wordsOf(message);
    expect(words).toMatch(
      /Waiting for approval\s+None of those that were looked at, and there may be more\./,
    );
    expect(words).toMatch(
      /Running.*and at least 92 more.*Failed or unknown.*and perhaps more.*Paged.*and perhaps more/s,
    );
    expect(words).toMatch(/Done\s+None of those/);
  });
});
