import { z } from 'zod';
import { target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const pagerdutyNote = defineManifest({
  name: 'pagerduty.note',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Add a note to one PagerDuty incident.',
  keywords: ['note', 'add a note', 'annotate', 'incident note', 'timeline'],
  args: z.object({
    incident: target('incident', 'PagerDuty incident id or number'),
    text: text(3_000, 'the note'),
  }),
  result: z.object({ id: text(40, 'id of the note') }),
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Add a note to incident ${args.incident}: “${args.text}”`,
  undo: 'A note cannot be removed. Add another one that corrects it.',
});
