import { causeIdPattern, type PlannedCause } from '../core/plan.ts';
import { readCondition, takeCondition } from './conditions.ts';
import { type Cursor, type Line, take, takeLine } from './cursor.ts';
import { inCode } from './problems.ts';
import { noInputs, type ValueContext } from './values.ts';

/** The rest of a line `cause: pool-too-small when deploys.total > 0: "…"`; null when it cannot be read. */
export function readCause({ text, at }: Line, context: ValueContext): PlannedCause | null {
  const cursor: Cursor = { text, at: 0 };
  const id = take(cursor, /(\S+)\s+when\b/iy)?.[1] ?? '';
  const condition = causeIdPattern.test(id) ? takeCondition(cursor) : null;
  const sentence = condition === null ? '' : takeLine(cursor).text;
  if (condition === null || sentence === '') {
    const message = `${inCode('cause:')} reads pool-too-small when deploys.total > 0: and a sentence.`;
    context.problems.add('syntax', { text, at }, message);
    return null;
  }
  const when = readCondition({ ...condition, at: at + condition.at }, { ...context, inputs: noInputs });
  return when === null ? null : { id, sentence, when };
}
