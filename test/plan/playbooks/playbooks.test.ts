import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { offlinePlanner } from '../../../src/app/offline.ts';
import { checkPlaybooks, problemLine } from '../../../src/plan/playbooks/lint.ts';
import { loadPlaybooks, PlaybookError } from '../../../src/plan/playbooks/load.ts';
import { reviewDraft } from '../../../src/review/review.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const folder = new URL('../../../playbooks', import.meta.url).pathname;
const shipped = loadPlaybooks(folder, allManifests);
const { planner } = offlinePlanner(shipped);
const catalogue = testCatalogue({
  defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
});

async function answerTo(goal: string, answers: { missing: string[]; answer: string }[] = []) {
  const said = answers.map((entry) => ({ question: 'q', ...entry }));
  return (await planner.plan(planningInput(goal, { catalogue, answers: said }))).answer;
}

function problemsOf(source: string): string[] {
  return checkPlaybooks([{ file: 'a.yml', source }], allManifests).problems.map(problemLine);
}

const head = 'name: a-check\nsummary: Look\nowner: sre\nexamples: [look at it]\n';

test('ten playbooks are shipped, and each of them makes a plan that a reviewer takes', async () => {
  expect(shipped.map((playbook) => playbook.name)).toEqual([
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

test('a broken playbook does not load, and every problem says in which line it is', () => {
  expect(problemsOf(`${head}steps:\n  - { id: a, tool: jira.cont, why: w }\n`)).toEqual([
    'a.yml:6: steps.0.tool: unknown tool jira.cont',
  ]);
  const cycle = `${head}steps:\n  - { id: a, tool: runbook.search, why: w, needs: [b] }\n  - { id: b, tool: runbook.search, why: w, needs: [a] }\n`;
  expect(problemsOf(cycle).join()).toMatch(/a\.yml:6: steps\.0: the steps wait for each other: a → b → a/);
  const refs = `${head}steps:\n  - id: a\n    tool: llm.summarize\n    why: w\n    args:\n      input: [{ ref: x.lines }]\n`;
  expect(problemsOf(refs)).toEqual(['a.yml:10: steps.0.args.input: x.lines: there is no step "x"']);
  const field = `${head}steps:\n  - { id: c, tool: jira.count, why: w }\n  - id: a\n    tool: llm.summarize\n    why: w\n    args: { input: { ref: c.nope } }\n`;
  expect(problemsOf(field)).toEqual(['a.yml:10: steps.1.args.input: c.nope: jira.count returns no "nope"']);
  const condition = `${head}steps:\n  - { id: c, tool: jira.count, why: w }\n  - { id: d, tool: runbook.search, why: w, needs: [c], when: c.total + 1 }\n`;
  expect(problemsOf(condition)[0]).toMatch(/^a\.yml:7: steps\.1\.when: condition must be true or false/);
  const input = `${head}inputs:\n  project: { type: project, describe: d }\nsteps:\n  - { id: c, tool: jira.count, why: w, args: { project: "{projct}" } }\n`;
  expect(problemsOf(input)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^a\.yml:8: steps\.0\.args\.project: there is no input "projct"/),
      expect.stringMatching(/^a\.yml:6: inputs\.project: input "project" is not used/),
    ]),
  );
  const args = `${head}steps:\n  - { id: c, tool: jira.count, why: w, args: { colour: red } }\n  - { id: d, tool: jira.get, why: w, args: {} }\n`;
  expect(problemsOf(args)).toEqual([
    'a.yml:6: steps.0.args.colour: jira.count has no argument "colour"',
    'a.yml:7: steps.1.args: jira.get needs the argument "key"',
  ]);
  expect(problemsOf('name: [\n')[0]).toMatch(/^a\.yml:\d+: /);
  expect(problemsOf(head)).toEqual(['a.yml:1: steps: is missing']);
  const twice = checkPlaybooks(
    [1, 2].map((n) => ({
      file: `${n}.yml`,
      source: `${head}steps:\n  - { id: c, tool: jira.count, why: w }\n`,
    })),
    allManifests,
  );
  expect(twice.problems.map(problemLine)).toEqual(['2.yml:1: name: "a-check" is taken by another file']);
});

test('words never become part of a condition: only numbers and durations may stand in one, also as defaults', () => {
  const book = (type: string, when: string, more = '') =>
    `${head}inputs:\n  limit: { type: ${type}, describe: d${more} }\nsteps:\n  - { id: f, tool: jira.search, why: w }\n  - { id: d, tool: jira.count, why: w, needs: [f], when: '${when}' }\n`;
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
    expect(problemsOf(book(type, 'f.first == "{limit}"')), type).toEqual([
      `a.yml:9: steps.1.when: "limit" is a ${type}; a condition takes numbers and durations`,
    ]);
  }
  expect(problemsOf(book('number', 'f.total > {limit}', ', default: 3'))).toEqual([]);
  expect(problemsOf(book('duration', 'f.total > {limit}', ', default: PT1H'))).toEqual([]);
  expect(problemsOf(book('number', 'f.total > {limit}', ', default: "1 || true"'))).toEqual([
    'a.yml:6: inputs.limit.default: is not a number',
  ]);
});

test('a folder with one broken playbook gives none', () => {
  const place = mkdtempSync(join(tmpdir(), 'playbooks-'));
  writeFileSync(join(place, 'good.yml'), `${head}steps:\n  - { id: c, tool: jira.count, why: w }\n`);
  expect(loadPlaybooks(place, allManifests)).toHaveLength(1);
  writeFileSync(join(place, 'bad.yml'), `${head}steps: []\n`);
  expect(() => loadPlaybooks(place, allManifests)).toThrow(PlaybookError);
  expect(() => loadPlaybooks(place, allManifests)).toThrow(/bad\.yml:5/);
});

test('running one by name takes typed inputs, fills defaults and asks for what is missing', async () => {
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
  expect(await answerTo('run playbook nonsense')).toMatchObject({ kind: 'clarify' });
});

test('a goal near an example is planned from the playbook, unless it says more than the playbook does', async () => {
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
