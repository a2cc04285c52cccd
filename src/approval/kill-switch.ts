import { fallbackText } from '../blocks/escape.ts';
import type { Message, Say } from '../blocks/message.ts';
import { note, titled } from '../blocks/note.ts';
import { bold, code, line, person, quote, rich } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Who } from '../core/person.ts';
import type { Approver } from '../core/policy.ts';
import { killSwitchName } from '../core/run.ts';
import { isOneOf } from './may-approve.ts';
import { type GatePort, memberAnd, passes } from './require-member.ts';

export interface KillSwitchPort extends GatePort {
  /** People who may stop and allow all writes from Slack. */
  readonly operators: readonly Approver[];
  /** Sets the switch, with its audit line. */
  set(change: { isOn: boolean; by: string; reason: string }): Promise<void>;
  /** Announces it in the default channel. `key` is the same for every delivery of the same order. */
  announce(message: Message, key: string): Promise<void>;
}

/** An order to stop all writes, or to allow them again. */
export interface SwitchOrder extends Who {
  readonly teamId: string;
  readonly key: string;
  readonly isOn: boolean;
  readonly reason: string;
}

const maxReason = 300;

/** Stops every write of the workspace before it is made, including those of active runs, or allows them again. */
export async function turnSwitch(order: SwitchOrder, port: KillSwitchPort, say: Say): Promise<void> {
  const { operators, people } = port;
  const { userId, isOn, key } = order;
  const verdict = await memberAnd(order, people, async () => {
    const isNamed = await isOneOf(userId, operators, people);
    return isNamed ? { allowed: true } : { allowed: false, why: 'not_an_operator', operators };
  });
  const click = { ...order, value: '', about: `switch:${killSwitchName}` };
  if (!(await passes(isOn ? 'stop_all' : 'resume', click, verdict, port, say))) return;
  const reason = cut(oneLine(order.reason), maxReason);
  await port.set({ isOn, by: userId, reason });
  await port.announce(switched({ isOn, by: userId, reason }), key);
  await say(isOn ? writesStopped() : writesAllowed());
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
