import { pagerdutyNote as manifest } from '../../manifests/pagerduty.note.ts';
import { defineWrite } from '../../src/core/tool.ts';
import { type Incident, incidentMeant, incidentTarget } from '../incident.ts';
import { withOrigin } from '../origin-words.ts';

export const pagerdutyNote = defineWrite(manifest, {
  async run({ incident: id, text }, { readers, writers, key: mark, origin, signal }) {
    const found = await incidentMeant(readers, id, signal);
    const note = { incidentId: found.id, text: withOrigin(text, origin), mark };
    return noted(found, (await writers.pagerduty.note(note, signal)).id);
  },
  async find({ incident: id }, { readers, key: mark, signal }) {
    const found = await incidentMeant(readers, id, signal);
    const note = await readers.pagerduty.noteByMark(found.id, mark, signal);
    return note === null ? null : noted(found, note);
  },
  resolve: (args, context) => incidentTarget(args, 'adds a note to', context),
  preview: ({ incident, text }) => `would add a note to incident ${incident}: “${text}”`,
});

function noted({ id: incident, number, state, url: link }: Incident, id: string) {
  return { id, incident, name: `#${number}`, state, link };
}
