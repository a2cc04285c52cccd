import { fallbackText } from '../blocks/escape.ts';
import type { Message, Say } from '../blocks/message.ts';
import { note, titled } from '../blocks/note.ts';
import { bold, code, line, person, quote, rich } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Who } from '../core/person.ts';
import { killSwitchName } from '../core/run.ts';
import * as outbox from '../store/outbox.ts';
import * as switches from '../store/switches.ts';
import type { ApprovalContext } from './context.ts';
import { isOneOf } from './may-approve.ts';
import { enforce, memberAnd } from './require-member.ts';

/** An order to stop all writes, or to allow them again. */
export interface SwitchOrder extends Who {
  readonly teamId: string;
  readonly key: string;
  readonly isOn: boolean;
  readonly reason: string;
}

const maxReason = 300;

/** Stops every write of the workspace before it is made, including those of active runs, or allows them again. */
export async function turnSwitch(order: SwitchOrder, context: ApprovalContext, say: Say): Promise<void> {
  const { db, teamId, operators, people, now } = context;
  const { userId, isOn, key } = order;
  const verdict = await memberAnd(order, people, async () => {
    const isNamed = await isOneOf(userId, operators, people);
    return isNamed ? { allowed: true } : { allowed: false, why: 'not_an_operator', operators };
  });
  const click = { ...order, value: '', about: `switch:${killSwitchName}` };
  if (!(await enforce(isOn ? 'stop_all' : 'resume', click, verdict, context, say))) return;
  const reason = cut(oneLine(order.reason), maxReason);
  await switches.set(db, { teamId, name: killSwitchName, isOn, actor: userId, reason, at: now() });
  await announce(switched({ isOn, by: userId, reason }), `switch:${key}`, context);
  await say(isOn ? writesStopped() : writesAllowed());
}

async function announce(
  message: Message,
  key: string,
  { db, teamId, announceIn, reporting }: ApprovalContext,
): Promise<void> {
  if (announceIn === null) return;
  await outbox.enqueue(db, reporting.toChannel(teamId, announceIn, key, message));
  reporting.kick();
}

function switched({ isOn, by, reason }: { isOn: boolean; by: string; reason: string }): Message {
  const title = isOn ? 'All writes are stopped' : 'Writes are allowed again';
  const then = isOn
    ? 'Runs under way stop before their next write; cards can still be read.'
    : 'Newly approved plans run again.';
  return {
    text: fallbackText(`${title}. ${reason}`),
    blocks: [
      rich([line(bold(title), ', by ', person(by), '. ', then), ...(reason === '' ? [] : [quote(reason)])]),
    ],
  };
}

function writesStopped(): Message {
  return note([bold('All writes are stopped.'), ' Allow them again with ', code('/plan resume'), '.']);
}

function writesAllowed(): Message {
  return titled('Writes are allowed again.');
}
