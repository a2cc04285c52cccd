import { namesOf } from '../../../core/catalogue.ts';
import { cut } from '../../../core/inert.ts';
import type { DraftStep, DraftValue } from '../draft/draft.ts';
import { isFromStep, readsOf } from '../draft/draft.ts';
import { addStep, ask, refuse, type Work } from '../draft/work.ts';
import { lineOf, ofKind, sliceOf, type Token } from '../words/token.ts';
import { contentOf, literalText, reasonText, textFrom } from './messages.ts';
import { incidentTargets, rememberWrite } from './targets.ts';

export function writeIncident(
  tool: 'pagerduty.ack' | 'pagerduty.resolve',
  tokens: readonly Token[],
  work: Work,
): DraftStep[] {
  const targets = incidentTargets(tokens, work);
  if (targets.length === 0)
    ask(work, ['incident'], 'Which incident do you mean? Please give its id or number.');
  return targets.map((incident) => done(work, tool, { incident }));
}

export function writeNote(tokens: readonly Token[], work: Work, text: DraftValue | null): DraftStep[] {
  const targets = incidentTargets(tokens, work);
  if (targets.length === 0)
    ask(work, ['incident'], 'On which incident should the note be? Please give its id or number.');
  else if (text === null && work.given.text === undefined) ask(work, ['text'], 'What should the note say?');
  else
    return targets.map((incident) =>
      done(work, 'pagerduty.note', { incident, text: text ?? work.given.text ?? '' }),
    );
  return [];
}

function done(work: Work, tool: string, args: Record<string, DraftValue>): DraftStep {
  const step = addStep(work, tool, args);
  rememberWrite(work, step);
  return step;
}

/** What the paged person reads: the words given, and the numbers behind the condition. */
function pageText(tokens: readonly Token[], work: Work): DraftValue {
  const literal = literalText(tokens, work.goal);
  const given =
    literal !== null &&
    /^(it|this|that|them|these)(?:\s*[,;-]?\s*(?:at |with )?(?:high|low) urgency)?$/i.test(literal)
      ? null
      : literal;
  const reason = work.condition ? reasonText(work.condition) : null;
  const made = work.steps.findLast((step) => step.tool === 'jira.create');
  if (made && /\bwith (?:the |its |a )?(?:new )?(?:ticket|link|key)\b/.test(lineOf(tokens)))
    return textFrom([made]);
  if (given !== null) {
    const numbers = Array.isArray(reason) && !ofKind(tokens, 'quote').length ? reason : null;
    return numbers ? [`${given} (`, ...numbers, ')'] : given;
  }
  if (reason !== null) return reason;
  const known = work.lastReads.filter(
    (step) => step.tool !== 'sql.query' && step.tool !== 'pagerduty.oncall',
  );
  if (known.length > 0) return textFrom(known);
  const created = work.steps.find((step) => step.tool === 'jira.create');
  if (created && !isFromStep(created.args.summary) && created.args.summary !== undefined)
    return created.args.summary;
  const stated = tokens.slice(listedFirst(tokens).length + 1);
  if (stated.length > 1) return sliceOf(work.goal, stated);
  const rest = contentOf(tokens).filter(
    (token) =>
      token.kind !== 'service' &&
      !/^(page|on-call|notify|team|if|create|low|high|urgency|low urgency|high urgency|please|,)$/.test(
        token.word,
      ),
  );
  const about = sliceOf(work.goal, rest);
  return rest.length > 1 && about !== '' ? about : cut(work.goal, 500);
}

/** "page auth, the disks in az-b are filling up": what stands behind the comma is a reason. */
function listedFirst(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex((token, index) => {
    const before = tokens.slice(0, index);
    const next = tokens[index + 1];
    const speaksOf =
      /^(service|project)$/.test(next?.kind ?? '') &&
      /^(?!and$|or$|on-call$|oncall$|too$|also$|as$|please$|with$|about$|saying$|if$|unless$|then$)[a-z0-9']+$/.test(
        tokens[index + 2]?.raw.toLowerCase() ?? '',
      );
    if (token.word === ',' && ofKind(before, 'service').length > 0 && speaksOf) return true;
    return (
      token.word === ',' &&
      ofKind(before, 'service').length > 0 &&
      next?.kind === 'word' &&
      /^(the|our|its|their|some|all|we|it|there|no|because|since|as)$/.test(next.raw.toLowerCase()) &&
      tokens[index + 2]?.kind !== 'service'
    );
  });
  return at > 0 ? tokens.slice(0, at) : tokens;
}

const small =
  /^(?:the|a|an|on-?call|someone|somebody|anyone|everyone|it|its|them|their|that|this|whoever|who|whom|if|unless|when|about|me|us|him|her|and|for|with|at|on|in|high|low|urgent|urgency|prio|priority|please|now|once|saying|team|person|people|engineer|only|right|again|too|also|to|as|so|because|since|immediately|asap|quietly|loudly|then|or|but|not|of|once)\b/i;

/** "page dev", "page prod": a word where the service stands, that is no service here. */
function namesUnknown(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(
    (token) => token.kind === 'word' && token.word === 'page' && token.start < token.end,
  );
  const next = tokens[at + 1]?.word === 'the' ? tokens[at + 2] : tokens[at + 1];
  return at >= 0 && next?.kind === 'word' && !small.test(next.raw) && !/\s/.test(tokens[at]?.raw ?? '');
}

function pagedServices(tokens: readonly Token[], work: Work): (string | undefined)[] {
  const end = tokens.findIndex(
    (token, index) =>
      index > 1 &&
      token.kind === 'word' &&
      (/^(about|saying|because)$/.test(token.word) ||
        /^(?:because|since|as|cuz|cos|coz|bc|due|caused|cause|given)\b/i.test(token.raw)),
  );
  const head = listedFirst(end > 0 ? tokens.slice(0, end) : tokens);
  const named = [...new Set(ofKind(head, 'service').map((token) => token.word))];
  if (named.length > 0) return named;
  const unknown = namesUnknown(head);
  if (unknown) return [work.given.service];
  const project = ofKind(head, 'project')[0]?.word ?? undefined;
  const home = project ?? work.project ?? work.catalogue.defaults.project;
  const several =
    new Set((work.condition ? readsOf(work.condition) : []).map((step) => step.args.project)).size > 1;
  const linked = several ? undefined : work.catalogue.projects.find((entry) => entry.key === home)?.service;
  if (project !== undefined) return [linked ?? (work.catalogue.open ? project : undefined)];
  const back = /\b(it|its|same|that|their|them|that service)\b/.test(lineOf(head));
  if (work.service !== undefined && (back || /\b(?:on-call|someone)\b/.test(lineOf(head))))
    return [work.service];
  return [work.given.service ?? linked ?? work.catalogue.defaults.service];
}

export function writePage(tokens: readonly Token[], work: Work): DraftStep[] {
  const line = lineOf(tokens);
  const wide = /\beveryone\b/.test(line) || /\bpage (?:the )?everything-of\b/.test(line);
  if (wide) {
    refuse(
      work,
      'dangerous',
      'Paging everyone is not possible. Name the service whose on-call should be paged.',
    );
    return [];
  }
  const services = pagedServices(tokens, work);
  const lacks = services.some((service) => service === undefined);
  const contextual = work.catalogue.open && /\bon-call\b/.test(line) && work.steps.length > 0;
  if (lacks && !contextual) {
    ask(work, ['service'], 'Which service should be paged?', namesOf(work.catalogue, 'service').slice(0, 5));
    return [];
  }
  const last = tokens.at(-1)?.raw.toLowerCase() ?? '';
  const bare = ofKind(tokens, 'quote').length > 0 && /^(high|low)$/.test(last) ? last : undefined;
  const urgency = line.match(
    /\b(low|high)[- ](?:urgency|priority|prio)\b|\burgency (?:is |: |= )?(low|high)\b/,
  );
  return services.map((service) => {
    const args: Record<string, DraftValue> = {};
    if (service !== undefined) args.service = service;
    args.text = pageText(tokens, work);
    const word = urgency?.[1] ?? urgency?.[2] ?? (/non-urgent/i.test(line) ? 'low' : bare);
    if (word !== undefined) args.urgency = word;
    const severity = ofKind(tokens, 'priority')[0]?.word;
    if (severity !== undefined && !/\bticket\b/.test(line)) args.severity = severity;
    const step = addStep(work, 'pagerduty.page', args);
    if (service !== undefined) work.service = service;
    return step;
  });
}
