import { cut, oneLine } from '../../core/clean-text.ts';
import type { FactsView } from './read-results.ts';
import type { StepView } from './step-view.ts';
import { type WriteWords, writesOf } from './writes.ts';

/** Maximum characters in Slack's dialog. */
const most = 300;
const maxText = 120;

/** Names every write with its condition and text, and what cannot be undone. */
export function confirmText(steps: readonly StepView[], facts: FactsView | null): string {
  const writes = writesOf(steps);
  if (writes.length === 0) return 'It only reads. Nothing is changed and nobody is told outside this thread.';
  const undo = [...new Set(writes.map((write) => write.undo?.split('. ')[0]).filter(Boolean))];
  const tail = undo.map((text) => `${text?.replace(/\.$/, '')}.`).join(' ');
  const told = writes
    .map((write) => `${write.what}${becauseOf(write, facts)}${textOf(write, facts)}.`)
    .join(' ');
  const bare = writes.map((write) => `${write.what}${becauseOf(write, facts)}.`).join(' ');
  const fitting = [`${told} ${tail}`, told, `${bare} ${tail}`, bare].find((text) => text.length <= most);
  if (fitting !== undefined) return fitting;
  const each = Math.max(20, Math.floor(250 / Math.min(writes.length, 5)) - 2);
  const first = writes.slice(0, 5).map((write) => `${cut(write.what, each)}.`);
  return cut(`${writes.length} writes: ${first.join(' ')}${writes.length > 5 ? ' And more.' : ''}`, most);
}

function becauseOf({ step }: WriteWords, facts: FactsView | null): string {
  if (step.condition === null) return '';
  const verdict = step.step.when === undefined ? null : (facts?.verdictOf(step.step.when) ?? null);
  const now = verdict === null ? '' : ` (now ${verdict.values})`;
  return `, only if ${step.condition}${now}`;
}

function textOf({ step }: WriteWords, facts: FactsView | null): string {
  const [first] = step.texts;
  if (first === undefined) return '';
  const filled = facts?.textOf(step.step.id, first.arg) ?? first.text;
  return `: “${cut(oneLine(filled).replace(/\.$/, ''), maxText)}”`;
}
