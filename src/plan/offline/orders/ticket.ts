import { ask, type Work } from '../draft/work.ts';
import { ofKind, type Token } from '../words/token.ts';
import { writeComment, writeTransition } from '../writes/jira.ts';
import { literalText } from '../writes/messages.ts';
import { writeIncident, writeNote } from '../writes/pagerduty.ts';

export function change(tokens: readonly Token[], verb: string, line: string, work: Work): void {
  const incident =
    /\bincident\b/.test(line) ||
    ofKind(tokens, 'id').length > 0 ||
    (ofKind(tokens, 'number').length > 0 &&
      /resolve|close/.test(verb) &&
      !/\b(ticket|bug|story|task|oldest|newest|top|last)\b/.test(line));
  // Nothing else in the whole request tells an incident from a ticket.
  const alone = work.goal.trim().split(/\s+/).length <= 3 && !/\b(incident|pagerduty)\b/.test(line);
  const { key: givenKey, incident: givenIncident } = work.given;
  const bare = alone && ofKind(tokens, 'number').length === 1 && /^(resolve|close)$/.test(verb);
  if (bare && givenKey !== undefined) {
    writeTransition(
      verb,
      tokens.filter((token) => token.kind !== 'number'),
      work,
    );
    return;
  }
  if (bare && givenIncident === undefined) {
    const number = ofKind(tokens, 'number')[0]?.word ?? '';
    ask(work, ['ticket_or_incident'], `Is ${number} a PagerDuty incident, or which ticket do you mean?`, [
      `Incident ${number}`,
    ]);
    return;
  }
  const keyed = ofKind(tokens, 'key').length > 0;
  const resolves = verb === 'resolve' || verb === 'close' || (verb === 'move' && /\bclosed\b/.test(line));
  const unnamed = !keyed && work.lastKey === null && !/\b(ticket|bug|story|oldest|newest)\b/.test(line);
  if (!keyed && resolves && (incident || (work.lastIncident !== null && work.lastKey === null))) {
    const done = writeIncident('pagerduty.resolve', tokens, work);
    const said = /\b(saying|note)\b/.test(line) && ofKind(tokens, 'quote').length > 0;
    if (done.length > 0 && said) writeNote(tokens, work, literalText(tokens, work.goal));
  } else if (
    verb === 'move' &&
    !keyed &&
    (incident || work.lastIncident !== null) &&
    /\backnowledged\b/.test(line)
  ) {
    writeIncident('pagerduty.ack', tokens, work);
  } else if (resolves && unnamed) {
    const question = 'Which ticket or incident do you mean? Please give its key or number.';
    ask(work, ['ticket_or_incident'], question);
  } else {
    const moved = writeTransition(verb, tokens, work);
    const said = /\b(saying|comment)\b/.test(line) && ofKind(tokens, 'quote').length > 0;
    if (moved.length > 0 && said)
      writeComment(
        tokens.filter((token) => token.word !== 'that'),
        work,
        literalText(tokens, work.goal),
      );
  }
}

/** "create … and assign it to @bo": a slot of the ticket that has just been asked for. */
export function assigns(tokens: readonly Token[], work: Work): boolean {
  const created = work.steps.at(-1);
  const user = ofKind(tokens, 'user')[0]?.word;
  if (created?.tool !== 'jira.create' || user === undefined || !/^assign/i.test(tokens[0]?.raw ?? ''))
    return false;
  created.args = { ...created.args, assignee: user };
  return true;
}
