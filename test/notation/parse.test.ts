import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { logsSpl } from '../../manifests/logs.spl.ts';
import { mcpManifests } from '../../manifests/mcp.ts';
import { declareQueries } from '../../src/config/declare-query.ts';
import { mcpServerSchema } from '../../src/core/mcp.ts';
import type { Plan } from '../../src/core/plan.ts';
import { looksLikeNotation } from '../../src/notation/looks.ts';
import { parse } from '../../src/notation/parse.ts';
import { print } from '../../src/notation/print.ts';
import { problemLine } from '../../src/notation/problems.ts';
import { reviewDraft } from '../../src/review/review.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { slaPlan } from '../support/plans.ts';
import { template } from '../support/queries.ts';

const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));

function planOf(text: string): Plan {
  const { plan, problems } = parse(text, manifests);
  if (!plan) throw new Error(problems.map((problem) => problem.message).join('\n'));
  return plan;
}

function problemsIn(text: string): string[] {
  return parse(text, manifests).problems.map((problem) => problemLine(problem, text));
}

const breach = `count = jira.count project=OPS priority=P1 status=open
limit = sla.threshold project=OPS priority=P1
when count.total > limit.max_open: pagerduty.page service=ops text="OPS has {count.total} open P1 tickets; the SLA allows {limit.max_open}"`;

describe('a plan typed by hand', () => {
  test('gets its missing ids, needs, reasons, summary and goal', () => {
    const plan = planOf(breach);
    expect(plan).toMatchObject({
      goal: breach,
      summary: 'Page the on-call of ops if open P1 tickets in OPS > the SLA limit for P1 in OPS',
      inputs: [],
      assumptions: [],
      success: [],
    });
    expect(plan.steps.map(({ id, needs, why }) => ({ id, needs, why }))).toEqual([
      { id: 'count', needs: [], why: 'Count open P1 tickets in OPS' },
      { id: 'limit', needs: [], why: 'Look up the SLA limit for P1 in OPS' },
      { id: 'page', needs: ['count', 'limit'], why: 'Page the on-call of ops' },
    ]);
    expect(plan.steps[2]?.args.text).toEqual([
      'OPS has ',
      { ref: 'count.total' },
      ' open P1 tickets; the SLA allows ',
      { ref: 'limit.max_open' },
    ]);
    expect(reviewDraft(plan, { catalogue: testCatalogue(), policy: testPolicy }).findings).toEqual([]);
    expect(print(plan, manifests)).toBe(breach);
  });

  test('is the same on one line, from a phone, as code, and from a Slack message with linked names', () => {
    const { goal: _goal, ...expected } = planOf(
      'jira.count project=OPS status=open\nwhen count.total > 5: slack.post channel=#ops text="It’s {count.total}"',
    );
    for (const text of [
      'jira.count project=OPS status=open; when count.total > 5: slack.post channel=#ops text="It’s {count.total}"',
      'Jira.count Project = ops, status=open; If count > 5: Slack.post channel=#ops text=“It’s {count}”',
      "```\n# how many\njira.count project=OPS status=open # open ones\n\nwhen count.total>5: slack.post channel=#ops text='It’s {count.total}'\n```",
      'jira.count project=OPS status=open; when count.total > 5: https://slack.post channel=#ops text=”It’s {http://count.total}“',
    ]) {
      const plan = planOf(text);
      expect(plan.steps.map(({ when, ...step }) => ({ ...step, when: when?.replaceAll(' ', '') }))).toEqual(
        expected.steps.map(({ when, ...step }) => ({ ...step, when: when?.replaceAll(' ', '') })),
      );
    }
    const typed = planOf(
      'sla = jira.sla key=OPS-1; when sla.state = ‘breached’ or not (sla.total ≥ 3): jira.get key=OPS-1',
    );
    const colon = planOf('sla = jira.sla key=OPS-1; if sla.state = “a: b; c”: jira.get key=OPS-1');
    expect(colon.steps[1]?.when).toBe('sla.state == "a: b; c"');
    expect(typed.steps[1]?.when).toBe('sla.state == "breached" || ! (sla.total >= 3)');
  });

  test('has separate lines for what is special about a step or the plan', () => {
    const text = `goal: Tell ana; quickly
summary: Tell ana
input: project=OPS "wait time"="5 min"
default: service=ops
assuming: ops belongs to OPS
jira.count project=OPS
  on error: continue
tickets = jira.search project=OPS
  why: "She asked; twice"
slack.post user=@ana text={tickets.lines}
  after: count
  on skip: run
  expect: words: ana knows
success: tickets.total < 100`;
    const plan = planOf(text.replace('Tell ana; quickly', '"Tell ana; quickly"'));
    expect(plan).toMatchObject({
      goal: 'Tell ana; quickly',
      inputs: [
        { name: 'project', value: 'OPS', source: 'text' },
        { name: 'wait time', value: '5 min', source: 'text' },
        { name: 'service', value: 'ops', source: 'default' },
      ],
      assumptions: ['ops belongs to OPS'],
      success: ['tickets.total < 100'],
    });
    expect(plan.steps[0]?.onError).toBe('continue');
    expect(plan.steps[1]?.why).toBe('She asked; twice');
    expect(plan.steps[2]).toMatchObject({
      needs: ['count', 'tickets'],
      args: { text: { ref: 'tickets.lines' } },
      onSkip: 'run',
      success: ['words: ana knows'],
    });
  });

  test("needs what it refers to, keeps a planner's reasons and order, and prints as short as possible", () => {
    const { plan } = reviewDraft(slaPlan(), { catalogue: testCatalogue(), policy: testPolicy });
    if (!plan) throw new Error('the plan is right');
    expect(
      print(plan, manifests),
    ).toBe(`goal: Check Jira ticket count, compare with SLA, and notify on-call engineer if breached
summary: Page ops if OPS has more open P1 tickets than its SLA allows
count = jira.count project=OPS priority=P1 status=open
  why: how many are open
sla = sla.threshold project=OPS priority=P1
  why: how many are allowed
when count.total > sla.max_open: pagerduty.page service=ops text="OPS has {count.total} open P1 tickets; the SLA allows {sla.max_open}"
  why: the SLA is breached`);
  });
});

test('takes JSON as it is, and quoted, where an argument cannot be said otherwise', () => {
  const item = { type: 'object', properties: { oldText: { type: 'string' }, newText: { type: 'string' } } };
  const properties = {
    edits: { type: 'array', items: item },
    options: { type: 'object', properties: { dry: { type: 'boolean' }, at: { type: 'number' } } },
    marks: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    lines: { type: 'array', items: { type: 'integer' } },
    names: { type: 'array', items: { type: 'string' } },
  };
  const tool = {
    sha256: '0'.repeat(64),
    effect: 'read',
    about: 'Edit.',
    input: { type: 'object', properties },
  };
  const ask = { verbs: ['edit'], examples: ['edit'] };
  const files = mcpServerSchema.parse({ command: ['files'], tools: { edit: { ...tool, ask } } });
  const known = new Map(mcpManifests({ files }).map((manifest) => [manifest.name, manifest]));
  const read = (text: string) => {
    const { plan, problems } = parse(`files.edit ${text}`, known);
    if (plan !== null) expect(parse(print(plan, known), known).plan?.steps).toEqual(plan.steps);
    return plan?.steps[0]?.args ?? problems.map(({ message }) => message);
  };
  const edits = '[{"oldText":"a; b [1] \\"c\\" {d}","newText":"} ]"}]';
  expect(read(`edits=${edits} names=[x, "y z"]`)).toEqual({ edits, names: ['x', 'y z'] });
  expect(
    read(`edits="${edits.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replace('{d}', '\\{d}')}"`),
  ).toEqual({ edits });
  const options = '{ "dry": true,\n  "at": 4 }';
  expect(read(`options=${options} marks=[[1, 2], [3]] lines=[1, 2]`)).toEqual({
    ...{ options, marks: '[[1, 2], [3]]', lines: '[1, 2]' },
  });
  expect(read('edits=[] options={}')).toEqual({ edits: '[]', options: '{}' });
  expect(read('edits=[{"oldText":1}]')).toEqual([
    expect.stringMatching(/^`edits` must be JSON that fits: 0\.oldText/),
  ]);
  expect(read('lines=[1, x]')).toEqual([expect.stringMatching(/^`lines` /)]);
});

test('the name of a vetted query belongs into named, and is completed', () => {
  const errors = template('spl', 'index=x', {}, { name: 'errors-by-code', says: ['errors'] });
  const spl = declareQueries(logsSpl, [errors]);
  const read = (text: string) => parse(`logs.spl ${text}`, new Map([[spl.name, spl]]));
  expect(read('query=errors-by-code').problems.map(({ message }) => message)).toEqual([
    '`errors-by-code` is a vetted query, not one to run as written. Did you mean `named=errors-by-code`?',
  ]);
  expect(read('named=errors-by-cod').problems.map(({ message }) => message)).toEqual([
    '`named` must be one of errors-by-code. Did you mean `errors-by-code`?',
  ]);
  expect(read('named=errors-by-code').plan?.steps[0]?.args).toEqual({ named: 'errors-by-code' });
});

describe('errors', () => {
  test('are reported all together, with the line, the word and the likely intention', () => {
    expect(
      problemsIn(`count = jira.cnt project=OPS
when cuont.total > 5: pagerduty.page servce=ops text=disk full on db1 urgency=hgh
  wyh: it burns
  after: cout`),
    ).toEqual([
      'Line 1: No tool `jira.cnt`. Did you mean `jira.count`?',
      'Line 2: There is no step `cuont`. Did you mean `count`?',
      'Line 2: `pagerduty.page` has no argument `servce`. Did you mean `service`?',
      'Line 2: `full on db1` belongs to no argument. Several words need quotation marks: text="disk full on db1".',
      'Line 2: `urgency` must be one of high, low. Did you mean `high`?',
      'Line 3: There is no line `wyh:`. Did you mean `why:`?',
      'Line 4: There is no step `cout`. Did you mean `count`?',
    ]);
    const [problem] = parse('jira.count project=OPS; jira.cuont', manifests).problems;
    expect(problem).toMatchObject({
      code: 'unknown_tool',
      line: 1,
      column: 25,
      word: 'jira.cuont',
      meant: 'jira.count',
    });
  });

  test.each([
    ['pagerduty.page service=ops', '`pagerduty.page` needs `text=…`.'],
    ['runbook.search', '`runbook.search` needs at least one of query=… or service=… or code=….'],
    ['slack.post text=hi', '`slack.post` needs exactly one of channel=… or user=….'],
    ['jira.search limit=abc', '`limit` must be a number.'],
    ['jira.count priority=P9', '`priority` must be a priority P1 to P5.'],
    ['jira.count project=OPS project=PAY', '`project` is given twice.'],
    ['jira.count project=', '`project` has no value.'],
    ['a = jira.count; a = jira.count', 'There are two steps `a`.'],
    ['jira.count project=OPS; on error: ignore', '`on error:` is stop or continue.'],
    ['why: nobody knows', '`why:` belongs to a step; write it after one.'],
    [
      'jira.count; when count.total > 5 jira.search',
      '`when` needs a colon between its condition and the step: when count.total > 5: tool …',
    ],
    [
      'jira.count; when count.totl > 5: jira.search',
      '`jira.count` returns no `totl`; it returns total, approximate, jql, link, counted, groups, group_columns, group_total. Did you mean `count.total`?',
    ],
    [
      'jira.count; when count.total > "a": jira.search',
      'The condition `count.total > "a"` cannot be used: no such overload: int > string.',
    ],
    [
      'jira.count; success: nobody waits',
      '`nobody waits` compares nothing. Did you mean `words: nobody waits`?',
    ],
    ['slack.post user=@ana text="a {b.c}"', 'There is no step `b`. For braces as text write `\\{b.c}`.'],
    [
      'slack.post user=@ana text="say "hi" now"',
      'The text ends at this quotation mark. Inside a text write \\" for a quotation mark.',
    ],
    ['slack.post user=@ana text="never closed', 'The quotation mark that opens here is not closed.'],
    [
      'jira.search; jira.get key=search.first',
      '`search.first` as a word or as a result? For the word write `"search.first"`. Did you mean `{search.first}`?',
    ],
    ['page service=ops', 'No tool `page`. Did you mean `pagerduty.page`?'],
    ['jira.count;'.repeat(41), 'A plan has at most 40 steps.'],
    [`slack.post user=@ana text="${'x'.repeat(3_001)}"`, '`text` must be at most 3000 characters.'],
    ['', 'There is no step in it: tool name=value …'],
  ])('%s', (text, message) => {
    expect(problemsIn(text)).toEqual([message]);
  });

  test('are found in any text of any length, without throwing', () => {
    const word = fc.constantFrom(
      'when ',
      'if ',
      'jira.count',
      ' project=OPS',
      ':',
      ';',
      '\n',
      '"',
      '“',
      "'",
      '[',
      '{',
      '}',
      '\\',
      'count.total',
      ' > 5',
      '=',
      'why:',
      '#',
      'after:',
      'input:',
    );
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.array(word, { maxLength: 60 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const { plan, problems } = parse(text, manifests);
        expect(plan === null).toBe(problems.length > 0);
        expect(typeof looksLikeNotation(text, testCatalogue())).toBe('boolean');
        if (plan) expect(parse(print(plan, manifests), manifests).plan).toEqual(plan);
      }),
      { numRuns: 1_000 },
    );
    for (const piece of [
      'x',
      '"',
      "'b'c a=",
      'jira.count;',
      'when (',
      '{a.',
      'when a.b > 1: ',
      'a=b ',
      '` ',
      'input: "a',
    ]) {
      expect(parse(piece.repeat(10_000 / piece.length), manifests).problems.length).toBeLessThanOrEqual(20);
    }
  });
});

describe('notation is told from a goal in words', () => {
  test('no request of the planner cases is mistaken for it', () => {
    const files = readdirSync('planner/cases/train').filter((file) => file.endsWith('.jsonl'));
    const requests = files.flatMap((file) =>
      [...readFileSync(`planner/cases/train/${file}`, 'utf8').matchAll(/"text": ?("(?:[^"\\]|\\.)*")/g)].map(
        ([, text = '""']): string => JSON.parse(text),
      ),
    );
    expect(requests.length).toBeGreaterThan(400);
    expect(requests.filter((text) => looksLikeNotation(text, testCatalogue()))).toEqual([]);
  });

  test.each([
    breach,
    'jira.count project=OPS',
    'Jira.Count',
    '  # a comment\n goal: x\njira.cnt project=OPS',
    'when x.total > 3: jira.count status=open',
    'n = jira.count OPS',
    'slack.post #ops text=hi',
    '```pagerduty.oncall service=ops```',
  ])('notation: %s', (text) => expect(looksLikeNotation(text, testCatalogue())).toBe(true));

  test.each([
    'Check open P1 tickets in OPS against the SLA and page on-call if breached',
    'jira.count is broken, page ops',
    'jira.com is down',
    'slack.com is down; page ops',
    'example.com',
    'if slack.post fails: page ops',
    'when jira.count is over 5, page ops',
    'run sla-breach-check project=OPS',
    'goal: fewer pages',
    'what does logs.kql do?',
    'page ops: the disk is full; service=ops',
    'use jira.count project=OPS and page ops',
    'count = 5 tickets? then page ops',
    '',
  ])('words: %s', (text) => expect(looksLikeNotation(text, testCatalogue())).toBe(false));
});
