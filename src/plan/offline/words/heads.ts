import { verbAt } from './grammar.ts';
import { isBreak, isReceiver } from './marks.ts';
import type { Token } from './token.ts';

/** "let me know if …", "check if …": a question to look up, not a condition. */
export function asksWhether(tokens: readonly Token[]): boolean {
  const said = tokens.filter((token) => !/^(please|,|me|i|also|then|and|it|be)$/.test(token.word));
  return said.length === 1 && /^(show|check|find|get|list|know|confirm)$/.test(said[0]?.word ?? '');
}

function isIncidentNumber(tokens: readonly Token[], token: Token): boolean {
  return (
    token.kind === 'number' && /^(incident|pagerduty)$/.test(tokens[tokens.indexOf(token) - 1]?.word ?? '')
  );
}

/** "OPS-12: …", "for OPS-12: …": what the orders behind the colon are about. */
export function isAddress(tokens: readonly Token[]): boolean {
  return (
    tokens.some((token) => /^(key|id)$/.test(token.kind) || isIncidentNumber(tokens, token)) &&
    tokens.every(
      (token) =>
        /^(key|id)$/.test(token.kind) ||
        isIncidentNumber(tokens, token) ||
        /^(for|on|in|to|about|ticket|incident|pagerduty|please|regarding|the|and|bug|story|task)$/.test(
          token.word,
        ),
    )
  );
}

/** "tell #ops: …": only a verb and who is told. */
export function isMessageHead(tokens: readonly Token[]): boolean {
  const at = verbAt(tokens, 0);
  const rest = tokens.slice(at + 1);
  return (
    at >= 0 &&
    /^(tell|post|notify|let)$/.test(tokens[at]?.word ?? '') &&
    rest.length > 0 &&
    rest.every((token) => /^(channel|user)$/.test(token.kind) || /^(to|in|and|,|know)$/.test(token.word))
  );
}

/** "Stand down: …", "heads up: …": words before a colon that say nothing of what to do. */
export function isCall(tokens: readonly Token[]): boolean {
  const plain = tokens.every((token) => token.kind === 'word');
  return (
    plain &&
    verbAt(tokens, 0) < 0 &&
    !tokens.some((token) =>
      /^(in|for|from|on|splunk|kql|sql|log|pagerduty|ticket|incident|runbook|sla|database|with|via|using)$/.test(
        token.word,
      ),
    )
  );
}

/** "close out the incident: …": an order without a target, in front of the orders that it stands for. */
export function isHeading(tokens: readonly Token[]): boolean {
  return (
    tokens.length <= 6 &&
    verbAt(tokens, 0) >= 0 &&
    /^(close|resolve|ack|finish)$/.test(tokens[verbAt(tokens, 0)]?.word ?? '') &&
    tokens.every((token) => token.kind === 'word')
  );
}

/** "let #ops know should PAY-3 be at risk": a condition without `if`. */
export function inverted(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1];
  const before = tokens[index - 1];
  const subject =
    next !== undefined &&
    (/^(key|project|service|priority|number)$/.test(next.kind) ||
      /^(the|any|none|it|there|that|this|more-than|open|sql|splunk|kql|pagerduty)$/.test(next.word));
  return (
    subject &&
    index > 0 &&
    (isBreak(before) ||
      /^(the|any)$/.test(next.word) ||
      /^(know|and|but|only|just|on-call|it|them)$/.test(before?.word ?? '') ||
      isReceiver(before) ||
      before?.kind === 'service')
  );
}

/** "night handover: …", in front of what a summary is made of. */
export function isSummaryHead(tokens: readonly Token[]): boolean {
  return (
    tokens.length <= 5 &&
    tokens.every((token) => /^(word|service|project)$/.test(token.kind)) &&
    tokens.some((token) => token.word === 'summary') &&
    (verbAt(tokens, 0) < 0 || /^shift$/i.test(tokens[0]?.raw ?? ''))
  );
}
