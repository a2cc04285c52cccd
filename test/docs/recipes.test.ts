/** Why: the steps of a recipe do what it says: its blocks are run exactly as on the page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { sandboxConfig } from '../../sandbox/config.ts';
import { worldOf } from '../../src/commands/offline-world.ts';
import { cli } from '../support/cli.ts';
import { breachSteps, planAnswer } from '../support/model-answers.ts';
import { startModelServer } from '../support/model-server.ts';
import { readRecipe, recipeNames } from '../support/recipe.ts';
import { configWith, finish, rows, until } from '../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../support/workspace.ts';

const run = new Set<string>();
function recipe(name: string) {
  run.add(name);
  return readRecipe(name);
}

const folder = mkdtempSync(join(tmpdir(), 'countersign-recipes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const schedulesOf = (config: unknown): object[] => Object(config).schedules ?? [];

describe('in Slack', () => {
  const [watch, escalation, shift, notes] = ['sla-watch', 'escalation', 'hand-over', 'mcp'].map(recipe);
  let workspace: Workspace;
  beforeAll(async () => {
    const config = {
      ...{ ...escalation?.config, ...notes?.config },
      projects: { ...Object(sandboxConfig().projects), ...Object(watch?.config.projects) },
      // Avoids waiting for the half hour or the evening.
      schedules: [watch, shift].flatMap((one) =>
        schedulesOf(one?.config).map((each) => ({ ...each, cron: '* * * * *' })),
      ),
    };
    const env = { MEMORY_FILE_PATH: join(folder, 'notes.jsonl') };
    writeFileSync(
      env.MEMORY_FILE_PATH,
      '{"type":"entity","name":"checkout","entityType":"service","observations":["slow since noon"]}\n',
    );
    workspace = await Workspace.start({ config: configWith(config), env });
  });
  afterAll(() => finish(workspace));

  /** Types a goal; resolves with its card. */
  async function asked(goal: string | undefined, words: string | RegExp, channel = 'ops'): Promise<Message> {
    await workspace.plan('ben', goal ?? '');
    return workspace.card(words, channel);
  }

  async function approved(card: Message): Promise<string> {
    await workspace.click('ana', card, 'plan.approve');
    return wordsOf(await workspace.reply(card, /^Done/));
  }

  const issues = () => workspace.sandbox.jira.store.issues();
  const posted = (channel: string) => workspace.messages(channel).map(wordsOf).join('\n');

  test('SLA watch and hand-over: the schedules in the file fire on time and wait for an approval', async () => {
    await until(async () => (await rows(workspace, 'select id from watches')).length === 2);
    await rows(workspace, 'update watches set next_at = $1', [new Date()]);
    const breach = await workspace.card(/24 open P1 tickets/, 'incidents');
    expect(wordsOf(breach)).toContain('ops-sla');
    const summary = await workspace.card(/Hand-over for payments-api/, 'payments-alerts');
    await approved(summary);
    expect(posted('payments-alerts')).toMatch(/Hand-over for payments-api:[\s\S]*PAY-\d+/);
    await workspace.click('ana', breach, 'plan.reject');
    const { id: viewId } = await workspace.modal('ana');
    const reason = { v: 'We try it by hand first' };
    await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values: { reason } });
    await workspace.becomes(breach, 'Rejected');
    await rows(workspace, 'update watches set next_at = $1', [new Date(Date.now() + 86_400_000)]);
  });

  test('SLA watch: a single check pages, and a watch is made and listed', async () => {
    const [once, every, list] = watch?.said ?? [];
    expect(await approved(await asked(once, /24 open P1 tickets[\s\S]*Reject/))).toContain('was paged');
    expect(workspace.pages().at(-1)?.title).toContain('the SLA allows 20');
    await asked(every, /Watching\s+every 10 minutes/);
    await workspace.plan('ben', list ?? '');
    expect(wordsOf(await workspace.whisper('ben', /every 10 minutes/))).toContain('ops-sla');
  });

  test('escalation: one approval pages and comments, by playbook and by notation; /plan policy names the rule', async () => {
    const [words, policy] = escalation?.said ?? [];
    for (const [goal, key] of [
      [words, 'OPS-1'],
      [escalation?.plans[0], 'OPS-3'],
    ] as const) {
      await approved(await asked(goal, new RegExp(`${key} is over its SLA[\\s\\S]*Reject`)));
      expect(workspace.pages().at(-1)?.title).toContain(`${key} is over its SLA`);
      expect(JSON.stringify(workspace.sandbox.jira.store.find(key).comments)).toContain('was paged');
    }
    await workspace.plan('ben', policy ?? '');
    expect(wordsOf(await workspace.whisper('ben', /pages/))).toMatch(/on call/i);
  });

  test('incident kick-off: ticket, page and announcement share one link, and the plan is saved', async () => {
    const { said, plans } = recipe('incident-kick-off');
    await approved(await asked(said[0], /card payments fail[\s\S]*Reject/));
    const ticket = issues().find(({ summary }) => summary === 'card payments fail');
    expect(workspace.pages().at(-1)?.title).toContain(`/browse/${ticket?.key}`);
    expect(posted('payments-alerts')).toContain('Incident on payments-api: card payments fail. Ticket: ');
    await approved(await asked(plans[0], /slow for everybody[\s\S]*Reject/));
    expect(posted('incidents')).toContain('Incident on checkout: it is slow for everybody. Ticket: ');
    await workspace.plan('ben', said[1] ?? '');
    await workspace.whisper('ben', 'Saved.');
  });

  test('hand-over: the summary is posted after an approval, and a read-only request is just answered', async () => {
    await approved(await asked(shift?.said[0], /Hand-over for checkout/));
    expect(posted('incidents')).toMatch(/Hand-over for checkout:[\s\S]*WEB-\d+/);
    const answer = await asked(shift?.plans[0], /Run again/);
    expect(wordsOf(answer)).toMatch(/WEB-\d+/);
    expect(actionsOf(answer.blocks)).not.toContain('plan.approve');
  });

  test('follow-ups: tickets are made and noted on the incident, and found a week later', async () => {
    const { said, plans } = recipe('follow-ups');
    const incident = workspace.sandbox.pagerduty.store.incidents().find(({ id }) => id === 'PI00001');
    const notes = () => JSON.stringify(incident?.notes);
    for (const [goal, summary] of [
      [said[0], 'Write the review of incident PI00001'],
      [plans[0], 'Alert before checkout is slow'],
    ] as const) {
      await approved(await asked(goal, new RegExp(`${summary}[\\s\\S]*Reject`)));
      expect(notes()).toContain(issues().find((one) => one.summary === summary)?.key);
    }
    await asked(said[1], new RegExp(`Alert before checkout is slow[\\s\\S]*${said[1]}`));
  });

  test('MCP: the pinned tool answers words and notation', async () => {
    for (const goal of notes?.said ?? []) {
      await workspace.plan('eva', goal);
      expect(wordsOf(await workspace.card(goal))).toContain('slow since noon');
    }
  });
});

test("every recipe's part of countersign.yml is valid as it is", () => {
  for (const name of recipeNames()) {
    const { config } = readRecipe(name);
    const projects = { ...Object(sandboxConfig().projects), ...Object(config.projects) };
    expect(() => worldOf(configWith({ ...config, projects }), name)).not.toThrow();
  }
});

describe('MCP', () => {
  const { config, commands } = recipe('mcp');
  const env = {
    ...{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' },
    ...{ COUNTERSIGN_CONFIG: join(folder, 'mcp.yml'), MEMORY_FILE_PATH: join(folder, 'none.jsonl') },
  };
  const [pin = [], ...checks] = commands;
  beforeAll(() => writeFileSync(env.COUNTERSIGN_CONFIG, stringify(config)));

  test('pinning prints an entry for each tool, with the hash from the page', async () => {
    const { text } = await cli(pin, { env });
    expect(text).toContain('create_entities:');
    expect(text).toContain(Object(config.mcp).notes.tools.search.sha256);
  });

  test.each(checks)("the page's entry matches its pin: %s %s", async (...check) => {
    expect(await cli(check, { env })).toMatchObject({ code: 0 });
  });
});

test('Ollama: a request in words is planned by the model, only at the configured address', async () => {
  const { env, commands } = recipe('ollama');
  const model = await startModelServer();
  try {
    model.script({ say: planAnswer(breachSteps()) });
    const [plan = []] = commands;
    const { port } = new URL(model.url);
    const address = env.OPENAI_BASE_URL?.replace(/:\d+/, `:${port}`) ?? '';
    expect(new URL(env.OPENAI_BASE_URL ?? '').port).toBe('11434');
    const settings = { ...env, OPENAI_BASE_URL: address, COUNTERSIGN_CONFIG: 'sandbox/countersign.yml' };
    const { code, text } = await cli(plan, { env: settings });
    expect([code, text]).toEqual([0, expect.stringContaining('pagerduty.page service=ops')]);
    expect(model.asked.map((one) => one.model)).toEqual([env.PLANNER_MODEL]);
    expect(model.asked[0]?.path).toBe('/v1/chat/completions');
  } finally {
    await model.close();
  }
});

// Its tool is made in test/commands/tool.test.ts, in the copy of the project where that one makes tools.
recipe('own-tool');

test('every recipe is covered, and none has a block that nothing runs', () => {
  expect([...run].sort()).toEqual(recipeNames().sort());
  const kinds = new Set(recipeNames().flatMap((name) => readRecipe(name).kinds));
  expect([...kinds].sort()).toEqual(['ini', 'plan', 'sh', 'slack', 'yaml']);
});
