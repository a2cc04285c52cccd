import { type DraftStep, type DraftValue, isFromStep } from '../draft/draft.ts';
import { addRead, addStep, ask, knownOf, type Work } from '../draft/work.ts';
import { namesRead, readsIn } from '../reads/reads.ts';
import { lineOf, ofKind, sliceOf, type Token } from '../words/token.ts';
import {
  contentOf,
  isRelative,
  literalText,
  pointsAtAll,
  pointsBack,
  reasonText,
  textFrom,
  toldStatement,
} from './messages.ts';
import { foundAgain, isPronoun, outcomeOf, sameText, talkedOf } from './said-before.ts';
import { audienceQuestion, receiversOf } from './targets.ts';

/** Results that earlier clauses brought and that nothing has taken up yet. */
function results(work: Work): DraftStep[] {
  const used = new Set(
    work.steps.flatMap((step) => Object.values(step.args).flatMap((value) => sources(value))),
  );
  return work.steps.filter(
    (step) =>
      !used.has(step) &&
      !/^(slack|pagerduty\.(page|note|ack|resolve)|jira\.(comment|transition))/.test(step.tool),
  );
}

function sources(value: DraftValue): DraftStep[] {
  if (Array.isArray(value)) return value.flatMap((part) => (isFromStep(part) ? [part.step] : []));
  return isFromStep(value) ? [value.step] : [];
}

/** Earlier results that a pointing word means: the ticket just made, the summary, all reads, or the last one. */
function meant(tokens: readonly Token[], work: Work): DraftStep[] {
  const line = lineOf(tokens);
  const created = work.steps.filter((step) => step.tool === 'jira.create').at(-1);
  if (created && /\b(link|ticket|key|it|bug|story|task)\b/.test(line)) return [created];
  const log = work.lastReads.find((step) => /^logs\./.test(step.tool));
  if (log && /\b(explain|mean)\b/.test(line))
    return [addRead(work, { tool: 'errors.lookup', args: { code: { step: log, field: 'top_code' } } })];
  if (/\bsummary\b/.test(line)) {
    const summary = work.steps.filter((step) => step.tool === 'llm.summarize').at(-1);
    if (summary) return [summary];
  }
  if (pointsAtAll(tokens) && work.steps.length > 1) {
    const open = results(work).filter((step) => step.tool !== 'jira.create');
    if (open.length > 0) return open;
  }
  if (work.lastReads.length > 0) return work.lastReads;
  return created ? [created] : [];
}

/** The text of a message: given words, a read named in the order, or what a pointing word means. */
export function messageText(tokens: readonly Token[], work: Work): DraftValue | null {
  const body = tokens.filter((token) => !/^(channel|user)$/.test(token.kind));
  const again = sameText(tokens, work);
  if (again !== null) return again;
  const quoted = ofKind(tokens, 'quote').length > 0;
  const numbers =
    /^(?:(?:to|the|please|in|only|just) )*(?:count|how many|together)(?: (?:to|in|please))*$/.test(
      lineOf(body),
    ) || body.some((token) => /^(?:the )?(?:number|figure|total)$/i.test(token.raw) && body.length <= 4);
  if (
    !quoted &&
    (numbers ||
      /\bhow many(?: there (?:are|is)| there are| of them| it is| they are| are there)?$/.test(lineOf(body)))
  ) {
    const lists = work.lastReads.filter((step) => /^(jira|pagerduty)\./.test(step.tool));
    for (const step of lists)
      if (step.tool === 'jira.search' && step.args.limit === undefined) step.tool = 'jira.count';
    if (lists.length > 0) return textFrom(lists);
  }
  const hasSummary = work.steps.some((step) => step.tool === 'llm.summarize');
  if (
    /\bsummary\b/.test(lineOf(body)) &&
    !quoted &&
    !hasSummary &&
    !namesRead(body) &&
    work.lastReads.length > 0
  ) {
    const reads = results(work).filter((step) => step.tool !== 'jira.create');
    work.lastReads = [
      addStep(work, 'llm.summarize', { input: textFrom(reads.length > 0 ? reads : work.lastReads) }),
    ];
    return textFrom(work.lastReads);
  }
  const stated = quoted ? null : toldStatement(tokens);
  const wantsRead = stated ? null : readsOf(body, work, quoted);
  if (wantsRead) return wantsRead;
  const literal = literalText(tokens, work.goal);
  if (literal !== null && !isPronoun(literal)) return literal;
  if (talkedOf.test(tokens.map((token) => token.raw).join(' '))) return null;
  const content = contentOf(tokens);
  const found = foundAgain.test(sliceOf(work.goal, content));
  if (content.length > 0 && !pointsBack(tokens) && !(found && work.lastReads.length > 0))
    return sliceOf(work.goal, content) || null;
  const steps = meant(tokens, work);
  if (steps.length > 0 && (content.length > 0 || !work.condition)) return textFrom(steps);
  return (
    (work.condition ? reasonText(work.condition) : null) ??
    (steps.length > 0 ? textFrom(steps) : outcomeOf(work))
  );
}

function readsOf(tokens: readonly Token[], work: Work, quoted: boolean): DraftValue | null {
  const line = lineOf(tokens);
  const opening = tokens.findIndex(
    (token, index) =>
      (token.kind === 'word' && /^(saying|that|about)$/.test(token.word) && !isRelative(tokens, index)) ||
      token.word === ':',
  );
  const behind = tokens.slice(opening + 1);
  const states = /\b(?:is|are|was|were|has|have|will|can)\b/.test(
    lineOf(behind).replace(/\b(?:who|which|how many|that) (?:is|are)\b/g, ''),
  );
  const speaks = /^(?:i|i'm|im|we|we're|he|she|they|you|it's|its)$/i.test(behind[0]?.raw ?? '');
  const lists = tokens[opening]?.word === ':' && namesRead(behind) && !states && !speaks;
  const head = opening > 0 && !lists ? tokens.slice(0, opening) : tokens;
  const about = tokens[opening]?.word === 'about' && namesRead(head);
  if (quoted && !about) return null;
  const named = about ? tokens : head;
  const wanted = /\b(count|how many|together)\b/.test(line)
    ? 'count'
    : /\b(list|which|find|show)\b/.test(line)
      ? 'list'
      : null;
  const strong =
    wanted !== null ||
    namesRead(named) ||
    ofKind(named, 'key', 'code', 'query').length > 0 ||
    /\b(splunk|kql|sql|threshold|explain|mean|sla|breached|at-risk)\b/.test(lineOf(named));
  if (!strong || (/\bsummary\b/.test(line) && work.steps.some((step) => step.tool === 'llm.summarize')))
    return null;
  const specs = partsOf(named).flatMap((part) => readsIn(part, wanted, knownOf(work)));
  const empty = specs.every((spec) => Object.keys(spec.args).length === 0);
  const family = specs.every((spec) =>
    work.steps.some((step) => step.tool.split('.')[0] === spec.tool.split('.')[0]),
  );
  if (specs.length === 0 || (empty && work.lastReads.length > 0 && family)) return null;
  if (
    specs.every((spec) => spec.tool === 'jira.get') &&
    work.steps.some((step) => step.tool === 'jira.transition')
  )
    return null;
  const steps = specs.map((spec) => addRead(work, spec));
  if (/\bsummar/.test(line)) {
    const summary = addStep(work, 'llm.summarize', { input: textFrom(steps) });
    work.lastReads = [summary];
    return textFrom([summary]);
  }
  work.lastReads = steps;
  return textFrom(steps);
}

/** "the details of PAY-12 and who is on call": two contents where each names a read of its own. */
function partsOf(tokens: readonly Token[]): (readonly Token[])[] {
  const at = tokens.findIndex(
    (token, index) =>
      token.word === 'and' &&
      token.kind === 'word' &&
      stands(tokens.slice(0, index)) &&
      stands(tokens.slice(index + 1)),
  );
  return at < 0 ? [tokens] : [tokens.slice(0, at), ...partsOf(tokens.slice(at + 1))];
}

function stands(tokens: readonly Token[]): boolean {
  return namesRead(tokens) || ofKind(tokens, 'key', 'code').length > 0;
}

/** "tell bob …", "share it with sales": somebody is named, so the usual channel would be somebody else. */
function namesAudience(tokens: readonly Token[]): boolean {
  const verb = tokens.findIndex(
    (token) => token.kind === 'word' && /^(tell|let|notify|ask|post|add)$/.test(token.word),
  );
  if (/^(tell|let|notify|ask)$/.test(tokens[verb]?.word ?? '')) return true;
  const said = tokens.findIndex(
    (token) => /^(that|saying|about|:)$/.test(token.word) || token.kind === 'quote',
  );
  const head = said < 0 ? tokens : tokens.slice(0, said);
  const at = head.findIndex((token, index) => index > verb && /^(to|with|in|into)$/.test(token.word));
  const aimed = head[at + 1]?.word === 'the' ? head[at + 2] : head[at + 1];
  const dm = /^(dm|dming|message|msg|ping|pm|cc|send|escalate|escalating)\b/i.test(tokens[verb]?.raw ?? '');
  const first = tokens[verb + 1];
  const person =
    dm &&
    first !== undefined &&
    /^(word|service|project)$/.test(first.kind) &&
    (first.kind !== 'word' || first.word === first.raw.toLowerCase()) &&
    !/^(it|that|this|the|a|an|them|me|us|list|result|everything)$/.test(first.word);
  return (
    (at > 0 &&
      aimed?.kind === 'word' &&
      aimed.word === aimed.raw.toLowerCase() &&
      /^(to|with)$/.test(head[at]?.word ?? '')) ||
    person
  );
}

/** Posts to every channel and person named; to the on-call person when `toOncall`. */
export function writePost(tokens: readonly Token[], work: Work, toOncall: boolean): DraftStep[] {
  const { channels, users } = receiversOf(tokens, work);
  const targets: Record<string, DraftValue>[] = [
    ...channels.map((channel) => ({ channel })),
    ...users.map((user) => ({ user })),
  ];
  if (toOncall && targets.length === 0) {
    const oncall = readsIn(tokens, null, knownOf(work)).find((spec) => spec.tool === 'pagerduty.oncall');
    const before = work.lastReads;
    const step = addRead(
      work,
      oncall ?? { tool: 'pagerduty.oncall', args: work.service ? { service: work.service } : {} },
    );
    work.lastReads = before;
    targets.push({ user: { step, field: 'user' } });
  }
  const { channel: answered, user: person } = work.given;
  if (targets.length === 0 && answered !== undefined) targets.push({ channel: answered });
  else if (targets.length === 0 && person !== undefined) targets.push({ user: person });
  if (targets.length === 0) {
    const fallback = work.catalogue.open ? undefined : work.catalogue.defaults.channel;
    const vague = /\bsomeone\b/.test(lineOf(tokens)) || messageText(tokens, work) === null;
    if (fallback === undefined || vague || namesAudience(tokens)) {
      audienceQuestion(work);
      return [];
    }
    targets.push({ channel: fallback.startsWith('#') ? fallback : `#${fallback}` });
  }
  const told = tokens.findIndex((token) => /^(that|saying|about|:)$/.test(token.word));
  const words = toOncall
    ? tokens.filter(
        (token, index) =>
          (told >= 0 && index > told) || (token.kind !== 'service' && token.word !== 'on-call'),
      )
    : tokens;
  const text = messageText(words, work) ?? work.given.text ?? null;
  if (text === null) {
    ask(work, ['what'], 'What should the message say?');
    return [];
  }
  return targets.map((target) => addStep(work, 'slack.post', { ...target, text }));
}
