import type { Work } from '../draft/work.ts';
import { ofKind, sliceOf, type Token } from '../words/token.ts';
import { literalText } from './messages.ts';

export function titleOf(tokens: readonly Token[], work: Work): string | null {
  const titled = tokens.findIndex((token) => token.kind === 'word' && token.word === 'titled');
  const quote = ofKind(tokens, 'quote')[0];
  if (quote) return quote.word;
  if (titled >= 0) return sliceOf(work.goal, trimmed(tokens.slice(titled + 1))) || null;
  const about = tokens.findIndex((token) => token.kind === 'word' && /^(about|saying)$/.test(token.word));
  if (about >= 0) return sliceOf(work.goal, trimmed(withoutPlace(tokens.slice(about + 1)))) || null;
  const reason = tokens.findIndex(
    (token) =>
      /^(because|since|as)$/.test(token.raw.toLowerCase()) &&
      token.kind === 'word' &&
      /^(the|our|we|it|my|a|customers|users|some)$/.test(
        tokens[tokens.indexOf(token) + 1]?.raw.toLowerCase() ?? '',
      ),
  );
  if (reason >= 0) return sliceOf(work.goal, trimmed(tokens.slice(reason + 1))) || null;
  return (
    literalText(trimmed(withoutFields(tokens)), work.goal) ?? purpose(tokens, work) ?? statement(tokens, work)
  );
}

function trimmed(tokens: readonly Token[]): readonly Token[] {
  let rest = tokens;
  while (/^(the|:|a|an|that|is)$/.test(rest[0]?.word ?? '') && rest[0]?.kind !== 'quote')
    rest = rest.slice(1);
  while (
    /^(,|and|in|for|on|with|please|as)$/.test(rest.at(-1)?.word ?? '') ||
    rest.at(-1)?.kind === 'priority'
  )
    rest = rest.slice(0, -1);
  return rest;
}

/** Without a trailing "in OPS" or "as P2", which are slots of the new ticket. */
function withoutPlace(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(
    (token, index) =>
      index > 0 &&
      /^(in|for|as|with)$/.test(token.word) &&
      /^(project|priority)$/.test(tokens[index + 1]?.kind ?? ''),
  );
  return at > 0 ? tokens.slice(0, at) : tokens;
}

const slots =
  /^(create|new|a|an|the|in|for|on|at|as|with|and|please|ticket|bug|task|story|epic|it|that|this|them|one|there|also|then|to|assign|assigned|assignee|label|priority|open|due|if|now|incident|link|is|high|low|urgent|high urgency|low urgency)$/;

/** "create bug WEB cart empty", "a ticket for PAY, P2, refunds stuck": the words that fill no other field. */
export function loose(tokens: readonly Token[], work: Work): string | null {
  const runs: Token[][] = [[]];
  for (const token of tokens) {
    const says = /^(word|number|service|code|id|clock)$/.test(token.kind) && token.start < token.end;
    const inside =
      says &&
      (!slots.test(token.word) ||
        ((runs.at(-1)?.length ?? 0) > 0 && /^(is|in|on|for|to|the)$/.test(token.word)));
    if (inside || (token.word === '%' && (runs.at(-1)?.length ?? 0) > 0)) runs.at(-1)?.push(token);
    else runs.push([]);
  }
  const best = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), []);
  return best.length > 1 ? sliceOf(work.goal, trimmed(best)) || null : null;
}

/** "create a ticket in LAB, the sensor is broken": what is wrong stands behind the comma. */
function statement(tokens: readonly Token[], work: Work): string | null {
  const at = tokens.findIndex((token) => token.word === ',');
  const rest = at > 0 ? tokens.slice(at + 1) : [];
  const says = rest.some((token) =>
    /^(is|are|was|were|keeps?|fails?|has|have|does|stopped|returns?|hangs?)$/.test(token.raw.toLowerCase()),
  );
  return says && /^(the|our|its|a|all|some|my|no|this)$/.test(rest[0]?.word ?? '')
    ? sliceOf(work.goal, trimmed(rest)) || null
    : null;
}

/** "a ticket in OPS for the noisy disk": what stands behind "for" and is no project. */
function purpose(tokens: readonly Token[], work: Work): string | null {
  const at = tokens.findIndex(
    (token, index) =>
      token.kind === 'word' &&
      (/^(for|to)$/.test(token.word) || /^(on|regarding|re|over|concerning)$/i.test(token.raw)) &&
      index > 1 &&
      !/^(project|user|priority|channel|key|mark)$/.test(tokens[index + 1]?.kind ?? 'mark'),
  );
  if (at < 0) return null;
  return sliceOf(work.goal, trimmed(withoutPlace(tokens.slice(at + 1)))) || null;
}

/** ": dark mode, assign to @lee, label ui": what follows the comma fills other fields. */
function withoutFields(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(
    (token, index) =>
      token.word === ',' &&
      tokens.slice(0, index).some((other) => other.word === ':') &&
      (/^(assign|assigned|assignee|label|labels|labelled|project|priority|prio)$/.test(
        tokens[index + 1]?.raw.toLowerCase() ?? '',
      ) ||
        tokens[index + 1]?.kind === 'priority'),
  );
  return at > 0 ? tokens.slice(0, at) : tokens;
}
