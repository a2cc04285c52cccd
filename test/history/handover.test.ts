import { expect, test } from 'vitest';
import { assertMessageFits } from '../../src/blocks/fit.ts';
import type { Life } from '../../src/core/incident-history.ts';
import type { RunOutcome } from '../../src/core/run.ts';
import {
  type EndedPlan,
  type HandoverPort,
  handover,
  type Newest,
  type OpenedIncident,
} from '../../src/history/handover.ts';
import type { Standing } from '../../src/history/list.ts';
import type { Listed } from '../../src/history/port.ts';
import { countStep, slaPlan } from '../support/plans.ts';
import { revisionOf } from '../support/revisions.ts';
import { wordsOf } from '../support/workspace.ts';

const life = (number: number, title: string): Life => ({
  ...{ id: `P${number}`, number, title, state: 'triggered', url: '', events: [] },
  ...{ openedAt: '2026-03-10T12:00:00Z', changedAt: '2026-03-10T12:00:00Z' },
});

const opened = [
  { life: life(1, 'in public'), requester: 'U0BEN', channel: 'C0OPS' },
  { life: life(2, 'a secret'), requester: 'U0BEN', channel: 'C0SECRET' },
  { life: life(3, 'asked in private'), requester: 'U0EVA', channel: 'D0EVA' },
];

function newest<T>(all: readonly T[], isCut = false): Newest<T> {
  return { all, isCut };
}

/** Plans that have run. */
function past(plans: readonly Listed[], isCut = false): Pick<HandoverPort, 'ended' | 'lookUp'> {
  const rows = plans.map(({ standing, isAnswer, requester, channel }, number) => {
    const outcome: RunOutcome = standing.kind === 'ended' ? standing.outcome : 'done';
    return { ...{ requestId: 'r', number, requester, channel, outcome, isAnswer } };
  });
  const isDone = ({ outcome }: EndedPlan): boolean => outcome === 'done';
  return {
    ended: async () => ({
      done: newest(rows.filter(isDone), isCut),
      bad: newest(
        rows.filter((one) => !isDone(one)),
        isCut,
      ),
    }),
    lookUp: async (ended) => ended.flatMap(({ number }) => plans[number] ?? []),
  };
}

/** As PagerDuty shows them. */
const inPagerDuty = (all: readonly OpenedIncident[]) => ({
  total: all.length,
  incidents: all.map(({ life, ...asked }) => ({ life, asked })),
});

const port: HandoverPort = {
  incidents: async () => newest(opened),
  open: async () => inPagerDuty(opened),
  waiting: async () => [],
  running: async () => [],
  watches: async () => [],
  ...past([]),
  maySee: async (viewer, channel) => channel === 'C0OPS' || (viewer === 'U0EVA' && channel === 'D0EVA'),
};

test('a hand-over tells what everybody in its channel may read, whoever asked for it', async () => {
  const since = new Date('2026-03-10T00:00:00Z');
  const inPublic = wordsOf(await handover('C0OPS', since, port));
  expect(inPublic).toContain('in public');
  expect(inPublic).not.toMatch(/a secret|asked in private/);
  const inSecret = wordsOf(await handover('C0SECRET', since, port));
  expect(inSecret).toMatch(/in public[\s\S]*a secret/);
  expect(inSecret).not.toContain('asked in private');
  // It is open all the same, and PagerDuty itself says who may read what it is about.
  expect(inPublic).toMatch(/Open incidents.*#2 paged from a private conversation.*#3 paged from a private/s);
  expect(inSecret.match(/paged from a private conversation/g)).toHaveLength(1);
});

const at = '2026-03-10T12:00:00.000Z';

function listed(summary: string, standing: Standing, steps?: Parameters<typeof slaPlan>[0]): Listed {
  const revision = revisionOf({
    ...slaPlan(steps),
    summary: `${summary} ${'and tell everybody who has to know '.repeat(2)}`,
  });
  const { requestId, number } = revision.sealed;
  const isAnswer = steps !== undefined;
  return {
    ...{ revision, requestId, number, digest: revision.digest },
    ...{ standing, channel: 'C0OPS', requester: 'U0BEN', askedAt: at, isAnswer },
    link: async () => `https://example.slack.com/archives/C0OPS/${'p1234567890'.repeat(4)}`,
  };
}

const many = (make: (index: number) => Listed): Listed[] =>
  Array.from({ length: 30 }, (_, index) => make(index));

test('a hand-over after a busy hour is as long as Slack takes, with what matters most in full', async () => {
  const databases = Array.from({ length: 30 }, (_, index) => ({
    life: {
      ...life(index, `Database ${'down '.repeat(15)}`),
      url: `https://example.pagerduty.com/${'x'.repeat(40)}`,
    },
    ...{ requester: 'U0BEN', channel: 'C0OPS' },
  }));
  const busy: HandoverPort = {
    ...port,
    incidents: async () => newest(databases),
    open: async () => ({ ...inPagerDuty(databases), total: 230 }),
    waiting: async () => many((index) => listed(`Waiting plan ${index}`, { kind: 'waiting', until: at })),
    ...past(
      many((index) =>
        listed(`Ended plan ${index}`, { kind: 'ended', outcome: index % 2 === 0 ? 'failed' : 'done', at }),
      ),
    ),
  };
  const message = await handover('C0OPS', new Date('2026-03-10T00:00:00Z'), busy);
  expect(() => assertMessageFits(message)).not.toThrow();
  const words = wordsOf(message);
  expect(words).toMatch(/Open incidents.*#5.*and 22\d more.*Waiting for approval.*plan 2.*and 27 more/s);
  expect(words).toMatch(/Failed or unknown.*plan 4.*and 12 more.*Done.*plan 5.*and 12 more$/s);
});

test('a write in doubt comes first, then writes that failed, then look-ups, however many there are of those', async () => {
  const ended = (outcome: RunOutcome): Standing => ({ kind: 'ended', outcome, at });
  const lookUps = Array.from({ length: 12 }, (_, index) =>
    listed(`Look-up ${index}`, ended('failed'), [countStep]),
  );
  const plans = [
    ...lookUps,
    listed('Failed page', ended('failed')),
    listed('Half done', ended('partly')),
    listed('In doubt', ended('unknown')),
  ];
  const shift: HandoverPort = { ...port, ...past(plans) };
  const words = wordsOf(await handover('C0OPS', new Date('2026-03-10T00:00:00Z'), shift));
  expect(words).toMatch(/Failed or unknown.*In doubt.*Failed page.*Half done.*Look-up 0.*and 7 more.*Paged/s);
});

test('without PagerDuty nothing is called none: what the bot opened is listed, and that there may be more is said', async () => {
  const since = new Date('2026-03-10T00:00:00Z');
  const deaf: HandoverPort = { ...port, open: async () => ({ unread: 'PagerDuty did not answer.' }) };
  const message = await handover('C0OPS', since, deaf);
  expect(message.text).toMatch(/^Hand-over: PagerDuty could not be asked, 0 waiting/);
  expect(wordsOf(message)).toMatch(
    /PagerDuty could not be asked\s+, so these are only the ones that Countersign opened: PagerDuty did not answer\..*in public.*Waiting/s,
  );
  const none = wordsOf(await handover('C0OPS', since, { ...deaf, incidents: async () => newest([]) }));
  expect(none).toMatch(
    /could not be asked\s+, so I can’t say what is open: PagerDuty did not answer\.\s+Waiting/,
  );
});

test('what was not counted is never called none', async () => {
  const since = new Date('2026-03-10T00:00:00Z');
  const failed = listed('Failed page', { kind: 'ended', outcome: 'failed', at });
  const hundred = Array.from({ length: 100 }, () => failed);
  const cut: HandoverPort = {
    ...port,
    ...past([failed], true),
    incidents: async () => newest(opened, true),
    waiting: async () => hundred.map((one) => ({ ...one, channel: 'C0SECRET' })),
    running: async () => hundred,
  };
  const message = await handover('C0OPS', since, cut);
  expect(message.text).toMatch(/at least 0 waiting, at least 1 failed or unknown/);
  const words = wordsOf(message);
  expect(words).toMatch(/Waiting for approval\s+None of those that were looked at, and there may be more\./);
  expect(words).toMatch(
    /Running.*and at least 92 more.*Failed or unknown.*and perhaps more.*Paged.*and perhaps more/s,
  );
  expect(words).toMatch(/Done\s+None of those/);
});
