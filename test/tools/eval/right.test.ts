import { expect, test } from 'vitest';
import { type CaseStep, type EvalCase, parseCases } from '../../../tools/eval/cases.ts';
import { scoreCase } from '../../../tools/eval/score.ts';

function caseOf(text: string, steps: readonly object[], over: object = {}): EvalCase {
  const numbered = steps.map((step, index) => ({ id: `s${index + 1}`, ...step }));
  const [entry] = parseCases(JSON.stringify({ id: 'a', text, class: 'plan', steps: numbered, ...over }));
  if (!entry) throw new Error('no case');
  return entry;
}

/** Predicted steps have other ids than expected ones, so that only their meaning can match. */
function predicted(steps: readonly object[]): CaseStep[] {
  const entry = caseOf('t', steps);
  return JSON.parse(JSON.stringify(entry.steps).replace(/(?<=["$])s(\d)(?=")/g, 'p$1'));
}

function isRight(entry: EvalCase, steps: readonly object[]): boolean {
  return scoreCase(entry, { id: 'a', class: 'plan', steps: predicted(steps) }).right;
}

const count = { tool: 'jira.count', args: { project: 'PAY', priority: 'P1', status: 'open' } };
const page = {
  tool: 'pagerduty.page',
  args: { service: 'pay-core', text_has: ['export'] },
  needs: ['s1'],
  when: { left: 's1', op: '>', right: 5 },
};
const entry = caseOf('more than 5 open P1 in PAY? page pay-core about the export', [count, page]);
const said = { ...page, args: { service: 'pay-core', text: 'the export' } };

test('a plan is right in an equivalent form: ids, signs, case, units, whole numbers', () => {
  expect(isRight(entry, [count, said])).toBe(true);
  expect(isRight(entry, [count, { ...said, when: { left: 's1', op: '>=', right: 6 } }])).toBe(true);
  const dated = caseOf('post how many came in within a day to #ops', [
    { tool: 'jira.count', args: { window: 'P1D' } },
    { tool: 'slack.post', args: { channel: '#ops', text: '$s1' }, needs: ['s1'] },
  ]);
  expect(
    isRight(dated, [
      { tool: 'jira.count', args: { window: 'PT24H' } },
      { tool: 'slack.post', args: { channel: 'OPS', text: '$s1' }, needs: ['s1'] },
    ]),
  ).toBe(true);
});

test.each([
  ['another operator', [count, { ...said, when: { left: 's1', op: '>=', right: 5 } }]],
  ['another bound', [count, { ...said, when: { left: 's1', op: '>', right: 6 } }]],
  ['no condition', [count, { ...said, when: undefined }]],
  ['a condition on another value', [count, { ...said, when: { left: 's9', op: '>', right: 5 } }]],
  [
    'a condition that the vocabulary cannot say',
    [count, { ...said, when: { left: 'x', op: 'is', right: true } }],
  ],
  ['another service', [count, { ...said, args: { ...said.args, service: 'pay' } }]],
  ['a severity that nobody said', [count, { ...said, args: { ...said.args, severity: 'P3' } }]],
  ['a low urgency that nobody said', [count, { ...said, args: { ...said.args, urgency: 'low' } }]],
  [
    'a text that leaves out what was to be said',
    [count, { ...said, args: { service: 'pay-core', text: 'hi' } }],
  ],
  ['a missing filter', [{ ...count, args: { project: 'PAY', status: 'open' } }, said]],
  ['an extra filter', [{ ...count, args: { ...count.args, assignee: 'unassigned' } }, said]],
  ['an extra window', [{ ...count, args: { ...count.args, window: 'PT24H' } }, said]],
  ['an extra word to search for', [{ ...count, args: { ...count.args, text: 'export' } }, said]],
  ['another order of steps', [count, { ...said, needs: [] }]],
  ['a read that nobody asked for', [count, { tool: 'jira.sla', args: {} }, said]],
  ['a post that nobody asked for', [count, said, { tool: 'slack.post', args: { channel: '#x', text: 'y' } }]],
  ['a missing write', [count]],
])('a plan with %s is not right', (_, steps) => {
  expect(isRight(entry, steps)).toBe(false);
});

test('a default does not count as an extra filter, unless the request goes beyond what is open', () => {
  const search = { tool: 'jira.search', args: { project: 'PAY' } };
  const open = { tool: 'jira.search', args: { project: 'PAY', status: 'open', order: 'newest' } };
  expect(isRight(caseOf('list the bugs of PAY', [search]), [open])).toBe(true);
  expect(isRight(caseOf('list all bugs of PAY, closed too', [search]), [open])).toBe(false);
  const oldest = { tool: 'jira.search', args: { project: 'PAY', order: 'oldest' } };
  expect(isRight(caseOf('list the bugs of PAY', [search]), [oldest])).toBe(false);
  const dated = { tool: 'jira.search', args: { project: 'PAY', window: 'P7D' } };
  const openDated = { tool: 'jira.search', args: { ...dated.args, status: 'open' } };
  expect(isRight(caseOf('bugs of PAY within a week', [dated]), [openDated])).toBe(false);
  const notDone = { tool: 'jira.search', args: { project: 'PAY', status_not: 'Done' } };
  expect(
    isRight(caseOf('PAY, not done', [notDone]), [{ ...open, args: { project: 'PAY', status: 'open' } }]),
  ).toBe(true);
  const high = { tool: 'pagerduty.page', args: { service: 'a', urgency: 'high' } };
  const plain = { tool: 'pagerduty.page', args: { service: 'a', text: 'page a, high urgency' } };
  expect(isRight(caseOf('page a, high urgency', [high]), [plain])).toBe(true);
});

test('a limit of one is allowed when a later step needs a single incident', () => {
  const steps = (limit: object) => [
    { tool: 'pagerduty.incidents', args: { service: 'a', status: 'open', ...limit } },
    { tool: 'pagerduty.ack', args: { incident: '$s1' }, needs: ['s1'] },
  ];
  const ack = caseOf('find the open incident of a and ack it', steps({}));
  expect(isRight(ack, steps({ limit: 1 }))).toBe(true);
  expect(isRight(ack, steps({ limit: 5 }))).toBe(false);
});

test('none and fewer than one are the same', () => {
  const none = (op: string, right: number) => [
    count,
    {
      tool: 'slack.post',
      args: { channel: '#a', text: 'fine' },
      needs: ['s1'],
      when: { left: 's1', op, right },
    },
  ];
  const quiet = caseOf('no open P1 in PAY? "fine" to #a', none('==', 0));
  expect(isRight(quiet, none('<', 1))).toBe(true);
  expect(isRight(quiet, none('<=', 0))).toBe(true);
  expect(isRight(quiet, none('!=', 0))).toBe(false);
});

test('settings and targets of a write must come from the request', () => {
  const create = { tool: 'jira.create', args: { project: 'NET' } };
  const create2 = (args: object) => [
    { tool: 'jira.create', args: { project: 'NET', summary: 'lag', ...args } },
  ];
  const request = caseOf('open a sev2 bug in NET for @ana about lag', [create]);
  expect(isRight(request, create2({ priority: 'P2', type: 'bug', assignee: 'ana' }))).toBe(true);
  expect(isRight(request, create2({ priority: 'P1' }))).toBe(false);
  expect(isRight(request, create2({ label: 'network' }))).toBe(false);
  const counted = { tool: 'jira.count', args: { project: 'NET', type: 'bug' } };
  const borrowing = caseOf('count the bugs in NET and open a ticket there about lag', [counted, create]);
  expect(isRight(borrowing, [counted, ...create2({})])).toBe(true);
  expect(isRight(borrowing, [counted, ...create2({ type: 'bug' })])).toBe(false);
});

test('the text of a write is exactly what was to be said: no order, no result and nothing missing', () => {
  const post = (text: unknown) => ({ tool: 'slack.post', args: { channel: '#ops', text } });
  const spoken = caseOf('tell #ops that the backup is done and page dba', [
    post('backup is done'),
    { tool: 'pagerduty.page', args: { service: 'dba' } },
  ]);
  const paged = { tool: 'pagerduty.page', args: { service: 'dba', text: 'the backup is done' } };
  expect(isRight(spoken, [post('The backup is done.'), paged])).toBe(true);
  expect(isRight(spoken, [post('backup'), paged])).toBe(false);
  expect(isRight(spoken, [post('the backup is done and page dba'), paged])).toBe(false);
  expect(isRight(spoken, [post(['backup is done', '$s2']), paged])).toBe(false);
  const quoted = caseOf('write "all good" in #ops', [post('all good')]);
  expect(isRight(quoted, [post('all good')])).toBe(true);
  expect(isRight(quoted, [post('all is good')])).toBe(false);
  expect(isRight(quoted, [post('that all good')])).toBe(false);
  const free = caseOf('open a ticket in NET about lag and page net-core', [
    { tool: 'jira.create', args: { project: 'NET', text_has: ['lag'] } },
    { tool: 'pagerduty.page', args: { service: 'net-core' } },
  ]);
  const netPage = { tool: 'pagerduty.page', args: { service: 'net-core', text: 'lag' } };
  expect(isRight(free, [{ tool: 'jira.create', args: { project: 'NET', summary: 'lag' } }, netPage])).toBe(
    true,
  );
  expect(
    isRight(free, [
      { tool: 'jira.create', args: { project: 'NET', summary: 'lag and page net-core' } },
      netPage,
    ]),
  ).toBe(false);
  const silent = caseOf('post something to #ops', [{ tool: 'slack.post', args: { channel: '#ops' } }]);
  expect(isRight(silent, [{ tool: 'slack.post', args: { channel: '#ops' } }])).toBe(false);
});

test('a search has the requested words, give or take two; a summary has exactly its inputs', () => {
  const search = (query: string) => ({ tool: 'runbook.search', args: { query } });
  const asked = caseOf('is a procedure for disk full written down anywhere', [search('disk full')]);
  expect(isRight(asked, [search('procedure for disk full')])).toBe(true);
  expect(isRight(asked, [search('disk full written down anywhere')])).toBe(false);
  const inService = (service: string) => ({ tool: 'runbook.search', args: { query: 'disk full', service } });
  expect(isRight(asked, [inService('disk')])).toBe(false);
  const logs = { tool: 'logs.kql', args: { service: 'order-fn' } };
  const narrowed = { tool: 'logs.kql', args: { service: 'order-fn', about: 'workspace' } };
  expect(isRight(caseOf('logs of order-fn in the workspace', [logs]), [logs])).toBe(true);
  expect(isRight(caseOf('logs of order-fn in the workspace', [logs]), [narrowed])).toBe(false);
  const steps = (input: unknown) => [
    { tool: 'jira.get', args: { key: 'A-1' } },
    { tool: 'jira.get', args: { key: 'A-2' } },
    { tool: 'llm.summarize', args: { input }, needs: ['s1', 's2'] },
  ];
  const summary = caseOf('summarize A-1 and A-2', steps(['$s1', '$s2']));
  expect(isRight(summary, steps(['$s2', '$s1']))).toBe(true);
  expect(isRight(summary, steps(['$s1']))).toBe(false);
});

test('all and any differ', () => {
  const both = (word: string) => [
    { tool: 'jira.count', args: { project: 'A' } },
    { tool: 'jira.count', args: { project: 'B' } },
    {
      tool: 'pagerduty.page',
      args: { service: 'x', text: 'A and B' },
      needs: ['s1', 's2'],
      when: {
        [word]: [
          { left: 's1', op: '>', right: 1 },
          { left: 's2', op: '>', right: 2 },
        ],
      },
    },
  ];
  const either = caseOf('page x if A > 1 or B > 2: A and B', both('any'));
  expect(isRight(either, both('any'))).toBe(true);
  expect(isRight(either, both('all'))).toBe(false);
});
