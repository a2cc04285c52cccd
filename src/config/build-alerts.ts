import type { AlertRule, AlertRules, LabelMatch } from '../core/alert.ts';
import { own } from '../core/own-property.ts';
import { readHours } from './build-catalogue.ts';
import type { OperatorConfig } from './schema.ts';

type RuleConfig = OperatorConfig['alerts']['rules'][number];

/** The operator's rules about alerts, already validated. */
export function buildAlertRules(config: OperatorConfig): AlertRules {
  const { rules, unmatched, doors } = config.alerts;
  const channelOf = (name: string | undefined) => {
    const id = own(config.channels, name ?? '')?.id;
    return name === undefined || id === undefined ? null : { name, id };
  };
  return {
    rules: rules.map((rule): AlertRule => {
      // Incidents of PagerDuty may be those of the same alerts: a rule has to name their door.
      const from = rule.doors ?? Object.keys(doors);
      return {
        name: rule.name,
        doors: from,
        match: matchOf(rule),
        service: rule.service ?? null,
        channel: channelOf(rule.channel),
        priority: rule.priority ?? null,
        quiet: rule.quiet === undefined ? null : readHours(rule.quiet),
        reads: rule.reads ?? null,
        propose: rule.propose,
      };
    }),
    unmatched: channelOf(unmatched ?? config.defaults.channel)?.id ?? null,
  };
}

function matchOf({ match }: RuleConfig): Record<string, LabelMatch> {
  const entries = Object.entries(match).map(([label, wanted]): [string, LabelMatch] => {
    if (typeof wanted === 'string') return [label, { anyOf: [wanted] }];
    return [label, Array.isArray(wanted) ? { anyOf: wanted } : wanted];
  });
  return Object.fromEntries(entries);
}
