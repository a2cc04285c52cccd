import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { allManifests } from '../../../manifests/all.ts';
import { offlinePlanner } from '../../../src/app/planner.ts';
import { playbookFrom } from '../../../src/plan/playbooks/from-plan.ts';
import { instantiate } from '../../../src/plan/playbooks/inputs.ts';
import { codeIn } from '../../../src/plan/playbooks/library.ts';
import { checkPlaybooks, problemLine } from '../../../src/plan/playbooks/lint.ts';
import { loadPlaybooks, PlaybookError } from '../../../src/plan/playbooks/load.ts';
import { reviewDraft } from '../../../src/review/review.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const folder = new URL('../../../playbooks', import.meta.url).pathname;
const shipped = loadPlaybooks(folder, allManifests);
const { planner } = offlinePlanner(shipped);
const catalogue = testCatalogue({
  defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
  vettedCode: codeIn(shipped),
});

async function answerTo(goal: string, answers: { missing: readonly string[]; answer: string }[] = []) {
  const said = answers.map((entry) => ({ question: 'q', ...entry }));
  return (await planner.plan(planningInput(goal, { catalogue, answers: said }))).answer;
}

function problemsOf(source: string): string[] {
  return checkPlaybooks([{ file: 'a.yml', source }], allManifests).problems.map(problemLine);
}

const head = 'name: a-check\nsummary: Look\nowner: sre\nexamples: [look at it]\n';

test('twelve playbooks are shipped, and each makes a plan that passes the review', async () => {
  expect(shipped.map((playbook) => playbook.name)).toEqual([
    'alert-evidence',
    'error-code-look-up',
    'escalation',
    'hand-over-summary',
    'incident-follow-up',
    'incident-kick-off',
    'morning-report',
    'noisy-service-check',
    'sla-breach-check',
    'stale-p1-sweep',
    'unassigned-report',
    'workload-report',
  ]);
  const inputs: Record<string, string> = {
    'error-code-look-up': 'code=OPS-E-1',
    escalation: 'key=OPS-1',
    'incident-follow-up': 'incident=PXY123',
    'incident-kick-off': 'what="disk array degraded"',
  };
  for (const { name } of shipped) {
    const answer = await answerTo(`run ${name} ${inputs[name] ?? ''}`.trim());
    expect(answer.kind, name).toBe('plan');
    if (answer.kind === 'plan')
      expect(reviewDraft(answer.plan, { ...planningInput(name), catalogue }).findings, name).toEqual([]);
  }
});

/** A playbook with these lines as its plan, the first of which is line 6. */
const book = (...lines: string[]): string => `${head}plan: |\n${lines.map((line) => `  ${line}\n`).join('')}`;

test('a broken playbook does not load, and every problem names its line', () => {
  expect(problemsOf('name: a\ndescription: *all*\n')).toEqual([
    'a.yml:2: nothing above is called &all*; put a text that begins with * in quotes',
  ]);
  expect(problemsOf(book('jira.count', 'jira.cont'))).toEqual([
    'a.yml:7: plan: No tool `jira.cont`. Did you mean `jira.count`?',
  ]);
  expect(problemsOf(book('a = jira.count', '  after: b', 'b = jira.count', '  after: a'))).toEqual([
    'a.yml:5: plan: the steps wait for each other: a → b → a',
  ]);
  expect(
    problemsOf(book('jira.count', 'llm.summarize input={x.lines}', 'llm.summarize input={count.nope}')),
  ).toEqual([
    'a.yml:7: plan: There is no step `x`. For braces as text write `\\{x.lines}`.',
    'a.yml:8: plan: `jira.count` returns no `nope`; it returns total, approximate, jql, link, counted, groups, group_columns, group_total.',
  ]);
  expect(problemsOf(book('c = jira.count', 'when c.total + 1: runbook.search'))[0]).toMatch(
    /^a\.yml:7: plan: The condition `c.total \+ 1` cannot be used: must be true or false/,
  );
  const input = book('jira.count project={projct}').replace(
    'plan:',
    'inputs:\n  project: { type: project, describe: d }\nplan:',
  );
  expect(problemsOf(input)).toEqual([
    'a.yml:6: inputs.project: input "project" is not used',
    'a.yml:8: plan: There is no step or input `projct`. Did you mean `{project}`?',
  ]);
  expect(problemsOf(book('jira.count colour=red', 'jira.get'))).toEqual([
    expect.stringMatching(/^a\.yml:6: plan: `jira.count` has no argument `colour`. It has project, /),
    'a.yml:7: plan: `jira.get` needs `key=…`.',
  ]);
  expect(problemsOf(`${book('jira.count')}`.replace('Look', 'Look at {what}'))).toEqual([
    'a.yml:2: summary: there is no input "what"',
  ]);
  expect(problemsOf('name: [\n')[0]).toMatch(/^a\.yml:\d+: /);
  expect(problemsOf(head)).toEqual(['a.yml:1: plan: is missing']);
  const cut = book('jira.count').replace('[look at it]', '\n  - tell it to #ops');
  expect(problemsOf(cut)[0]).toMatch(
    /^a\.yml:\d+: examples\.0: what stands behind " #" is a comment in YAML/,
  );
  const twice = checkPlaybooks(
    [1, 2].map((n) => ({ file: `${n}.yml`, source: book('jira.count') })),
    allManifests,
  );
  expect(twice.problems.map(problemLine)).toEqual(['2.yml:1: name: "a-check" is taken by another file']);
});

test('a condition takes only numbers and durations as inputs, even as defaults', () => {
  const withLimit = (type: string, when: string, more = '') =>
    book('f = jira.search', `when ${when}: jira.count`).replace(
      'plan:',
      `inputs:\n  limit: { type: ${type}, describe: d${more} }\nplan:`,
    );
  for (const type of [
    'text',
    'code',
    'project',
    'user',
    'service',
    'priority',
    'channel',
    'key',
    'incident',
  ]) {
    expect(problemsOf(withLimit(type, 'f.first == {limit}')), type).toEqual([
      'a.yml:9: plan: `{limit}` is a word; a condition takes numbers and durations.',
    ]);
    expect(problemsOf(withLimit(type, 'f.first == "{limit}"')), type).toEqual([
      'a.yml:9: plan: `{limit}` cannot stand in a text; a condition takes numbers and durations.',
    ]);
  }
  expect(problemsOf(withLimit('number', 'f.total > {limit}', ', default: 3'))).toEqual([]);
  expect(problemsOf(withLimit('duration', 'f.total > {limit}', ', default: PT1H'))).toEqual([]);
  expect(problemsOf(withLimit('number', 'f.total > {limit}', ', default: "1 || true"'))).toEqual([
    'a.yml:6: inputs.limit.default: is not a number',
  ]);
});

test('an input is data: it cannot become a step, a reference or another argument', async () => {
  const what = 'x\\" severity=P5; jira.count {ticket.link} page.state';
  const answer = await answerTo(`run incident-kick-off what='${what}'`);
  if (answer.kind !== 'plan') throw new Error(JSON.stringify(answer));
  expect(answer.plan.steps).toHaveLength(3);
  expect(answer.plan.steps[0]?.args.summary).toBe(what);
  expect(answer.plan.steps[1]?.args.text).toEqual([`${what}. Ticket: `, { ref: 'ticket.link' }]);
});

test('a plan that ran becomes a playbook that makes the same plan from the same values', async () => {
  const answer = await answerTo('run incident-kick-off what="it is {down} and \\{x.y}"');
  if (answer.kind !== 'plan') throw new Error(JSON.stringify(answer));
  const tools = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
  const saved = playbookFrom(answer.plan, { name: 'kick-off', owner: 'U0BEN' }, tools);
  expect(saved.plan).toContain('service={service} severity={priority} text="it is \\{down} and');
  expect(problemsOf(stringify(saved))).toEqual([]);
  const { plan } = instantiate(saved, {}, { goal: 'g', manifests: tools, minutes: () => 0 });
  expect(plan?.steps).toEqual(answer.plan.steps);
});

test('one broken playbook keeps its whole folder from loading', () => {
  const place = mkdtempSync(join(tmpdir(), 'playbooks-'));
  writeFileSync(join(place, 'good.yml'), book('jira.count'));
  expect(loadPlaybooks(place, allManifests)).toHaveLength(1);
  writeFileSync(join(place, 'bad.yml'), `${head}plan: ""\n`);
  expect(() => loadPlaybooks(place, allManifests)).toThrow(PlaybookError);
  expect(() => loadPlaybooks(place, allManifests)).toThrow(/bad\.yml:5/);
});

test('a playbook called by name takes typed inputs, fills defaults and asks for what is missing', async () => {
  const plan = await answerTo('run sla-breach-check project=PAY priority="P2"');
  expect(plan).toMatchObject({ kind: 'plan' });
  if (plan.kind !== 'plan') return;
  expect(plan.plan.steps[2]?.args).toMatchObject({ service: 'payments-api', severity: 'P2' });
  const sources = Object.fromEntries(plan.plan.inputs.map((entry) => [entry.name, entry.source]));
  expect(sources).toEqual({ project: 'text', priority: 'text', service: 'default' });
  expect(await answerTo('run incident-kick-off')).toMatchObject({ kind: 'clarify', missing: ['what'] });
  const answered = await answerTo('run incident-kick-off', [{ missing: ['what'], answer: 'disk full' }]);
  expect(answered).toMatchObject({ kind: 'plan' });
  expect(await answerTo('run sla-breach-check colour=red')).toMatchObject({ kind: 'clarify' });
  expect(await answerTo('run playbook nonsense')).toMatchObject({ kind: 'refuse' });
});

test('a goal close to an example uses its playbook, unless it says more than that does', async () => {
  const near = await answerTo(
    'check open P1 tickets in PAY against the SLA and page the on-call if breached',
  );
  expect(near.kind === 'plan' && near.plan.assumptions.join()).toContain('sla-breach-check');
  const forbidden = await answerTo("check open P1 tickets in PAY against the SLA, don't page");
  expect(forbidden.kind === 'plan' && forbidden.plan.steps.map((step) => step.tool)).toEqual([
    'jira.count',
    'sla.threshold',
  ]);
  const other = await answerTo(
    'check open P1 tickets in PAY against the SLA and page the on-call if breached, and tell @ana',
  );
  expect(other.kind === 'plan' && other.plan.assumptions.join()).not.toContain('sla-breach-check');
});

test('each example of a shipped playbook is planned from it', async () => {
  for (const { name, examples } of shipped)
    for (const example of examples) {
      const { kind, ...answer } = await answerTo(example);
      expect([example, kind], example).toEqual([example, 'plan']);
      expect(JSON.stringify(answer), example).toContain(`you mean the playbook ${name}`);
    }
});

test.each([
  ['start an incident for search: carts stuck', 'pagerduty.page search', 'carts stuck'],
  ['declare incident on payments: payouts not going out since 10:40', 'pagerduty.page payments-api', '10:40'],
  ['kick off an incident for search: index gone, tell #ops', 'slack.post #ops', 'index gone'],
  ['start incident search "page nobody"', 'pagerduty.page search', 'page nobody'],
  ['morning report for PAY', 'slack.post #ops', 'Open in PAY'],
  ['shift handover of search to #ops', 'slack.post #ops', 'Hand-over for search'],
  ['escalate PAY-12 if its SLA is breached', 'pagerduty.page payments-api', 'PAY-12 is over its SLA'],
])('%s: a playbook is also known by other names', async (goal, step, said) => {
  const answer = await answerTo(goal);
  if (answer.kind !== 'plan') throw new Error(JSON.stringify(answer));
  const steps = answer.plan.steps.map(
    ({ tool, args }) => `${tool} ${String(args.channel ?? args.service ?? '')}`,
  );
  expect(steps).toContain(step);
  expect(JSON.stringify(answer.plan.steps)).toContain(said);
});

test('a playbook that writes must be ordered, for a named service', async () => {
  for (const goal of ['stale p2s in OPS', 'stale p1s in PAY', 'any stale p1s?'])
    expect(JSON.stringify(await answerTo(goal)), goal).not.toContain('slack.post');
  const asked = await answerTo('declare an incident: payouts down');
  if (asked.kind !== 'clarify') throw new Error(JSON.stringify(asked));
  expect(asked).toMatchObject({ missing: ['service'], question: expect.stringMatching(/^Which service/) });
  const answers = [{ question: asked.question, missing: asked.missing, answer: 'payments-api' }];
  const answered = await answerTo('declare an incident: payouts down', answers);
  expect(answered).toMatchObject({ plan: { steps: [{ args: { project: 'PAY' } }, {}, {}] } });
});
