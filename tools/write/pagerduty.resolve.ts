import { pagerdutyResolve as manifest } from '../../manifests/pagerduty.resolve.ts';
import { defineWrite } from '../../src/core/tool.ts';
import { incidentTarget } from '../incident.ts';
import { type Changed, changeState, findState, told } from './incident-state.ts';

export const pagerdutyResolve = defineWrite(manifest, {
  run: async ({ incident }, context) => withService(await changeState(incident, 'resolved', context)),
  async find({ incident }, context) {
    const found = await findState(incident, 'resolved', context);
    return found === null ? null : withService(found);
  },
  resolve: (args, context) => incidentTarget(args, 'resolves', context),
  preview: ({ incident }) => `would resolve incident ${incident}`,
});

/** Words that pages of earlier versions added to their text. */
const askedBy = / \(asked for by [^()]*\)$/;

/** The service to page again, and the subject. */
function withService(changed: Changed) {
  const { service, title, urgency } = changed.incident;
  const problem = title.replace(askedBy, (found) => (found.includes(', approved by ') ? '' : found));
  return { ...told(changed), ...(service === null ? {} : { service }), problem, urgency };
}
