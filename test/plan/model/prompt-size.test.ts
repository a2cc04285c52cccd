import { countTokens } from 'gpt-tokenizer';
import { zodResponseFormat } from 'openai/helpers/zod';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allManifests } from '../../../manifests/all.ts';
import { text } from '../../../src/core/fields.ts';
import { defineManifest, type Manifest } from '../../../src/core/manifest.ts';
import type { Plan } from '../../../src/core/plan.ts';
import type { PlanningInput } from '../../../src/core/planning.ts';
import { modelAnswerSchema } from '../../../src/plan/model/answer-schema.ts';
import { promptFor } from '../../../src/plan/model/prompt.ts';
import { createShortlist } from '../../../src/plan/model/shortlist.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const things = [
  'node',
  'cache',
  'bucket',
  'invoice',
  'rollout',
  'tenant',
  'shard',
  'certificate',
  'consumer',
];

/** Fake tools that fill the catalogue up to 200. */
const decoys: Manifest[] = Array.from({ length: 200 - allManifests.length }, (_, i) => {
  const [a = '', b = ''] = [things[i % 9], things[(i * 5 + 2) % 9]];
  return defineManifest({
    name: `${'abcdefghij'[i % 10]}x.${a}_${b}_${'abcdefghijklmnopqrst'[Math.floor(i / 10)]}`,
    effect: i % 2 === 0 ? 'read' : 'write',
    system: 'azure',
    summary: `Show or change the ${a} of a ${b} by name and time, with its owner.`,
    keywords: [a, b, 'list', 'show', 'change'],
    args: z.object({ name: text(80, 'its name'), window: text(20, 'ISO 8601 duration').optional() }),
    result: z.object({ total: z.int(), lines: text(100, 'lines') }),
    yields: 'internal',
    sentence: () => 'Do it',
  });
});

/** Requests of many kinds, with the tools that a good plan needs. */
const wishes: [string, string[]][] = [
  [
    'Check Jira ticket count, compare with SLA, and notify on-call engineer if breached',
    ['jira.count', 'sla.threshold', 'pagerduty.page'],
  ],
  ['how many open P1 bugs in PAY without an owner?', ['jira.count']],
  ['who is on duty for search tonight', ['pagerduty.oncall']],
  ['list the 5 oldest blocked tickets in OPS and share them in #ops', ['jira.search', 'slack.post']],
  ['comment on OPS-12 that we are on it and assign nobody', ['jira.comment']],
  ['close PAY-7 if it is resolved in production', ['jira.transition']],
  ['any known error for ERR_4711, and is there a runbook?', ['errors.lookup', 'runbook.search']],
  ['who acknowledged incident Q1ABC', ['pagerduty.get']],
  ['ack incident Q1ABC and add a note that the database failed over', ['pagerduty.ack', 'pagerduty.note']],
  [
    'splunk: timeouts of payments-api in the last 15 minutes, page them if more than 200',
    ['logs.spl', 'pagerduty.page'],
  ],
  ['run a kusto query for 500s in checkout and summarize', ['logs.kql', 'llm.summarize']],
  ['dm @ana a summary of what breached its SLA in PAY today', ['slack.post', 'jira.sla', 'llm.summarize']],
  ['open a P2 in OPS for the disk alert, then tell #ops the key', ['jira.create', 'slack.post']],
  ['zähle die offenen P1 in OPS und schicke das Ergebnis an #ops', ['jira.count', 'slack.post']],
  ['¿Cuántos tickets P1 hay en PAY?', ['jira.count']],
];

const schemaTokens = countTokens(
  JSON.stringify(zodResponseFormat(modelAnswerSchema, 'plan').json_schema.schema),
);
const shortlist = createShortlist();

/** Tokens as OpenAI counts them: the messages, the schema, and four per message for its frame. */
function tokensOf(input: PlanningInput, examples: Parameters<typeof promptFor>[2] = []): number {
  const messages = promptFor(input, shortlist(input), examples, { clearance: 'internal' });
  return messages.reduce((sum, { content }) => sum + countTokens(content) + 4, schemaTokens);
}

const contentOf = (input: PlanningInput): string =>
  promptFor(input, shortlist(input), [], { clearance: 'internal' })[1]?.content ?? '';

function bigCatalogue() {
  const channels = Array.from({ length: 300 }, (_, i) => ({
    name: i === 250 ? 'ops' : `team-${i}`,
    id: `C${i}`,
    clearance: 'internal' as const,
  }));
  const services = Array.from({ length: 120 }, (_, i) => ({ name: `svc-${i}`, pagerdutyId: `P${i}` }));
  const { services: few, projects, people } = testCatalogue();
  return testCatalogue({ channels, services: [...services, ...few], projects, people }, [
    ...allManifests,
    ...decoys,
  ]);
}

describe('the prompt', () => {
  test('holds every tool in 2,800 tokens, and names clearances only where they are unusual', () => {
    const input = planningInput('page ops if OPS has more P1 than its SLA allows');
    expect(shortlist(input)).toHaveLength(allManifests.length);
    expect(tokensOf(input) - schemaTokens).toBeLessThan(2_800);
    expect(schemaTokens).toBeLessThan(600);
    const content = contentOf(input);
    expect(content).toMatch(/^sql\.query\(.*\[yields confidential\] ->/m);
    expect(content).toMatch(/^!pagerduty\.page\(.*\[may hold confidential\] ->/m);
    expect(content).toMatch(
      /#ops, #status \[may hold public\], #payments-war-room \[may hold confidential\]/,
    );
  });

  test('starts with the part that is equal for all requests', () => {
    const first = contentOf(planningInput('page ops', { hasIncident: true }));
    const second = contentOf(planningInput('who is on call for search?', { onCallFor: ['ops', 'search'] }));
    const same = [...first].findIndex((sign, at) => sign !== second[at]);
    expect(first.slice(0, same)).toMatch(/^TOOLS\n[\s\S]*\nLIMITS\n[\s\S]*\nNAMES\n[\s\S]*\nCONTEXT\n/);
    expect(first.slice(same)).toMatch(/incident is "thread"[\s\S]*REQUEST\n/);
    expect(second).toContain('on call for ops, search');
  });

  test("includes a hint's tools in a catalogue of any size", () => {
    const catalogue = bigCatalogue();
    const step = { id: 'a', tool: 'llm.summarize', why: 'w', args: {}, needs: [] };
    const hint: Plan = {
      ...{ goal: 'g', summary: 's', inputs: [], assumptions: [], success: [] },
      steps: [{ ...step, onError: 'stop', onSkip: 'skip' }],
    };
    const namesFor = (over: object) =>
      shortlist(planningInput('show the node', { catalogue, ...over })).map(({ name }) => name);
    expect(namesFor({})).not.toContain('llm.summarize');
    expect(namesFor({ hint })).toContain('llm.summarize');
  });

  test('stays under 2,250 tokens with 200 tools and hundreds of names, with every needed tool', () => {
    const catalogue = bigCatalogue();
    expect(catalogue.manifests.size).toBe(200);
    const missing = wishes.flatMap(([goal, tools]) => {
      const found = shortlist(planningInput(goal, { catalogue })).map(({ name }) => name);
      return tools.filter((tool) => !found.includes(tool)).map((tool) => `${goal}: ${tool}`);
    });
    expect(missing).toEqual([]);
    const sizes = wishes.map(([goal]) => tokensOf(planningInput(goal, { catalogue }))).sort((a, b) => a - b);
    expect((sizes.at(-1) ?? 0) - schemaTokens).toBeLessThan(2_250);
    const named = promptFor(planningInput('post to #ops and page svc-99', { catalogue }), [], [], {
      clearance: 'internal',
    });
    expect(named[1]?.content).toMatch(/services: svc-99.* others/);
    expect(named[1]?.content).toMatch(/channels: #ops/);
  });

  test('omits an example rather than exceeding its limit, and is stable for the same tools', () => {
    const catalogue = testCatalogue();
    const step = { id: 'a', tool: 'jira.count', why: 'w', args: { project: 'OPS' } };
    const example = (steps: number) => ({
      goal: 'count',
      plan: {
        goal: 'g',
        summary: 's',
        steps: Array.from({ length: steps }, (_, i) => ({ ...step, id: `a${i}` })),
      },
    });
    const input = planningInput('who is on call for ops?', { catalogue });
    const text = (examples: Parameters<typeof promptFor>[2]) =>
      promptFor(input, shortlist(input), examples, { clearance: 'internal' })[1]?.content ?? '';
    expect(text([example(1)])).toContain('EXAMPLE\ncount => ');
    expect(text([example(40)])).not.toContain('EXAMPLE');
    expect(tokensOf(input, [example(40), example(1)]) - schemaTokens).toBeLessThanOrEqual(2_800);
    expect(text([])).toBe(text([]));
  });

  test('finds tools for words in other languages, and offers some of every kind for unknown ones', () => {
    const catalogue = bigCatalogue();
    const german = shortlist(planningInput('schick das an die Bereitschaft von ops', { catalogue }));
    expect(german.map(({ name }) => name)).toContain('pagerduty.page');
    const unknown = shortlist(planningInput('アラートを確認して', { catalogue }));
    expect(new Set(unknown.map(({ system }) => system)).size).toBeGreaterThan(3);
    expect(unknown.length).toBeLessThanOrEqual(16);
  });
});
