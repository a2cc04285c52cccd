import type { Catalogue } from '../../../core/catalogue.ts';
import { functionWords, hyphenated } from './lexicon/known.ts';
import type { Token } from './token.ts';

/** What tells a name from a word: the catalogue, and the words that grammar knows. */
export interface NameContext {
  readonly catalogue: Catalogue;
  readonly vocabulary: ReadonlySet<string>;
  /** True when the goal is written in capitals, so that capitals say nothing. */
  readonly shouting: boolean;
}

export function bare(raw: string): string {
  return raw.replace(/['’]s?$/i, '').replace(/[.,]$/, '');
}

/** "on call for auth and checkout": a word that follows a service in a list. */
export function listed(index: number, tokens: readonly Token[]): boolean {
  const leads =
    /^(and|,)$/.test(tokens[index + 1]?.word ?? '') &&
    tokens[index + 2]?.kind === 'service' &&
    /^(:|on-call|for|of|page)$/.test(tokens[index - 1]?.word ?? '') &&
    tokens.slice(0, index).some((token) => token.word === 'on-call' || token.word === 'page');
  if (leads) return true;
  const joined = /^(and|,|or)$/.test(tokens[index - 1]?.word ?? '') && tokens[index - 2]?.kind === 'service';
  const next = tokens[index + 1];
  return (
    joined &&
    (!next ||
      next.kind === 'mark' ||
      /^(and|or|on-call|about|because|if|unless|for|saying|that|with)$/.test(next.word))
  );
}

export function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function wordBefore(tokens: readonly Token[], index: number): string {
  const previous = tokens[index - 1];
  return previous && /^(the|a|our|my)$/.test(previous.word)
    ? (tokens[index - 2]?.word ?? '')
    : (previous?.word ?? '');
}

export function isServiceForm(
  name: string,
  index: number,
  tokens: readonly Token[],
  context: NameContext,
): boolean {
  const known = context.catalogue.services.some((service) => same(service.name, name));
  if (known && !context.vocabulary.has(name.toLowerCase())) return true;
  if (!/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+$/.test(name)) return false;
  const before = tokens[index - 1]?.word ?? '';
  if (/^(label|about|titled)$/.test(before) && tokens[index + 1]?.word !== ':') return false;
  if (/ing$/.test(name) && /^(is|are|was|were|keeps|keep|be)$/.test(before)) return false;
  const noun =
    /^(?:check|log|sign|roll|time|drop|pick|hand|fall|start|shut|turn|opt|stand|break|black|brown)-(?:ins?|ups?|outs?|backs?|offs?|downs?|overs?)$/;
  return !hyphenated.has(name) && !context.vocabulary.has(name) && !noun.test(name);
}

const heads =
  /^(on-call|incident|runbook|error|exception|[1-5]xx|[45]\d\ds|timeouts|log|firing|page|kit|overview|summary|rotation|pagerduty|urgency)$/;

/** True where a service is named by its place: "page X", "on call for X", "the X on-call", "incidents on X". */
export function servicePlace(index: number, tokens: readonly Token[], context: NameContext): boolean {
  const token = tokens[index];
  if (!token || functionWords.has(token.word) || !/^[\p{L}][\p{L}\p{N}._-]*(?:['’]s)?$/u.test(token.raw))
    return false;
  const before = wordBefore(tokens, index);
  const after = tokens[index + 1]?.word ?? '';
  // "Search is on fire": a service of this workspace, whatever else its name may mean.
  const known = context.catalogue.services.some((service) => same(service.name, token.raw));
  const first = index === 0 || tokens[index - 1]?.kind === 'mark';
  if (known && first && /^(is|are|has|keeps|returns|looks|seems|went)$/i.test(tokens[index + 1]?.raw ?? ''))
    return true;
  const plain =
    !context.vocabulary.has(token.word) ||
    /^(sql|log|find|status|code|post|ticket|notify|start)$/.test(token.word);
  const paged =
    before === 'page' || (before === 'to' && /^(page|urgency)$/.test(tokens[index - 2]?.word ?? ''));
  if (paged && plain && !/^(all|every)$/.test(after)) return true;
  if (before === 'service' && plain) return true;
  if (after === 'service' && plain && /^(for|on|in|page|the)$/.test(tokens[index - 1]?.word ?? ''))
    return true;
  if (
    after === 'on-call' &&
    plain &&
    tokens[index + 2]?.word !== 'runbook' &&
    !/^(look|see|find|check)$/i.test(token.raw) &&
    !/^(?:who|today|tonight|tomorrow|yesterday)['’]s$/.test(token.word)
  )
    return true;
  if (
    /^(has|have|shows)$/.test(after) &&
    plain &&
    tokens.slice(index + 2, index + 6).some((other) => /^(incident|firing)$/.test(other.word)) &&
    /^[a-z][a-z0-9]{2,}$/.test(token.raw)
  )
    return true;
  if (/^(incident|firing)$/.test(before) && plain && /^(has|had|have)$/.test(after)) return true;
  const heading = after === ':' && /^[a-z]/.test(token.raw);
  if (before === 'for' && plain && (heading || startsRead(tokens, index))) return true;
  if (plain && /['’]s$/.test(token.raw) && ownsIncidents(tokens, index)) return true;
  if (
    before === 'on-call' &&
    plain &&
    /(?:covering|covers|carrying|carries|holding|holds|watching|watches)$/i.test(tokens[index - 1]?.raw ?? '')
  )
    return true;
  if (before === 'check' && index === 1 && after === ':' && plain) return true;
  if (
    before === 'notify' &&
    plain &&
    /^(alert|escalate)/i.test(notifyRaw(tokens, index)) &&
    !/(?:ing|ings|issue|problem|case|matter|situation|outage|this|that|it)$/i.test(token.raw) &&
    (!tokens[index + 1] || /^(and|,|saying|that|about|if|:|\.|unless|please|then|in-that-case)$/.test(after))
  )
    return true;
  if (!/^(for|on|at|with|in|from|by|about|did|does|has|have)$/.test(before)) return false;
  if (before === 'about' && tokens[index - 2]?.word !== 'on-call') return false;
  if (/^[A-Z]{2,}$/.test(bare(token.raw)) && before === 'in') return false;
  if (plain && /^(for|on|of)$/.test(wordAt(tokens, index - 1)) && searchedIn(index, tokens)) return true;
  const alone =
    !tokens[index + 1] ||
    tokens[index + 1]?.kind !== 'word' ||
    /^(and|in|to|please|with|if|or|on|the|for)$/.test(after);
  return plain && headBefore(index, tokens) && (alone || !runbookBefore(index, tokens));
}

/** "broker's open incidents": whose they are. */
function ownsIncidents(tokens: readonly Token[], index: number): boolean {
  let at = index + 1;
  while (
    /^(open|triggered|acknowledged|newest|last|high|low|urgency|pagerduty)$/.test(tokens[at]?.word ?? '')
  )
    at += 1;
  return /^(incident|firing|runbook)$/.test(tokens[at]?.word ?? '');
}

/** "for scheduler collect …": what a list of reads is about stands first. */
function startsRead(tokens: readonly Token[], index: number): boolean {
  const first = index === 1 || tokens[index - 2]?.kind === 'mark' || tokens[index - 2]?.word === 'please';
  return first && /^(get|show|list|find|summarize|check|compare)$/.test(tokens[index + 1]?.word ?? '');
}

function notifyRaw(tokens: readonly Token[], index: number): string {
  return tokens[index - 1]?.word === 'notify'
    ? (tokens[index - 1]?.raw ?? '')
    : (tokens[index - 2]?.raw ?? '');
}

function wordAt(tokens: readonly Token[], index: number): string {
  return tokens[index]?.word ?? '';
}

/** "KQL failed dependencies for wallet": what a log search is bound to, where nothing else looks like a service. */
function searchedIn(index: number, tokens: readonly Token[]): boolean {
  const ends =
    tokens[index + 1] === undefined ||
    /^(mark|duration)$/.test(tokens[index + 1]?.kind ?? '') ||
    /^(in|over|during|since|at-most|last|and|the)$/.test(wordAt(tokens, index + 1));
  const log = tokens.slice(Math.max(0, index - 10), index).some((token) => /^(kql|splunk)$/.test(token.word));
  const other = tokens.some(
    (token) => /^[a-z0-9]+(?:[-_][a-z0-9]+)+$/.test(token.raw) || token.kind === 'query',
  );
  const thing = /^[a-z][a-z0-9]{2,}$/.test(tokens[index]?.raw ?? '');
  return (
    log &&
    ends &&
    thing &&
    !other &&
    tokens[index - 2]?.word !== 'splunk' &&
    tokens[index - 2]?.word !== 'kql'
  );
}

/** "the runbook for redis failover" is about words, not a service. */
function runbookBefore(index: number, tokens: readonly Token[]): boolean {
  return tokens.slice(Math.max(0, index - 4), index).some((token) => token.word === 'runbook');
}

function headBefore(index: number, tokens: readonly Token[]): boolean {
  for (let at = index - 2; at >= Math.max(0, index - 7); at -= 1) {
    const word = tokens[at]?.word ?? '';
    if (heads.test(word)) return true;
    if (/^[,;:.?]$/.test(word) || word === 'and' || /^(ticket|bug|story|task)$/.test(word)) return false;
  }
  return false;
}
