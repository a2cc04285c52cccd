import { describe, expect, test } from 'vitest';
import { findingLine } from '../../src/core/finding.ts';
import { reviewDraft } from '../../src/review/review.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { countStep, pageStep, slaPlan, slaStep } from '../support/plans.ts';

const against = { catalogue: testCatalogue(), policy: testPolicy };
const post = {
  id: 'post',
  tool: 'slack.post',
  why: 'tell them',
  args: { channel: '#ops', text: 'hello' },
  needs: [],
};

function rulesFor(draft: unknown): string[] {
  return reviewDraft(draft, against).findings.map((f) => `${f.step ?? 'plan'} ${f.field ?? ''} ${f.rule}`);
}

describe('the review', () => {
  test('passes the main job and writes implied dependencies out', () => {
    const { plan, findings } = reviewDraft(
      slaPlan([countStep, slaStep, { ...pageStep, needs: [], when: undefined }]),
      against,
    );
    expect(findings).toEqual([]);
    expect(plan?.steps[2]?.needs).toEqual(['count', 'sla']);
  });

  test.each<[string, unknown, string]>([
    ['an unknown tool', slaPlan([{ ...countStep, tool: 'jira.delete_all' }]), 'count tool unknown_tool'],
    [
      'an unknown argument',
      slaPlan([{ ...countStep, args: { colour: 'red' } }]),
      'count args.colour unknown_argument',
    ],
    [
      'a missing argument',
      slaPlan([{ ...post, args: { channel: '#ops' } }]),
      'post args.text missing_argument',
    ],
    [
      'a search for nothing',
      slaPlan([{ ...post, tool: 'runbook.search', args: {} }]),
      'post args missing_argument',
    ],
    [
      'a bad priority',
      slaPlan([{ ...countStep, args: { priority: 'urgent' } }]),
      'count args.priority bad_argument',
    ],
    [
      'two receivers',
      slaPlan([{ ...post, args: { channel: '#ops', user: '@ana', text: 'x' } }]),
      'post args exactly_one',
    ],
    [
      'an unknown service',
      slaPlan([{ ...pageStep, when: undefined, needs: [], args: { service: 'opps', text: 'x' } }]),
      'page args.service unknown_target',
    ],
    [
      'a cycle',
      slaPlan([
        { ...countStep, needs: ['sla'] },
        { ...slaStep, needs: ['count'] },
      ]),
      'count needs cycle',
    ],
    ['a need that does not exist', slaPlan([{ ...countStep, needs: ['ghost'] }]), 'count needs unknown_need'],
    ['two steps of one id', slaPlan([countStep, countStep]), 'count id duplicate_id'],
    [
      'a reference to nowhere',
      slaPlan([{ ...post, args: { channel: '#ops', text: [{ ref: 'ghost.total' }] } }]),
      'post args.text missing_reference',
    ],
    [
      'a field that is not declared',
      slaPlan([countStep, { ...post, args: { channel: '#ops', text: [{ ref: 'count.secret' }] } }]),
      'post args.text missing_reference',
    ],
    [
      'a target out of free text',
      slaPlan([
        countStep,
        { ...pageStep, when: undefined, args: { service: { ref: 'count.jql' }, text: 'x' } },
      ]),
      'page args.service reference_type',
    ],
    [
      'a target built from parts',
      slaPlan([
        countStep,
        { ...pageStep, when: undefined, args: { service: ['o', { ref: 'count.total' }], text: 'x' } },
      ]),
      'page args.service parts_outside_text',
    ],
    [
      'a condition of the wrong type',
      slaPlan([countStep, slaStep, { ...pageStep, when: 'count.total' }]),
      'page when condition_type',
    ],
    [
      'a condition over free text',
      slaPlan([countStep, slaStep, { ...pageStep, when: 'count.jql == "x"' }]),
      'page when condition_free_text',
    ],
    [
      'a condition with matches',
      slaPlan([countStep, slaStep, { ...pageStep, when: '"a".matches("a+")' }]),
      'page when condition_operator',
    ],
    [
      'a condition on a later step',
      slaPlan([{ ...countStep, when: 'sla.max_open > 1' }, slaStep]),
      'count when condition_order',
    ],
    [
      'a number compared with a word',
      slaPlan([countStep, slaStep, { ...pageStep, when: 'count.total > "many"' }]),
      'page when condition_invalid',
    ],
    [
      'two pages to one service',
      slaPlan([
        { ...pageStep, when: undefined, args: { service: 'ops', text: 'a' } },
        { ...pageStep, id: 'again', when: undefined, args: { service: 'ops', text: 'b' } },
      ]),
      'again tool repeated_write',
    ],
    [
      'a result of a step that may be skipped',
      slaPlan([
        countStep,
        slaStep,
        pageStep,
        { ...post, onSkip: 'run', args: { channel: '#ops', text: [{ ref: 'page.dedup_key' }] } },
      ]),
      'post onSkip uses_skipped',
    ],
    [
      'internal data for a public channel',
      slaPlan([countStep, { ...post, args: { channel: '#general', text: [{ ref: 'count.total' }] } }]),
      'post args.text forbidden_flow',
    ],
    [
      'data that a summary carries to a place that its source may not reach',
      slaPlan([
        { ...countStep, tool: 'sql.query', args: { name: 'accounts' } },
        { id: 'sum', tool: 'llm.summarize', why: 'w', args: { input: [{ ref: 'count.lines' }] } },
        { ...post, args: { channel: '#ops', text: [{ ref: 'sum.text' }] } },
      ]),
      'post args.text forbidden_flow',
    ],
    [
      'a target of one kind for another',
      slaPlan([
        { ...countStep, tool: 'jira.search', args: { project: 'OPS' } },
        { ...post, args: { channel: { ref: 'count.first' }, text: 'x' } },
      ]),
      'post args.channel reference_type',
    ],
    ['the same message twice', slaPlan([post, { ...post, id: 'twin' }]), 'twin tool repeated_write'],
    [
      'more steps than the cap',
      slaPlan(Array.from({ length: 21 }, (_, i) => ({ ...countStep, id: `c${i}` }))),
      'plan steps over_cap',
    ],
    [
      'ten thousand steps',
      slaPlan(Array.from({ length: 10_000 }, (_, i) => ({ ...countStep, id: `c${i}` }))),
      'plan  too_large',
    ],
    [
      'a key that reaches for the prototype',
      JSON.parse('{"__proto__": {"x": 1}, "goal": "g"}'),
      'plan  schema',
    ],
    [
      'an effect claimed by the plan',
      slaPlan([{ ...pageStep, effect: 'read' } as typeof pageStep]),
      'page  schema',
    ],
    ['prose', 'I would check Jira first.', 'plan  schema'],
  ])('finds %s, with step and field', (_name, draft, expected) => {
    expect(rulesFor(draft)).toContain(expected);
    expect(reviewDraft(draft, against).plan).toBeNull();
  });

  test('lets two messages of different words go to one channel', () => {
    const other = { ...post, id: 'other', args: { channel: '#ops', text: 'goodbye' } };
    expect(rulesFor(slaPlan([post, other]))).toEqual([]);
  });

  test('lets nobody read in a channel what may not be posted there', () => {
    const rules = (home: string | null) =>
      reviewDraft(slaPlan(), { catalogue: testCatalogue(), policy: testPolicy, home }).findings.map(
        ({ step, field, rule }) => `${step} ${field} ${rule}`,
      );
    expect(rules('C0GENERAL')).toEqual(['count tool forbidden_flow', 'sla tool forbidden_flow']);
    // Direct messages and channels that the operator does not list hold internal data.
    for (const home of ['C0OPS', 'C0ELSE', 'D0ANA', null]) expect(rules(home)).toEqual([]);
    const posts = {
      id: 'tell',
      tool: 'slack.post',
      why: 'w',
      args: { channel: '#general', text: 'Deploy is done.' },
    };
    const written = { catalogue: testCatalogue(), policy: testPolicy, home: 'C0GENERAL' };
    expect(reviewDraft(slaPlan([posts]), written).findings).toEqual([]);
  });

  test('reports everything together and says what a tool would need', () => {
    const catalogue = testCatalogue({ unconfigured: new Map([['pagerduty.page', 'PAGERDUTY_API_TOKEN']]) });
    const manifests = new Map([...catalogue.manifests].filter(([name]) => name !== 'pagerduty.page'));
    const draft = slaPlan([{ ...countStep, args: { priority: 'x' } }, slaStep, pageStep]);
    const { findings } = reviewDraft(draft, { catalogue: { ...catalogue, manifests }, policy: testPolicy });
    expect(findings.map((f) => f.rule).sort()).toEqual(['bad_argument', 'tool_not_configured']);
    expect(findings.map(findingLine).join('\n')).toContain(
      'step page, tool: pagerduty.page needs PAGERDUTY_API_TOKEN',
    );
  });
});
