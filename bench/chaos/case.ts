/** What somebody asks for: one write that can be told from all others by its mark. */
export interface Case {
  readonly mark: string;
  readonly kind: 'post' | 'comment' | 'page';
  readonly goal: string;
  /** Who asks. */
  readonly as: string;
}

const people = ['ana', 'ben', 'dev', 'eva'] as const;
const services = ['ops', 'payments-api', 'checkout'] as const;

/** The cases of a run take turns in kind, asker and place. */
export function caseOf(nth: number): Case {
  const mark = `case-${String(nth).padStart(4, '0')}.`;
  const as = people[nth % people.length] ?? 'ana';
  const kind = (['post', 'comment', 'page'] as const)[nth % 3] ?? 'post';
  const service = services[Math.floor(nth / 3) % services.length] ?? 'ops';
  const goals = {
    post: `slack.post channel=incidents text="${mark}"`,
    comment: `jira.comment key=OPS-${1 + (nth % 5)} text="${mark}"`,
    page: `count = jira.count project=OPS priority=P1 status=open; when count.total > 3: pagerduty.page service=${service} text="${mark}"`,
  };
  return { mark, kind, goal: goals[kind], as };
}
