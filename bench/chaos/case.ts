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

/** The cases of a workspace take turns in kind, asker and place. */
export function caseOf(nth: number, team: string): Case {
  const mark = `${team}-${String(nth).padStart(4, '0')}.`;
  const as = people[nth % people.length] ?? 'ana';
  const kind = (['post', 'comment', 'page'] as const)[nth % 3] ?? 'post';
  // Another problem in each workspace: of the same one there is one page, with the words of whoever was first.
  const priority = team === 'T1SANDBOX' ? 'P2' : 'P1';
  const service = services[Math.floor(nth / 3) % services.length] ?? 'ops';
  const goals = {
    post: `slack.post channel=incidents text="${mark}"`,
    comment: `jira.comment key=OPS-${1 + (nth % 5)} text="${mark}"`,
    page: `count = jira.count project=OPS priority=${priority} status=open; when count.total > 3: pagerduty.page service=${service} text="${mark}"`,
  };
  return { mark, kind, goal: goals[kind], as };
}
