import { z } from 'zod';
import { visibleText } from '../../core/clean-text.ts';
import { incidentOf, oneIncidentSchema } from './incident-answers.ts';
import type { PagerDutyWriter } from './port.ts';
import { type RestWriteAccess, restWrite } from './rest.ts';
import type { PagerDutyService } from './services.ts';

/** A note with the mark for finding it again. People see it: PagerDuty stores nothing else with a note. */
function markedNote(text: string, mark: string): string {
  return `${text}\n[${mark}]`;
}

export function endsWithMark(content: string, mark: string): boolean {
  return content.trimEnd().endsWith(`[${mark}]`);
}

export interface IncidentWriterOptions extends RestWriteAccess {
  /** By catalogue name. */
  readonly services: ReadonlyMap<string, PagerDutyService>;
}

const noteSchema = z.object({ note: z.object({ id: z.string() }) });

/** Changes incidents as the configured user. Each call is exactly one request. */
export function createIncidentWriter(
  options: IncidentWriterOptions,
): Pick<PagerDutyWriter, 'note' | 'setState'> {
  return {
    async note({ incidentId, text, mark }, signal) {
      const { note } = await restWrite(options, noteSchema, {
        method: 'POST',
        path: `incidents/${encodeURIComponent(incidentId)}/notes`,
        body: { note: { content: markedNote(visibleText(text), mark) } },
        signal,
      });
      return { id: note.id };
    },
    async setState(incidentId, status, signal) {
      const { incident } = await restWrite(options, oneIncidentSchema, {
        method: 'PUT',
        path: `incidents/${encodeURIComponent(incidentId)}`,
        body: { incident: { type: 'incident_reference', status } },
        signal,
      });
      return incidentOf(incident, options.services);
    },
  };
}
