import type { DraftStep } from '../draft/draft.ts';
import { refuse, type Work } from '../draft/work.ts';
import { namesRead } from '../reads/reads.ts';
import { ofKind, sliceOf, type Token } from '../words/token.ts';
import { writeComment, writeCreate } from '../writes/jira.ts';
import { literalText } from '../writes/messages.ts';
import { writeNote, writePage } from '../writes/pagerduty.ts';
import { messageText, writePost } from '../writes/slack.ts';
import { audienceQuestion, receiversOf } from '../writes/targets.ts';
import { readOrderOf } from './read.ts';
import { change } from './ticket.ts';

export function noteOrComment(tokens: readonly Token[], line: string, work: Work): void {
  const created =
    work.steps.some((step) => step.tool === 'jira.create') && /\b(link|ticket|it|key)\b/.test(line);
  const pointed =
    /\b(that|this|it|so)\b (?:please )?(?:as|in|into|to|on) (?:a |the |an )?(?:note|comment|incident)|\b(that|this|it)\b (?:on|onto|to|into) (?:incident )?§(?:key|id|num)\d+ as (?:a |the |an )?(?:note|comment)|\b(note|comment) (that|this|it)$/.test(
      line,
    );
  const remark =
    pointed && work.lastReads.length === 0 && !created ? (remarkText(work) ?? lastText(work)) : null;
  const text =
    remark ??
    (created || pointed ? null : literalText(tokens, work.goal)) ??
    (created ||
    work.condition ||
    work.lastReads.length > 0 ||
    namesRead(tokens) ||
    /\b(splunk|kql|sql|summary)\b/.test(line)
      ? messageText(
          tokens.filter(
            (token) =>
              !isAim(tokens, token) &&
              !/^(comment|note|incident)$/.test(token.word) &&
              !(pointed && /^(that|this|it|as|a|an|the|to|on)$/.test(token.word)),
          ),
          work,
        )
      : null);
  const numbered = ofKind(tokens, 'number').some((token) => token.word.length >= 4);
  const incident = /\bincident\b|\bpagerduty\b/.test(line) || ofKind(tokens, 'id').length > 0 || numbered;
  const note = /\bnote\b/.test(line);
  if (
    (ofKind(tokens, 'key').length === 0 ||
      (note && !/\bcomment\b/.test(line) && incident && /\b(?:incident|pagerduty)\b/.test(line))) &&
    (incident ||
      (note &&
        work.lastIncident !== null &&
        (work.lastKey === null || lastDone(work)?.startsWith('pagerduty.'))))
  )
    writeNote(tokens, work, text);
  else writeComment(tokens, work, text);
}

/** The tool of the change that was asked for last: what "it" is. */
function lastDone(work: Work): string | undefined {
  return work.steps.findLast((step) =>
    /^(pagerduty\.(ack|resolve)|jira\.(transition|comment))$/.test(step.tool),
  )?.tool;
}

/** The ticket or incident that is written on; a ticket behind "of" is what the text is about. */
function isAim(tokens: readonly Token[], token: Token): boolean {
  if (token.kind === 'id') return true;
  const incident = /^(incident|pagerduty)$/;
  const before = tokens[tokens.indexOf(token) - 1];
  if (token.kind === 'number') return incident.test(before?.word ?? '') && token.word.length >= 3;
  return (
    token.kind === 'key' &&
    !(
      /^(of|for|from|about)$/.test(before?.raw.toLowerCase() ?? '') &&
      tokens.some((other) => incident.test(other.word))
    )
  );
}

/** "…, and add the same as a comment": the words of the order before. */
function lastText(work: Work): string | null {
  const text = work.steps.at(-1)?.args.text;
  return typeof text === 'string' ? text : null;
}

/** "…: the supplier confirmed a fix, so add that as a note": the words that were said before. */
function remarkText(work: Work): string | null {
  const colon = work.remark.findIndex((token) => token.word === ':');
  return (
    sliceOf(
      work.goal,
      work.remark.slice(colon + 1).filter((token) => token.start !== token.end),
    ).replace(/[,\s]+$/, '') || null
  );
}

export function add(tokens: readonly Token[], line: string, work: Work): void {
  const { channels, users } = receiversOf(tokens, work);
  const thing = ofKind(tokens, 'key', 'id', 'number').length > 0 || /\bincident\b/.test(line);
  if (/\bcomment\b/.test(line) || (/\bnote\b/.test(line) && (thing || channels.length + users.length === 0)))
    noteOrComment(tokens, line, work);
  else if (channels.length + users.length > 0) writePost(tokens, work, false);
  else if (/\blabel\b|\bassignee\b|\bwatcher/.test(line))
    refuse(work, 'no_tool', 'No tool changes fields of a ticket. A comment on the ticket is possible.');
  else if (
    /§key\d+ (?:please |back )*(?:to|in|into|on|as) (?!§)/.test(line) ||
    (work.lastKey !== null &&
      /^(?:please |then |also )*add (?:it|this|that) (?:in progress|blocked|closed)\b/.test(line)) ||
    (work.lastKey !== null &&
      /^(?:please |then |also )*add (?:it|this|that) (?:back )?(?:to|in|into) (?:the )?(?!§)\w/.test(line))
  )
    change(tokens, 'move', line, work);
  else if (ofKind(tokens, 'key').length > 0) noteOrComment(tokens, line, work);
  else if (/\b(ticket|bug|story|task)\b/.test(line)) writeCreate(tokens, work);
  else writePost(tokens, work, false);
}

const saidAgain =
  /^(?:please |and |just |so )*(?:send|pass|hand|forward|give|post|share|put) (?:it|them|that|those)(?: (?:over|along|across|on|there))?$/;

const aTeam =
  /^(?:please |and |then )*(?:tell|inform|notify|message|update) (?:the |our )?[\w-]+(?: [\w-]+)? (?:team|folks|guys|people|department)\b/;

/** Orders that name nobody to tell: said twice, meant as a comment, or to be asked about. True when that settles it. */
function withoutAudience(tokens: readonly Token[], raw: string, verb: string, work: Work): boolean {
  // "@bo needs the list, send it over".
  if (saidAgain.test(raw) && work.steps.at(-1)?.tool === 'slack.post') return true;
  if (/\bwith (?:a|the) comment\b/.test(raw) && work.lastKey !== null) {
    noteOrComment(tokens, 'comment', work);
    return true;
  }
  const absent = /\b(?:him|her)\b/.test(raw) && work.user === undefined && !work.lastReads.some(isOncall);
  if (!aTeam.test(raw) && !(absent && /^(post|tell|let|notify)$/.test(verb))) return false;
  if (work.given.channel === undefined && work.given.user === undefined) {
    audienceQuestion(work);
    return true;
  }
  const team = tokens.findIndex((token) => /^(team|folks|guys|people|department)$/i.test(token.raw));
  const [verbToken] = tokens;
  const told = work.given.channel ?? work.given.user;
  // "Tell the payments team we are down", with the answer in the team's place.
  const said =
    aTeam.test(raw) && verbToken && told
      ? [
          verbToken,
          {
            ...verbToken,
            kind: told.startsWith('#') ? ('channel' as const) : ('user' as const),
            word: told,
            raw: told,
          },
          ...tokens.slice(team + 1),
        ]
      : tokens.filter((token) => !/^(him|her)$/i.test(token.raw));
  writePost(said, work, false);
  return true;
}

/** `page` reaches the on-call itself; a message to the on-call in Slack is a post to that person. */
export function notify(tokens: readonly Token[], verb: string, line: string, work: Work): void {
  const raw = tokens.map((token) => token.raw.toLowerCase()).join(' ');
  const { channels, users } = receiversOf(tokens, work);
  const direct = channels.length + users.length > 0;
  const oncall = /\bon-call\b/.test(line);
  const reports = oncall && !direct && /\b(me|who)\b/.test(line);
  const toMe = /\bme\b/.test(line) && !direct && !/\bon-call\b/.test(line.replace(/\bwho\b.*/, ''));
  const asPage = /^(?:\S+ )*?(?:post|notify) (?:a |the |high |low |urgency |urgent |please )*page\b/.test(
    line,
  );
  const them =
    /\b(them|him|her|they|(?:that|this|the) (?:person|engineer|colleague)|whoever it is|that one)\b/.test(
      raw,
    ) && work.lastReads.some(isOncall);
  const answered = work.given.channel !== undefined || work.given.user !== undefined;
  if ((!direct || answered) && !oncall && withoutAudience(tokens, raw, verb, work)) return;
  const update = /^(?:please |should |i |probably )*update\b/.test(raw) && !direct;
  const silent = /\b(report|write|send|give|tell|say)\b/.test(raw) && namesRead(tokens);
  if (update && /\b(ticket|bug|story|task)\b|§key/.test(line)) noteOrComment(tokens, line, work);
  else if (reports) readOrderOf(tokens, verb, work);
  else if (asPage) writePage(tokens, work);
  else if (toMe)
    readOrderOf(
      tokens.filter((token) => !/^(tell|post|notify|let|me)$/.test(token.word)),
      'show',
      work,
    );
  else if (direct && alsoOncall.test(line)) {
    const reason = work.lastReads;
    writePost(
      tokens.filter((token) => token.kind !== 'service' && token.word !== 'on-call'),
      work,
      false,
    );
    work.lastReads = reason;
    const others = tokens.filter((token) => !/^(channel|user)$/.test(token.kind));
    if (inSlack(raw, verb, work)) writePost(others, work, true);
    else writePage(others, work);
  } else if (direct) writePost(tokens, work, false);
  else if (
    !oncall &&
    /\b(note|comment)\b/.test(line) &&
    (ofKind(tokens, 'key', 'id').length > 0 || work.lastIncident !== null || work.lastKey !== null)
  )
    noteOrComment(tokens, line, work);
  else if (/\beveryone\b/.test(line)) refuse(work, 'dangerous', tooWide);
  else if (them && verb !== 'notify') writePost(tokens, work, true);
  else if (oncall && inSlack(raw, verb, work)) writePost(tokens, work, true);
  else if (oncall || (verb === 'notify' && ofKind(tokens, 'service').length > 0)) writePage(tokens, work);
  else if (silent && !/\bsomeone\b/.test(line)) readOrderOf(tokens, 'show', work);
  else writePost(tokens, work, false);
}

/** "alert #ops and the auth on-call": a channel or person, and who is on call. */
const alsoOncall = /§(?:chan|user)\d+ (?:and|also) (?:the )?(?:§svc\d+ on-call|on-call (?:for|of) §svc\d+)/;

const tooWide = 'A message to everyone is not possible. Name the channel or the person.';

function isOncall(step: DraftStep): boolean {
  return step.tool === 'pagerduty.oncall';
}

/** "alert the on-call" pages; "tell", "DM" and whatever forbids a page go to that person in Slack. */
function inSlack(raw: string, verb: string, work: Work): boolean {
  return (
    /\b(slack|dm|message|msg|chat|direct)\b/.test(raw) ||
    /^(post|tell|let|ask)$/.test(verb) ||
    work.forbidden.has('pagerduty.page')
  );
}
