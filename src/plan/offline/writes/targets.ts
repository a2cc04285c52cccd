import { namesOf } from '../../../core/catalogue.ts';
import type { DraftStep, DraftValue } from '../draft/draft.ts';
import { addRead, ask, knownOf, type Work } from '../draft/work.ts';
import { readsIn } from '../reads/reads.ts';
import { verbAt } from '../words/grammar.ts';
import { functionWords } from '../words/lexicon/known.ts';
import { isOwner, isSpeaker } from '../words/owners.ts';
import { lineOf, ofKind, type Token, type TokenKind } from '../words/token.ts';

/** The words in front of a text: tickets and people that it speaks of are no targets. */
function addressed(tokens: readonly Token[], ...kinds: readonly TokenKind[]): readonly Token[] {
  const at = tokens.findIndex(
    (token) =>
      token.word === ':' || (token.kind === 'word' && /^(that|saying|about|because)$/.test(token.word)),
  );
  const head = at > 0 ? tokens.slice(0, at) : tokens;
  return ofKind(head, ...kinds).length > 0 ? head : tokens;
}

/** The issues a write is aimed at: keys in the words, a single issue they describe, or what "it" stands for. */
export function issueTargets(tokens: readonly Token[], work: Work): DraftValue[] {
  const keys = [...new Set(ofKind(addressed(tokens, 'key'), 'key').map((token) => token.word))];
  if (keys.length > 0) return keys;
  const line = lineOf(tokens);
  if (/\b(oldest|newest|updated)\b/.test(line)) {
    const spec = readsIn(
      tokens.filter((token) => token.kind !== 'quote'),
      'list',
      knownOf(work),
    )[0];
    const several = /\b(tickets|issues|bugs|stories|tasks|p[1-5]s|ones)\b/i.test(
      tokens.map((token) => token.raw).join(' '),
    );
    if (spec?.tool === 'jira.search' && (several || Number(spec.args.limit ?? 1) > 1)) {
      ask(
        work,
        ['ticket'],
        'A plan changes tickets that it names. Which ones are meant? Please give their keys.',
      );
      return [];
    }
    if (spec?.tool === 'jira.search') {
      const step = addRead(work, { ...spec, args: { ...spec.args, limit: 1 } });
      return [{ step, field: 'first' }];
    }
  }
  const made = work.steps.flatMap((step) =>
    /^jira\.(transition|comment)$/.test(step.tool) ? [step.args.key ?? ''] : [],
  );
  const several = [...new Set(made)].filter((key) => typeof key === 'string' && key !== '');
  if (several.length > 1 && /\b(both|them|each|everything-of)\b/.test(line)) return several;
  if (work.given.key !== undefined) return [work.given.key];
  const spoken = [...new Set(ofKind(work.remark, 'key').map((token) => token.word))];
  if (spoken.length > 1 && /\b(both|them|each|everything-of|they)\b/.test(line)) return spoken;
  return work.lastKey !== null && refersBack(line, tokens) ? [work.lastKey] : [];
}

export function incidentTargets(tokens: readonly Token[], work: Work): DraftValue[] {
  const ids = ofKind(tokens, 'id').map((token) => token.word);
  if (ids.length > 0) return ids;
  const numbers = ofKind(tokens, 'number').filter((token) => token.word.length >= 2);
  if (numbers.length > 0) return numbers.map((token) => token.word);
  const line = lineOf(tokens);
  if (
    /\b(oldest|newest|last|current|open|triggered)\b/.test(line) &&
    ofKind(tokens, 'service').length > 0 &&
    !/incidents|alerts/i.test(tokens.map((t) => t.raw).join(' '))
  ) {
    const spec = readsIn(
      tokens.filter((token) => token.kind !== 'quote'),
      'list',
      knownOf(work),
    )[0];
    if (spec?.tool === 'pagerduty.incidents') {
      const order = spec.args.order ?? 'newest';
      const step = addRead(work, { ...spec, args: { ...spec.args, order, limit: 1 } });
      return [{ step, field: 'first' }];
    }
  }
  if (work.given.incident !== undefined) return [work.given.incident];
  return work.lastIncident !== null && refersBack(line, tokens) ? [work.lastIncident] : [];
}

/** Without a target of its own, an order may still name another kind of thing: then it does not point back. */
function refersBack(line: string, tokens: readonly Token[]): boolean {
  return (
    /\b(it|that|this|there|same|ticket|one|incident|comment|note|them)\b/.test(line) ||
    ofKind(tokens, 'project', 'service').length === 0
  );
}

export interface Receivers {
  readonly channels: readonly string[];
  readonly users: readonly string[];
}

/** An answer about the audience belongs to orders that tell somebody. */
function mayFall(tokens: readonly Token[]): boolean {
  const at = verbAt(tokens, 0);
  return at >= 0 && /^(tell|post|notify|let|ask|add)$/.test(tokens[at]?.word ?? '');
}

const receiverNoun = /^channel$/;

/** "the ops channel", "channel ops": one that is named without its sign. */
function addSpoken(tokens: readonly Token[], channels: string[]): void {
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' || !receiverNoun.test(token.word) || channels.length > 0) return;
    for (const near of [tokens[index - 1], tokens[index + 1]]) {
      if (
        near &&
        near.kind !== 'mark' &&
        /^[\p{L}][\p{L}\p{N}_-]+$/u.test(near.raw) &&
        near.kind !== 'key' &&
        near.kind !== 'number' &&
        !functionWords.has(near.word) &&
        !/^(slack|saying|team|public|private|about|usual|same|main|other|this|that|any|every|all|do-not|someone|general-purpose)$/.test(
          near.word,
        )
      ) {
        channels.push(`#${near.raw.toLowerCase()}`);
        return;
      }
    }
  });
}

/** Channels and people a message goes to. "the ops channel" and "channel ops" name one as well. */
export function receiversOf(all: readonly Token[], work: Work): Receivers {
  const tokens = addressed(all, 'channel', 'user');
  const channels = ofKind(tokens, 'channel')
    .filter((token) => !isSpeaker(tokens, token))
    .map((token) => token.word);
  addSpoken(tokens, channels);
  const named = ofKind(tokens, 'user')
    .filter((token) => !isOwner(tokens, token) && !isSpeaker(tokens, token))
    .map((token) => token.word);
  const points = tokens.some((token) => /^(her|him|them)$/.test(token.raw.toLowerCase())) && mayFall(tokens);
  const users =
    named.length === 0 && channels.length === 0 && points && work.user !== undefined ? [work.user] : named;
  const { given } = work;
  if (
    channels.length + users.length === 0 &&
    mayFall(tokens) &&
    tokens.some((token) => /^there$/i.test(token.raw))
  ) {
    const last = work.steps.findLast((step) => step.tool === 'slack.post')?.args;
    if (typeof last?.channel === 'string') return { channels: [last.channel], users: [] };
  }
  if (
    channels.length + users.length === 0 &&
    (given.channel ?? given.user) !== undefined &&
    mayFall(tokens)
  ) {
    return given.channel !== undefined
      ? { channels: [given.channel], users: [] }
      : { channels: [], users: given.user ? [given.user] : [] };
  }
  return {
    channels: [...new Set(channels)],
    users: users.length > 0 ? [...new Set(users)] : namedPerson(tokens, work),
  };
}

/** "tell Nadia …", "DM nadia …": a person named without the at sign. */
function namedPerson(tokens: readonly Token[], work: Work): string[] {
  const verb = tokens.findIndex(
    (token) => token.kind === 'word' && /^(tell|post|notify|let|ask)$/.test(token.word),
  );
  const place = tokens[verb + 1]?.word === 'to' ? verb + 2 : verb + 1;
  const next = tokens[place];
  if (verb < 0 || !next || (next.kind !== 'word' && next.kind !== 'service')) return [];
  const person = work.catalogue.people.find((entry) => entry.handle.toLowerCase() === next.raw.toLowerCase());
  if (person) return [`@${person.handle}`];
  const direct = /^(dm|dming|tell|telling|ask|pm|message|ping|inform|let)$/i.test(
    tokens[verb]?.raw.split(' ')[0] ?? '',
  );
  const isName = /^[A-Z][a-z]{2,}$/.test(next.raw) && next.word === next.raw.toLowerCase();
  return direct && isName ? [next.raw] : [];
}

export function audienceQuestion(work: Work): void {
  const options = [...namesOf(work.catalogue, 'channel').slice(0, 4)];
  ask(work, ['audience'], 'Who should be told? Name a channel such as #ops or a person.', options);
}

/** Marks the results of a step as what "it" stands for. */
export function rememberWrite(work: Work, step: DraftStep): void {
  const { key, incident, project } = step.args;
  if (step.tool === 'jira.create') work.lastKey = { step, field: 'key' };
  else if (key !== undefined) work.lastKey = key;
  if (incident !== undefined) work.lastIncident = incident;
  if (typeof project === 'string') work.project = project;
}
