import type { Approver, Policy, Rule } from '../../src/core/policy.ts';

/** A rule about every write that lets nobody approve; a test changes what it is about. */
export function rule(change: Partial<Rule> = {}): Rule {
  return {
    ...{ name: 'rule', tools: null, services: null, projects: null, channels: null },
    ...{ risks: null, hours: null, deny: null, approvers: [], backup: [], needed: 1, fourEyes: false },
    ...change,
  };
}

/** Rules that let these people approve, by tool; `*` for the rest. */
export function rulesFor(byTool: Readonly<Record<string, readonly Approver[]>>, fourEyes = false): Rule[] {
  const entries = Object.entries(byTool).toSorted(
    ([one], [other]) => Number(one === '*') - Number(other === '*'),
  );
  return entries.map(([tool, approvers]) =>
    rule({ name: tool, tools: tool === '*' ? null : [tool], approvers, fourEyes }),
  );
}

/** The rules without what they ask about people. */
export function withoutFourEyes(policy: Policy): Policy {
  return { ...policy, rules: policy.rules.map((each) => ({ ...each, fourEyes: false })) };
}
