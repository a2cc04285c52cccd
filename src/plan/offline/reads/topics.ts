import { ofKind, sliceOf, type Token } from '../words/token.ts';

const noise =
  /^(how|often|before|after|i|join|put|insert|attach|drop|them|read|only|just|comment|note|read-only|take|kql|splunk|sql|log|run|to|count|how many|find|show|get|list|check|from|for|in|on|at|of|with|the|a|an|last|is|are|were|was|be|been|by|has|have|there|please|me|any|none|and|which|that|who|since|today|yesterday|this|week|month|since|until|between|it|its|over|during|within|result|using|via|service|through|recorded|created|made|logged|seen|found|raised|happened|occurring|occurred|happening|registered|reported|more-than|less-than|at-least|at-most|or-more|or-less|exactly|older-than|than|if|unless|did|do|we|our|us|entries|rows|monday|tuesday|wednesday|thursday|friday|saturday|sunday|night|morning|everything-of|mean|explain|ran|came|come|up|out|then|per|exceeds|open up|query|give|see|had|got|get|about|tell|pull|so|far|summarize|table|also|both|all|much|does|exist|exists|shows?|compare|post|midnight|noon|weekend|last week|afternoon|according|i|saw|think|use|now|still|so|he|she|they|more|fewer|less|twice|as|many|that's|it's|no|or|but|know|idea|looks?|like|some|picture|overview|situation)$/;

/** What a log search or a database query is about: the longest run of words that say something. */
export function topicOf(tokens: readonly Token[], goal: string): string | null {
  const quoted = ofKind(tokens, 'quote')[0];
  if (quoted) return quoted.word;
  const asksData = tokens.some((token) => token.word === 'sql');
  const runs: Token[][] = [[]];
  for (const [index, token] of tokens.entries()) {
    const plain =
      token.kind === 'word' ||
      (token.kind === 'service' && asksData) ||
      (token.kind === 'project' && /^(error|exception)$/.test(tokens[index + 1]?.word ?? '')) ||
      token.kind === 'code' ||
      (token.kind === 'id' && !/^\d/.test(token.word));
    const before = tokens[tokens.indexOf(token) - 1]?.word ?? '';
    const digits = token.kind === 'number' && (/^[45]\d\d$/.test(token.word) || before === 'top');
    const answers =
      /^(responses?|replies|calls|rows|entries)$/i.test(token.raw) && (runs.at(-1)?.length ?? 0) > 0;
    if ((plain && !noise.test(token.word)) || digits || answers) runs.at(-1)?.push(token);
    else if ((bridges(tokens, index) || joins(tokens, index)) && (runs.at(-1)?.length ?? 0) > 0)
      runs.at(-1)?.push(token);
    else if (token.word === 'and' && (runs.at(-1)?.length ?? 0) > 0) runs.push([]);
    else runs.push([]);
  }
  let best: Token[] = [];
  for (const run of runs) if (run.length > best.length) best = run;
  return best.length > 0 ? sliceOf(goal, best) : null;
}

/** The article of "without a region". */
function joins(tokens: readonly Token[], index: number): boolean {
  return /^(a|an)$/.test(tokens[index]?.word ?? '') && bridges(tokens, index - 1);
}

/** "orders stuck in pending", "connection reset by peer": a small word between two that say something. */
function bridges(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  const next = tokens[index + 1];
  const says = (token: Token | undefined): boolean => token?.kind === 'word' && !noise.test(token.word);
  const stuck =
    tokens[index]?.word === 'in' &&
    (/^(blocked|open|closed|in progress)$/.test(next?.word ?? '') ||
      /^(stuck|held|waiting|sitting|trapped|lost|hanging|pending)$/i.test(before?.raw ?? ''));
  return (
    (stuck || /^(by|without|with|not|to|do-not)$/.test(tokens[index]?.word ?? '')) &&
    says(before) &&
    (says(next) || stuck || (/^an?$/.test(next?.word ?? '') && says(tokens[index + 2])))
  );
}

const searchNoise =
  /^(runbook|got|where's|there's|handle|handling|deal|find|show|get|list|which|is there|there|is|are|the|a|an|for|on|in|about|me|please|any|of|do|we|have|our|to|when|how|what|where|with|from|link|it|its|this|that|check|tell|post|and|has|exists|who|know|matching|relevant|right|correct|best|does|summarize|say|says|also|top|good|existing|titled|mention|mentions|run|code|do|related|applies|exists?|covers?|covering|both)$/;

/** The words to look for in runbooks: everything that is not about the search itself. */
export function searchWords(tokens: readonly Token[], goal: string): string | null {
  const quoted = ofKind(tokens, 'quote')[0];
  if (quoted) return quoted.word;
  const kept = tokens.filter((token) => {
    if (/^(mark|channel|user|number|duration|query)$/.test(token.kind)) return false;
    return token.kind !== 'word' || !searchNoise.test(token.word);
  });
  const first = kept[0];
  const last = kept.at(-1);
  if (!first || !last) return null;
  const span = tokens.filter((token) => token.start >= first.start && token.end <= last.end);
  const clean = span.every(
    (token) => kept.includes(token) || /^(for|on|in|the|a|and|to|of|with)$/.test(token.word),
  );
  return clean
    ? sliceOf(goal, span).replace(/\s+(?:runbooks?|playbooks?)\b/gi, '')
    : kept.map((token) => token.raw).join(' ');
}
