import type { CaseStep, EvalCase } from './cases.ts';
import { isPhrase } from './said-text.ts';
import { canonical } from './same-value.ts';

interface Extra {
  readonly entry: EvalCase;
  readonly wanted: CaseStep;
  readonly tool: string;
  readonly name: string;
  readonly value: CaseStep['args'][string];
}

const reads = /^(jira\.(count|search|get|sla)|sla\.threshold|pagerduty\.(oncall|incidents)|logs\.|sql\.)/;
const filters =
  /^(status|priority|type|assignee|label|window|since|until|older_than|not_updated_for|within|state|limit|urgency|at)(_not)?$/;
const notOnlyOpen =
  /\b(all|any status|ever|total|closed?|resolved|solved|done|fixed|created|came in|coming in|opened|raised|filed|reported|logged|new)\b/i;

/** The tools' default when the argument is absent. */
function isDefault({ entry, wanted, tool, name, value }: Extra): boolean {
  if (name === 'order') return value === 'newest';
  if (name !== 'status' || !reads.test(tool)) return false;
  const dated = 'window' in wanted.args || 'since' in wanted.args;
  return value === 'open' && !dated && !notOnlyOpen.test(entry.text);
}

function severity(text: string): string {
  return text.replace(/\b(?:sev(?:erity)?|prio(?:rity)?|s)[ -]?([1-5])\b/gi, 'p$1');
}

/** Each word of the value is in the request, possibly in another form: "reopen" says `Reopened`. */
function isSaid(value: string, request: string): boolean {
  const words = canonical(value).match(/[\p{L}\p{N}]+/gu) ?? [];
  const said = severity(request.toLowerCase()).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => {
    if (/^(in|to|on|of)$/.test(word)) return true;
    const stem = word.length > 5 ? word.slice(0, -2) : word;
    return said.some((other) => (word.length < 4 ? other === word : other.startsWith(stem)));
  });
}

/** Words that already have another use: the step's own subject, or another step's search. */
function isBorrowed({ entry, wanted, tool, name, value }: Extra): boolean {
  const own = canonical(String(value));
  const others = entry.steps.filter((step) => step.id !== wanted.id).map((step) => step.args[name]);
  if (
    tool === 'jira.create' &&
    others.some((other) => other !== undefined && canonical(String(other)) === own)
  )
    return true;
  const phrases = Object.entries(wanted.args).filter(([key]) => isPhrase(key));
  const words = phrases.flatMap(
    ([, phrase]) =>
      String(phrase)
        .toLowerCase()
        .match(/[\p{L}\p{N}-]+/gu) ?? [],
  );
  return !/[-_\d]/.test(own) && words.includes(own);
}

/** A log search for particular words, where the case accepts any. */
function narrowsLogs({ wanted, tool, name, value }: Extra): boolean {
  if (!/^logs\./.test(tool) || !/^(about|query)$/.test(name)) return false;
  const hasOwn = 'about' in wanted.args || 'query' in wanted.args || 'text_has' in wanted.args;
  return !hasOwn && !/^(the )?(logs?|log entries|everything|all)$/i.test(String(value));
}

/** The single thing that a later step is about: "find the open incident of X and ack it". */
function isTheOne({ entry, wanted, name, value }: Extra): boolean {
  return name === 'limit' && value === 1 && JSON.stringify(entry.steps).includes(`"$${wanted.id}"`);
}

/**
 * The problem with an argument that the case does not list; null if there is none. An unlisted filter narrows a read's
 * results, so only a default is allowed. A target or setting of a write must be in the request.
 */
export function extraArgument(extra: Extra): string | null {
  const { entry, tool, name, value } = extra;
  const remark = `extra ${name} ${JSON.stringify(value)}`;
  if (narrowsLogs(extra)) return remark;
  if (isPhrase(name) && !(name === 'text' && reads.test(tool))) return null;
  if (isDefault(extra) || isTheOne(extra)) return null;
  // The cases cannot express when somebody is on call, so that is not a filter.
  const when = tool === 'pagerduty.oncall' && name === 'at';
  if (reads.test(tool) && !when && (filters.test(name) || name === 'text' || name === 'order')) return remark;
  if (/^(jira\.create|runbook\.search)$/.test(tool) && isBorrowed(extra)) return remark;
  const literal = [value].flat().filter((part) => !String(part).startsWith('$'));
  return literal.every((part) => isSaid(String(part), entry.text)) ? null : remark;
}
