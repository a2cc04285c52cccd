import { pagerdutyAck as manifest } from '../../manifests/pagerduty.ack.ts';
import { defineWrite } from '../../src/core/tool.ts';
import { incidentTarget, refused, stateWords } from '../incident.ts';
import { changeState, findState, told } from './incident-state.ts';

export const pagerdutyAck = defineWrite(manifest, {
  async run({ incident }, context) {
    const changed = await changeState(incident, 'acknowledged', context, (found) => {
      if (found.state !== 'resolved') return;
      const state = stateWords(found, context.now());
      throw refused(
        'is_over',
        `Incident #${found.number} was ${state}; acknowledging it now would open it again.`,
      );
    });
    return told(changed);
  },
  async find({ incident }, context) {
    const found = await findState(incident, 'acknowledged', context);
    return found === null ? null : told(found);
  },
  resolve: (args, context) => incidentTarget(args, 'acknowledges', context),
  preview: ({ incident }) => `would acknowledge incident ${incident}`,
});
