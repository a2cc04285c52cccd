import { pagerdutyResolve as manifest } from '../../manifests/pagerduty.resolve.ts';
import { defineWrite } from '../../src/core/tool.ts';
import { incidentTarget } from '../incident.ts';
import { changeState, findState } from './incident-state.ts';

export const pagerdutyResolve = defineWrite(manifest, {
  run: ({ incident }, context) => changeState(incident, 'resolved', context),
  find: ({ incident }, context) => findState(incident, 'resolved', context),
  resolve: (args, context) => incidentTarget(args, 'resolves', context),
  preview: ({ incident }) => `would resolve incident ${incident}`,
});
