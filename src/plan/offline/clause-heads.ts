import { verbAt } from './grammar.ts';
import type { Token } from './token.ts';

/** "let me know if …", "check if …": a question to look up, not a condition. */
export function asksWhether(tokens: readonly Token[]): boolean {
  const said = tokens.filter((token) => !/^(please|,|me|i|also|then|and|it|be)$/.test(token.word));
  return said.length === 1 && /^(show|check|find|get|list|know|confirm)$/.test(said[0]?.word ?? '');
}

/** "OPS-12: …", "for OPS-12: …": what the orders behind the colon are about. */
export function isAddress(tokens: readonly Token[]): boolean {
  return (
    tokens.some((token) => /^(key|id)$/.test(token.kind)) &&
    tokens.every(
      (token) =>
        /^(key|id)$/.test(token.kind) ||
        /^(for|on|in|to|about|ticket|incident|please|regarding|the|and|bug|story|task)$/.test(token.word),
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
