import { slaThreshold as manifest } from '../../manifests/sla.threshold.ts';
import { durationWords } from '../../manifests/time-words.ts';
import { CountersignError } from '../../src/core/errors.ts';
import { defineRead } from '../../src/core/tool.ts';

/** No limit is agreed, or the plan does not say for what. Never treated as a limit of 0. */
export class SlaError extends CountersignError {}

export const slaThreshold = defineRead(manifest, async ({ project, priority }, { readers }) => {
  if (project === undefined || priority === undefined) {
    throw new SlaError(
      'sla_scope',
      'An SLA limit belongs to a project and a priority; the plan does not name both.',
    );
  }
  const agreed = readers.sla.threshold(project, priority);
  if (agreed === null) {
    throw new SlaError('sla_not_agreed', `countersign.yml has no SLA for ${priority} in ${project}.`, {
      project,
      priority,
    });
  }
  return { max_open: agreed.maxOpen, resolve_within: durationWords(agreed.resolveWithin ?? '') };
});
