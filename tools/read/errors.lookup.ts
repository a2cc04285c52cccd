import { errorsLookup as manifest } from '../../manifests/errors.lookup.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineRead } from '../../src/core/tool.ts';

type KnownError = Awaited<ReturnType<Readers['errors']['lookUp']>>['found'][number];

const maxLines = 4_000;
const maxMeaning = 2_000;
/** Maximum errors shown in full; a signature may match many. */
const maxTold = 5;

export const errorsLookup = defineRead(manifest, async ({ code }, { readers, signal }) => {
  const { found, near } = await readers.errors.lookUp(code, signal);
  const told = found.slice(0, maxTold).map(errorLines);
  if (found.length > maxTold) told.push(`${maxTold} of ${found.length} shown`);
  const like = near.length === 0 ? '' : ` Known codes like it: ${near.join(', ')}.`;
  return {
    total: found.length,
    meaning: cut(oneLine(found[0]?.meaning ?? ''), maxMeaning),
    lines: cut(found.length === 0 ? `I know nothing about ${code}.${like}` : told.join('\n\n'), maxLines),
  };
});

function errorLines({ code, meaning, cause, advice, runbook }: KnownError): string {
  const rows = [
    `${code}: ${oneLine(meaning)}`,
    ...(cause === '' ? [] : [`Cause: ${oneLine(cause)}`]),
    ...(advice === '' ? [] : [`What to do: ${oneLine(advice)}`]),
    ...(runbook === '' ? [] : [`Runbook: ${oneLine(runbook)}`]),
  ];
  return rows.join('\n');
}
