import type { Manifest } from '../core/manifest.ts';
import type { Step } from '../core/plan.ts';
import { checkId } from '../core/verify.ts';
import { type RawStep, takeTool } from './clauses.ts';
import { readCondition, takeCondition } from './conditions.ts';
import { type Cursor, skipBlanks, take } from './cursor.ts';
import { inCode } from './problems.ts';
import { takeArgs } from './raw-args.ts';
import { once, readArgs, unknownTool } from './read-step.ts';
import type { ValueContext } from './values.ts';

const form = 'verify: within 10m after.total < before.total: logs.spl service=checkout window=10m';

/** The `verify:` line of a step: time, condition and read. Its `problems` say why it cannot be read. */
export function readVerify(
  raw: RawStep,
  context: ValueContext,
  manifests: ReadonlyMap<string, Manifest>,
): Pick<Step, 'verify'> {
  const { problems } = context;
  const line = once(raw, 'verify', problems);
  if (line === undefined) return {};
  // As long as the text before it, so that positions stay right.
  const cursor: Cursor = { text: ' '.repeat(line.at) + line.text, at: line.at };
  const within = take(cursor, /\s*within\s+(\d{1,4})\s*(?:(s)(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?)(?=\s)/iy);
  const holds = within && takeCondition(cursor);
  if (holds === null) {
    problems.add('syntax', line, `${inCode('verify:')} reads ${inCode(form)}.`);
    return {};
  }
  skipBlanks(cursor);
  const tool = takeTool(cursor, problems);
  if (tool === null) return {};
  const manifest = manifests.get(tool.text);
  if (manifest === undefined) unknownTool(tool, manifests, problems);
  const before = problems.found.length;
  const args = takeArgs(cursor, problems);
  const call = { tool, args, isWhole: problems.found.length === before };
  const scope = new Map([...context.scope, ...(manifest ? [[checkId, manifest] as const] : [])]);
  const mayBe = (id: string) => context.mayBe(id) || (id === checkId && manifest === undefined);
  const condition = readCondition(holds, { ...context, scope, ids: [...context.ids, checkId], mayBe });
  const seconds = Number(within?.[1]) * (within?.[2] === undefined ? 60 : 1);
  const read = { tool: tool.text, args: readArgs(call, manifest, context) };
  return condition === null ? {} : { verify: { within: seconds, ...read, holds: condition } };
}
