import type { ModelPlanAnswer, WireStep } from '../../src/plan/model/answer-schema.ts';

type Value = WireStep['args'][number]['value'];

/** A step as a model writes it; arguments as a record for short. */
export function wireStep(
  id: string,
  tool: string,
  args: Readonly<Record<string, Value>> = {},
  over: Partial<WireStep> = {},
): WireStep {
  return {
    id,
    tool,
    why: 'Needed for the request.',
    args: Object.entries(args).map(([name, value]) => ({ name, value })),
    needs: [],
    when: null,
    each: null,
    if_skipped: 'skip',
    success: [],
    ...over,
  };
}

/** An answer with a plan. */
export function planAnswer(steps: WireStep[], confidence = 0.9): ModelPlanAnswer {
  return {
    answer: 'plan',
    plan: { summary: 'What the plan does.', assumptions: [], omitted: [], steps, success: [], watch: null },
    clarify: null,
    refuse: null,
    confidence,
  };
}

export function clarifyAnswer(question: string, missing: string[], options: string[] = []): ModelPlanAnswer {
  const clarify = { question, missing, options };
  return { answer: 'clarify', plan: null, clarify, refuse: null, confidence: 0.9 };
}

export function refuseAnswer(
  reason: NonNullable<ModelPlanAnswer['refuse']>['reason'],
  explanation: string,
): ModelPlanAnswer {
  return { answer: 'refuse', plan: null, clarify: null, refuse: { reason, explanation }, confidence: 0.9 };
}

/** Count, limit and page: the plan that most goals of these tests are about. */
export function breachSteps(over: { service?: string; project?: string } = {}): WireStep[] {
  const project = over.project ?? 'OPS';
  return [
    wireStep('count', 'jira.count', { project, priority: 'P1', status: 'open' }),
    wireStep('sla', 'sla.threshold', { project, priority: 'P1' }),
    wireStep(
      'page',
      'pagerduty.page',
      {
        service: over.service ?? 'ops',
        text: [
          `${project} has `,
          { ref: 'count.total' },
          ' open P1 tickets; the SLA allows ',
          { ref: 'sla.max_open' },
        ],
      },
      { needs: ['count'], when: 'count.total > sla.max_open' },
    ),
  ];
}
