import { ofKind, type Token } from './token.ts';
import { ask, type Work } from './work.ts';
import { writeTransition } from './writes-jira.ts';
import { writeIncident } from './writes-pagerduty.ts';

export function change(tokens: readonly Token[], verb: string, line: string, work: Work): void {
  const incident =
    /\bincident\b/.test(line) ||
    ofKind(tokens, 'id').length > 0 ||
    (ofKind(tokens, 'number').length > 0 &&
      /resolve|close/.test(verb) &&
      !/\b(ticket|bug|story|task|oldest|newest|top|last)\b/.test(line));
  const keyed = ofKind(tokens, 'key').length > 0;
  const resolves = verb === 'resolve' || verb === 'close' || (verb === 'move' && /\bclosed\b/.test(line));
  const unnamed = !keyed && work.lastKey === null && !/\b(ticket|bug|story|oldest|newest)\b/.test(line);
  if (!keyed && resolves && (incident || (work.lastIncident !== null && work.lastKey === null))) {
    writeIncident('pagerduty.resolve', tokens, work);
  } else if (verb === 'move' && !keyed && incident && /\backnowledged\b/.test(line)) {
    writeIncident('pagerduty.ack', tokens, work);
  } else if (resolves && unnamed) {
    const question = 'Which ticket or incident do you mean? Please give its key or number.';
    ask(work, ['ticket_or_incident'], question);
  } else writeTransition(verb, tokens, work);
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
