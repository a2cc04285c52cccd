/** One request: a write identified by its mark. */
export interface Case {
  readonly mark: string;
  readonly kind: 'post' | 'comment' | 'page';
  readonly goal: string;
  /** The requester. */
  readonly as: string;
}

const people = ['ana', 'ben', 'dev', 'eva'] as const;

/** The cases of a workspace vary in kind, requester and place. */
export function caseOf(nth: number, team: string): Case {
  const mark = `${team}-${String(nth).padStart(4, '0')}.`;
  const as = people[nth % people.length] ?? 'ana';
  const kind = (['post', 'comment', 'page'] as const)[nth % 3] ?? 'post';
  // Other services in each workspace: PagerDuty is shared, and a card names what is open on its service.
  const services = team === 'T1SANDBOX' ? ['checkout'] : ['ops', 'payments-api'];
  const service = services[Math.floor(nth / 3) % services.length] ?? 'ops';
  const goals = {
    post: `slack.post channel=incidents text="${mark}"`,
    comment: `jira.comment key=OPS-${1 + (nth % 5)} text="${mark}"`,
    page: `count = jira.count project=OPS priority=P1 status=open; when count.total > 3: pagerduty.page service=${service} text="${mark}"`,
  };
  return { mark, kind, goal: goals[kind], as };
}
