import { addRead, knownOf, type Work } from '../draft/work.ts';
import { namesRead, readsIn } from '../reads/reads.ts';
import { startsWrite } from '../words/grammar.ts';
import { lineOf, ofKind } from '../words/token.ts';
import type { Clause } from './clause.ts';

/** What a clause speaks of is what "its" means in the next one; a condition may point to its order: "close X if it is". */
export function mention(clause: Clause, order: Clause | undefined, work: Work): void {
  const named = (kind: 'project' | 'service' | 'user'): string | undefined =>
    ofKind(clause.tokens, kind).at(-1)?.word;
  const projects = ofKind(clause.tokens, 'project').map((token) => token.word);
  const heading = clause.tokens.every(
    (token) =>
      token.kind === 'project' || /^(and|,|:|in|for|projects?|together|also|up|\+)$/.test(token.word),
  );
  if (projects.length > 1 && heading)
    work.listed = { projects, summed: clause.tokens.some((token) => token.word === 'together') };
  work.project = named('project') ?? work.project;
  work.service = named('service') ?? work.service;
  const keyed = ofKind(clause.tokens, 'key').at(-1)?.word;
  if (keyed !== undefined && clause.kind === 'action' && !startsWrite(clause.tokens, 0)) work.lastKey = keyed;
  work.user = named('user') ?? work.user;
  const incident = clause.tokens.find(
    (token, index) =>
      token.kind === 'id' ||
      (token.kind === 'number' &&
        (/^(incident|pagerduty)$/.test(clause.tokens[index - 1]?.word ?? '') ||
          (/^number$/i.test(clause.tokens[index - 1]?.raw ?? '') &&
            token.word.length >= 4 &&
            /\b(incident|pagerduty)\b/.test(lineOf(clause.tokens))))),
  );
  if (incident && work.lastIncident === null) work.lastIncident = incident.word;
  if (work.service === undefined && /\b(it|its|there)\b/.test(lineOf(clause.tokens)))
    work.service = ofKind(order?.tokens ?? [], 'service')[0]?.word;
  if (work.project === undefined) work.project = ofKind(order?.tokens ?? [], 'project')[0]?.word;
  const key = ofKind(order?.tokens ?? [], 'key')[0]?.word;
  if (key !== undefined && ofKind(clause.tokens, 'key').length === 0 && work.lastKey === null)
    work.lastKey = key;
}

/** "tell #ops the count of X only if it is over 5": the condition is about what its order reads. */
export function readAhead(clause: Clause, order: Clause | undefined, work: Work): void {
  const line = lineOf(clause.tokens);
  const points =
    /\b(it|that|they|them|there|any|none)\b/.test(line) &&
    ofKind(clause.tokens, 'project', 'key', 'service').length === 0;
  const tells =
    /^(?:please )*(?:post|tell|notify|let)\b/.test(lineOf(order?.tokens ?? [])) ||
    ofKind(order?.tokens ?? [], 'channel').length > 0;
  if (!order || !tells || work.lastReads.length > 0 || !points) return;
  const body = order.tokens.filter((token) => !/^(channel|user|quote)$/.test(token.kind));
  if (!namesRead(body)) return;
  const wanted = /\b(count|how many)\b/.test(lineOf(body)) ? 'count' : 'list';
  work.lastReads = readsIn(body, wanted, knownOf(work)).map((spec) => addRead(work, spec));
}

/** "file "x" unless there is one already": what the new ticket is about is what to look for. */
export function topicAhead(order: Clause | undefined): string | undefined {
  const creates = order !== undefined && /^(?:\S+ )?create\b/.test(lineOf(order.tokens));
  return creates ? ofKind(order.tokens, 'quote')[0]?.word : undefined;
}
