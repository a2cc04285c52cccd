import { describe, expect, it } from 'vitest';
import { checkBlocks, checkView } from '../../sandbox/slack/blocks/validate.ts';
import { assertMessageFits } from '../../src/blocks/fit.ts';
import type { Message } from '../../src/blocks/message.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { PlanDraft } from '../../src/core/plan.ts';
import type { RunOutcome, StepResult, StepStatus } from '../../src/core/run.ts';
import { renderHome } from '../../src/history/home.ts';
import { renderAnswer } from '../../src/report/answer.ts';
import { dryRunReply, type Ending, finalLine, finalReply } from '../../src/report/final-reply.ts';
import { outcomeTitles, progressCard, type RunProgress } from '../../src/report/progress.ts';
import { wordingOf } from '../../src/report/run-words.ts';
import { stepReply } from '../../src/report/thread.ts';
import { notInChannel } from '../../src/report/undeliverable.ts';
import { blockText, buttonsOf } from '../support/block-text.ts';
import { testCatalogue } from '../support/catalogue.ts';
import { countStep, pageStep, slaPlan, slaStep } from '../support/plans.ts';
import { revisionOf, slaRevision } from '../support/revisions.ts';

const { manifests } = testCatalogue();
const hosts = ['acme.example', '*.pagerduty.com'];
const sla = slaRevision();
const of = wordingOf(sla.sealed, manifests, hosts);
const at = '2026-03-02T12:05:00.000Z';
const tools = { count: 'jira.count', sla: 'sla.threshold', page: 'pagerduty.page' } as const;

function result(
  stepId: string,
  status: StepStatus,
  values: JsonObject | null,
  reason: StepResult['reason'] = null,
): StepResult {
  const tool = Object.hasOwn(tools, stepId) ? tools[stepId as keyof typeof tools] : 'jira.count';
  return { stepId, tool, status, result: values, reason, attempts: 1, startedAt: at, finishedAt: at };
}

const counted = (total: number) =>
  result('count', 'succeeded', { total, approximate: false, jql: 'project = "OPS" AND priority = "P1"' });
const limit = result('sla', 'succeeded', { max_open: 20, resolve_within: 'PT4H' });
const paged = result('page', 'succeeded', { dedup_key: 'cs-run-req-1-1-page', state: 'triggered' });
const notNeeded = result('page', 'skipped', null, {
  code: 'condition_false',
  message: 'Not needed: its condition does not hold.',
});

const search = revisionOf(slaPlan([{ ...countStep, tool: 'jira.search' }]));
/** The result of a search. */
const found = {
  wording: wordingOf(search.sealed, manifests, hosts),
  of: (rows: readonly JsonObject[], { total }: { total: number }) => ({
    ...result('count', 'succeeded', {
      ...{ total, more: total > rows.length, keys: rows.map(({ key }) => String(key)), rows: [...rows] },
      ...{ lines: 'x', jql: 'project = "OPS"', link: 'https://acme.example/issues/?jql=x' },
    }),
    tool: 'jira.search',
  }),
};

function issues(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `OPS-${index + 1}`,
    link: `https://acme.example/browse/OPS-${index + 1}`,
    summary: `Checkout is slow ${index + 1}`,
    ...{ status: 'To Do', priority: '', assignee: 'Ana Ruiz' },
  }));
}

function ending(
  results: readonly StepResult[],
  outcome: RunOutcome = 'done',
  more: Partial<Ending> = {},
): Ending {
  return { outcome, results, criteria: [], mode: 'run', ...more };
}

function text(message: Message): string {
  const raw = JSON.parse(JSON.stringify(message.blocks));
  expect(checkBlocks(raw, { surface: 'message' })).toEqual([]);
  expect(() => assertMessageFits(message)).not.toThrow();
  return blockText(message.blocks);
}

describe('the final line', () => {
  it('says what was found and who was paged', () => {
    expect(finalLine(of, ending([counted(24), limit, paged]))).toBe(
      'Done: 24 open P1 tickets in OPS; the SLA allows 20; Ana Ruiz was paged, on call for ops until 18:00 UTC, because 24 > 20.',
    );
    const taken = { ...paged, result: { dedup_key: 'cs-run-req-1-1-page', state: 'accepted' } };
    expect(finalLine(of, ending([counted(24), limit, taken]))).toContain(
      'PagerDuty took the page for Ana Ruiz, on call for ops until 18:00 UTC, because 24 > 20.',
    );
  });

  it('says that nothing was paged and why, with the numbers that decided it', () => {
    expect(finalLine(of, ending([counted(12), limit, notNeeded]))).toBe(
      'Done: 12 open P1 tickets in OPS; the SLA allows 20; nobody was paged, because open P1 tickets in OPS (12) ≤ the SLA limit for P1 in OPS (20).',
    );
  });

  it('never mixes up what failed, what is unknown and what was stopped', () => {
    const failed = result('count', 'failed', null, { code: 'jira_http', message: 'Jira answered with 503.' });
    const need = {
      code: 'need_failed',
      message: 'Not started: “Count open P1 tickets in OPS” did not succeed.',
    };
    const partly = finalLine(of, ending([failed, limit, result('page', 'skipped', null, need)], 'partly'));
    expect(partly).toBe(
      'Nobody was paged: Page the on-call of ops (Not started: “Count open P1 tickets in OPS” did not succeed); NOT DONE: Count open P1 tickets in OPS (Jira answered with 503); the SLA allows 20.',
    );

    const doubt = result('page', 'unknown', null, { code: 'lost', message: 'PagerDuty did not answer.' });
    const unknown = finalLine(of, ending([counted(24), limit, doubt], 'unknown'));
    expect(unknown).toBe(
      'Unknown whether anybody was paged, please check: Page the on-call of ops (PagerDuty did not answer); 24 open P1 tickets in OPS; the SLA allows 20.',
    );

    const reads = wordingOf(revisionOf(slaPlan([countStep, slaStep])).sealed, manifests, hosts);
    expect(finalLine(reads, ending([failed, limit], 'partly'))).toBe(
      'Partly done: NOT DONE: Count open P1 tickets in OPS (Jira answered with 503); the SLA allows 20.',
    );

    const stop = { code: 'cancelled', message: 'Not started: @ben cancelled the run.' };
    const cancelled = finalLine(
      of,
      ending([counted(24), limit, result('page', 'skipped', null, stop)], 'cancelled'),
    );
    expect(cancelled).toContain('Cancelled: ');
    expect(cancelled).toContain('nobody was paged (Not started: @ben cancelled the run)');
  });

  it('lists criteria that do not hold or could not be checked, in words', () => {
    const criteria = [
      { step: null, source: 'count.total > sla.max_open', holds: false, why: null },
      { step: null, source: 'words: the list is plausible', holds: null, why: 'it is in words' },
      { step: null, source: 'count.total >= 0', holds: true, why: null },
    ];
    const shown = text(finalReply(of, ending([counted(24), limit, paged], 'partly', { criteria })));
    expect(shown).toContain('Not met: open P1 tickets in OPS > the SLA limit for P1 in OPS');
    expect(shown).toContain('Not checked: the list is plausible (it is in words)');
    expect(shown).not.toContain('≥ 0');
  });
});

describe('people who were not called', () => {
  const second = { ...pageStep, id: 'second', args: { service: 'checkout', text: 'x' } };
  const post = { ...pageStep, id: 'post', tool: 'slack.post', args: { channel: '#ops', text: 'x' } };
  const two = revisionOf(slaPlan([countStep, slaStep, pageStep, second, post]));
  const both = wordingOf(two.sealed, manifests, hosts);
  const why = { code: 'vendor_down', message: 'PagerDuty answered with 503.' };
  const not = (status: StepStatus, code: string) => ({ status, code });
  const ran = (stepId: string, how: { status: StepStatus; code: string }) => ({
    ...(how.status === 'succeeded' ? paged : result(stepId, how.status, null, { ...why, code: how.code })),
    ...{ stepId, tool: stepId === 'post' ? 'slack.post' : 'pagerduty.page' },
  });
  const made = not('succeeded', '');
  const failed = not('failed', 'vendor_down');
  const doubt = not('unknown', 'lost');
  const notDue = not('skipped', 'condition_false');
  const stopped = not('skipped', 'run_stopped');
  const cancelled = not('skipped', 'cancelled');
  const behind = not('skipped', 'need_skipped');

  it.each([
    ['Nobody was paged', failed, failed, 'failed'],
    ['Nobody was paged', failed, stopped, 'failed'],
    ['Nobody was paged', failed, notDue, 'failed'],
    ['Not everybody was paged', made, failed, 'partly'],
    ['Unknown whether anybody was paged', failed, doubt, 'unknown'],
    ['Unknown whether everybody was paged', made, doubt, 'unknown'],
    ['Unknown whether anybody was paged', doubt, stopped, 'unknown'],
  ] as const)(
    '%s comes first on the card, in its notification and in the last word',
    (title, page, other, outcome) => {
      const results = [counted(24), limit, ran('page', page), ran('second', other)];
      const last = finalReply(both, ending(results, outcome));
      const check = outcome === 'unknown' && title.startsWith('Unknown') ? ', please check' : '';
      expect(last.text).toMatch(new RegExp(`^${title}${check}: Page the on-call of `));
      expect(text(last)).toMatch(new RegExp(`^${title}${check}: `));
      const steps = results.map((one) => ({ stepId: one.stepId, running: false, result: one }));
      const about = { revision: two, wording: both, steps, approval: null, finishedAt: at, stopping: false };
      const card = progressCard({ ...about, outcome });
      expect(card.message.text).toMatch(new RegExp(`^${title}: `));
      for (const shown of [card.message, card.fallback])
        expect(text(shown)).toMatch(new RegExp(`${title}\\s+${outcomeTitles[outcome]}`));
      const running = progressCard({ ...about, outcome: null, finishedAt: null });
      expect(running.message.text).toMatch(/^Running: /);
    },
  );

  it.each([
    ['Partly done', notDue, notDue, failed, 'partly'],
    ['Outcome unknown, please check', notDue, made, doubt, 'unknown'],
    ['Cancelled', cancelled, cancelled, cancelled, 'cancelled'],
    ['Partly done', notDue, behind, failed, 'partly'],
  ] as const)(
    '%s is enough where nobody was to be paged, or a person stopped it',
    (title, page, other, last, outcome) => {
      const results = [counted(24), limit, ran('page', page), ran('second', other), ran('post', last)];
      expect(finalLine(both, ending(results, outcome))).toMatch(new RegExp(`^${title}: 24 open`));
    },
  );

  it('says so where a run was refused, where something else is in doubt, and where what it needed went wrong', () => {
    const refused = { code: 'expired', message: 'The approval has expired.' };
    expect(finalLine(both, ending([], 'failed', { reason: refused }))).toBe(
      'Nobody was paged: The approval has expired.',
    );
    const doubtful = [ran('page', failed), ran('second', failed), ran('post', doubt)];
    expect(finalLine(both, ending(doubtful, 'unknown'))).toMatch(
      /^Nobody was paged; outcome unknown, please check: Page the .*; UNKNOWN: Post to #ops/,
    );
    const chain = revisionOf(
      slaPlan([countStep, { ...post, needs: ['count'] }, { ...second, needs: ['post'] }]),
    );
    const of = wordingOf(chain.sealed, manifests, hosts);
    const lost = result('count', 'failed', null, why);
    const without = not('skipped', 'need_failed');
    const results = [lost, ran('post', without), ran('second', without)];
    expect(finalLine(of, ending(results, 'failed'))).toMatch(/^Nobody was paged: /);
  });
});

describe('a reply for each step', () => {
  it('carries the evidence', () => {
    const count = text(stepReply(of, counted(24)).message);
    expect(count).toContain('✓ 24 open P1 tickets in OPS');
    expect(count).toContain('jql: project = "OPS" AND priority = "P1"');
    const page = text(stepReply(of, paged).message);
    expect(page).toContain('Ana Ruiz was paged, on call for ops until 18:00 UTC');
    expect(page).toContain('dedup key: cs-run-req-1-1-page');
    const skip = text(stepReply(of, notNeeded).message);
    expect(skip).toContain('– Skipped: Nobody was paged');
    expect(skip).toContain('only if open P1 tickets in OPS > the SLA limit for P1 in OPS');
  });

  it('is loud about a failure and never claims to know what it does not', () => {
    const reason = { code: 'x', message: 'PagerDuty answered with 400.' };
    const failed = text(stepReply(of, result('page', 'failed', null, reason)).message);
    expect(failed).toContain('✗ FAILED: Page the on-call of ops');
    expect(failed).toContain('It did not happen.');
    const unknown = text(stepReply(of, result('page', 'unknown', null, reason)).message);
    expect(unknown).toContain('? UNKNOWN:');
    expect(unknown).toContain('It may or may not have happened, and it will not be retried.');
    expect(unknown).not.toContain('FAILED');
  });

  it('shows a list as a table, what it names as links, and how many of all are there', () => {
    const { message, fallback } = stepReply(found.wording, found.of(issues(20), { total: 47 }));
    const table = message.blocks.find((block) => block.type === 'data_table');
    expect(table?.rows).toHaveLength(21);
    expect(table?.rows[1]?.map((cell) => cell.type)).toEqual([
      'rich_text',
      'raw_text',
      'raw_text',
      'raw_text',
      'raw_text',
    ]);
    expect(text(message)).toContain('20 of 47 open P1 tickets in OPS');
    expect(text(message)).toContain('20 of 47 shown');
    const links = JSON.stringify(message.blocks);
    expect(links).toContain('"url":"https://acme.example/browse/OPS-1","text":"OPS-1"');
    expect(links).toContain('"url":"https://acme.example/issues/?jql=x","text":"project = \\"OPS\\""');

    expect(checkBlocks(message.blocks, { surface: 'message', unknownBlocks: ['data_table'] })).not.toEqual(
      [],
    );
    expect(
      fallback && checkBlocks(fallback.blocks, { surface: 'message', unknownBlocks: ['data_table'] }),
    ).toEqual([]);
    expect(fallback && text(fallback)).toContain('OPS-1 · Checkout is slow 1 · To Do · Ana Ruiz');
  });

  it('puts as much of a list into a message as Slack takes, cuts no word, and says how many rows that are', () => {
    const long = 'Zahlungsabwicklung antwortet 😀 langsam '.repeat(12);
    const many = issues(100).map((row) => ({ ...row, summary: long, assignee: '' }));
    const { message, fallback } = stepReply(found.wording, found.of(many, { total: 100 }));
    for (const shown of [message, fallback ?? message]) {
      const said = text(shown);
      expect(said).toMatch(/\d\d of 100 shown/);
      expect(said).toMatch(/ (Zahlungsabwicklung|antwortet|langsam|😀)…/);
    }
    const [row] = issues(1);
    const broken = [
      { ...row, link: 'https://evil.example/browse/OPS-1' },
      { ...row, link: 'javascript:alert(1)' },
    ];
    expect(JSON.stringify(stepReply(found.wording, found.of(broken, { total: 2 })))).not.toMatch(
      /evil|javascript/,
    );
    expect(stepReply(found.wording, found.of([], { total: 0 })).fallback).toBeNull();
  });

  it('keeps text of vendors inert and within Slack’s limits', () => {
    const nasty = `OPS-1 <!channel> <https://evil.example|x> @here\n${'long line '.repeat(900)}`;
    const old = { total: 1, more: false, keys: ['OPS-1'], lines: nasty, jql: 'x'.repeat(2_000) };
    const { message } = stepReply(wordingOf(search.sealed, manifests, hosts), {
      ...result('count', 'succeeded', old),
      tool: 'jira.search',
    });
    const shown = text(message);
    expect(shown).toContain('<!channel> <https://evil.example|x> @here');
    const kinds = new Set(JSON.stringify(message.blocks).match(/"type":"[a-z_]+"/g));
    expect(kinds.has('"type":"link"') || kinds.has('"type":"mrkdwn"')).toBe(false);
    expect(message.text).not.toMatch(/<|@here/);
  });
});

describe('a dry run', () => {
  it('says what was read and what would be written, and that nothing was', () => {
    const described = result('page', 'skipped', null, {
      code: 'dry_run',
      message: 'Dry run: would page the on-call of ops: “OPS has 24 open P1 tickets”',
    });
    const message = dryRunReply(of, ending([counted(24), limit, described], 'done', { mode: 'dry_run' }));
    expect(message.text).toMatch(/^Dry run done: 24 .*; would page the on-call of ops: “OPS has 24 /);
    const shown = text(message);
    expect(shown).toContain('Dry run. Nothing was written; the plan still needs approval.');
    expect(shown).toContain('1. 24 open P1 tickets in OPS');
    expect(shown.toLowerCase()).toContain('would page the on-call of ops: “ops has 24 open p1 tickets”');
  });
});

/** The largest plan that the language allows, every step with a long text. */
function forty(): PlanDraft {
  const pages = Array.from({ length: 38 }, (_, index) => ({
    ...pageStep,
    id: `page_${index}`,
    args: { service: 'ops', text: `"${'quoted "words" '.repeat(60)}` },
  }));
  return slaPlan([countStep, slaStep, ...pages]);
}

describe('the card while it runs', () => {
  const progress = (change: Partial<RunProgress> = {}): RunProgress => ({
    revision: sla,
    wording: of,
    steps: [
      { stepId: 'count', running: false, result: counted(24) },
      { stepId: 'sla', running: true, result: null },
    ],
    approval: { by: ['U0ANA'], how: 'clicked', at: new Date(at) },
    outcome: null,
    finishedAt: null,
    stopping: false,
    ...change,
  });

  it('shows every step natively, and the same in plain blocks for workspaces without', () => {
    const { message, fallback } = progressCard(progress());
    const plan = message.blocks.find((block) => block.type === 'plan');
    expect(plan).toMatchObject({
      block_id: 'steps',
      tasks: [
        { task_id: 'count', status: 'complete' },
        { task_id: 'sla', status: 'in_progress' },
        { task_id: 'page', status: 'pending' },
      ],
    });
    for (const shown of [text(message), text(fallback)]) {
      expect(shown).toContain('Running');
      expect(shown).toContain('Approved by @U0ANA');
      expect(shown).toContain('24 open P1 tickets in OPS');
      expect(shown).toContain('only if open P1 tickets in OPS > the SLA limit for P1 in OPS');
    }
    const plain = JSON.parse(JSON.stringify(fallback.blocks));
    expect(checkBlocks(plain, { surface: 'message', unknownBlocks: ['plan', 'task_card'] })).toEqual([]);
    expect(buttonsOf(message.blocks)).toEqual(['plan.cancel']);
  });

  it('loses its button when it is stopped or over, and says how it ended', () => {
    expect(buttonsOf(progressCard(progress({ stopping: true })).message.blocks)).toEqual([]);
    const titles: Record<RunOutcome, string> = {
      done: 'Done',
      partly: 'Partly done',
      failed: 'Failed',
      unknown: 'Outcome unknown, please check',
      cancelled: 'Cancelled',
    };
    for (const [outcome, title] of Object.entries(titles) as [RunOutcome, string][]) {
      const reads = { revision: search, wording: found.wording, steps: [] };
      const { message, fallback } = progressCard(progress({ ...reads, outcome, finishedAt: at }));
      expect(text(message)).toContain(title);
      expect(text(fallback)).toContain(title);
      expect(buttonsOf(message.blocks)).toEqual([]);
      expect(message.text).toContain(title);
    }
  });

  it('holds the largest plan there may be', () => {
    const revision = revisionOf(forty());
    const many = wordingOf(revision.sealed, manifests, hosts);
    const reason = { code: 'x', message: 'a "long" reason '.repeat(40) };
    const results = revision.sealed.plan.steps.map((step) => result(step.id, 'failed', null, reason));
    const steps = results.map((one) => ({ stepId: one.stepId, running: false, result: one }));
    const large = progressCard(
      progress({ revision, wording: many, steps, outcome: 'failed', finishedAt: at }),
    );
    for (const message of [
      large.message,
      large.fallback,
      finalReply(many, ending(results, 'failed')),
      dryRunReply(many, ending(results, 'failed', { mode: 'dry_run' })),
    ]) {
      expect(text(message).length).toBeGreaterThan(1_000);
    }
  });
});

describe('where the bot is not', () => {
  it('it says how to invite it, and something else where nobody can be invited', () => {
    expect(text(notInChannel('C0SUPPORT', 'U0COUNTER'))).toContain('/invite');
    const between = notInChannel('D0OTHERS', 'U0COUNTER');
    expect(text(between)).toContain('Ask in a channel that I am in, or write to me directly.');
    expect(text(between)).not.toContain('/invite');
  });
});

describe('the App Home', () => {
  it('says what waits, what ran, how to ask and what one may approve', () => {
    const about = { digest: 'ab'.repeat(32), requester: 'U0BEN' };
    const none = { lines: [], more: 0 };
    const view = renderHome({
      waiting: {
        lines: Array.from({ length: 10 }, (_, index) => ({
          ...about,
          summary: `Plan ${index} <!here>`,
          state: { kind: 'waiting', until: at },
          link: index === 0 ? 'https://acme.slack.com/archives/C0OPS/p1' : null,
        })),
        more: 2,
      },
      mine: none,
      running: {
        lines: [{ ...about, summary: 'Count', state: { kind: 'running', since: at }, link: null }],
        more: 0,
      },
      recent: {
        lines: [
          { ...about, summary: 'Page ops', state: { kind: 'ended', outcome: 'unknown', at }, link: null },
        ],
        more: 0,
      },
      watches: [],
      mayApprove: ['Page the engineer who is on call for a service.', 'Post a message to a channel.'],
      askable: [{ system: 'Jira', goals: ['count open P1 tickets in OPS'] }],
    });
    expect(checkView(JSON.parse(JSON.stringify(view)), { surface: 'home' })).toEqual([]);
    const shown = blockText(view.blocks);
    expect(shown).toContain('Plan 9 <!here>');
    expect(shown).toContain('and 2 more');
    expect(shown).toMatch(/Outcome unknown, please check, .* · Page ops/);
    expect(shown).toMatch(/Running since .* · Count/);
    expect(shown).toContain('/plan count open P1 tickets in OPS');
    expect(shown).toContain('Page the engineer who is on call for a service.');
    const lists = { waiting: none, mine: none, running: none, recent: none, watches: [] };
    const empty = renderHome({ ...lists, mayApprove: [], askable: [] });
    expect(checkView(JSON.parse(JSON.stringify(empty)), { surface: 'home' })).toEqual([]);
    expect(blockText(empty.blocks)).toContain('Nothing waits for your approval.');
    expect(blockText(empty.blocks)).toContain('Plans that write: none.');
  });
});

it('the answer of a run that broke before any read ended can be posted', () => {
  const reason = { message: 'The run failed with an internal error.' };
  const { message, fallback } = renderAnswer(sla, of, { results: [], reason, at, changes: [] });
  for (const { blocks } of [message, fallback])
    expect(checkBlocks(blocks, { surface: 'message' })).toEqual([]);
  expect(blockText(message.blocks)).toContain(
    'Nothing could be read: The run failed with an internal error.',
  );
});

it('long words about one step leave room for the outcome of every other step', () => {
  const broke = (message: string) => ({ code: 'broken', message });
  const results = [
    result('count', 'failed', null, broke('Jira said a lot. '.repeat(300))),
    result('sla', 'failed', null, broke('The SLA file is gone.')),
  ];
  const { blocks } = finalReply(of, { outcome: 'failed', results, criteria: [], mode: 'run' });
  expect(blockText(blocks)).toContain('The SLA file is gone');
});
