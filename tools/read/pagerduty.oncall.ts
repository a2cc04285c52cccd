import { pagerdutyOncall as manifest } from '../../manifests/pagerduty.oncall.ts';
import { CountersignError } from '../../src/core/errors.ts';
import { cut } from '../../src/core/inert.ts';
import { defineRead } from '../../src/core/tool.ts';
import { untilWords } from '../shift-words.ts';

/** The plan does not say whose on-call is meant. */
export class OnCallError extends CountersignError {}

/** Characters of the list; PagerDuty names have at most 100. */
const maxLines = 2_000;

export const pagerdutyOncall = defineRead(manifest, async ({ service }, { readers, now, signal }) => {
  if (service === undefined) {
    throw new OnCallError(
      'service_missing',
      'Who is on call depends on the service, and the plan names none.',
    );
  }
  const people = await readers.pagerduty.oncall(service, signal);
  const [first] = people;
  const lines = people.map(({ level, name, until }) => `${level}. ${name}${untilWords(until, now())}`);
  return {
    count: people.length,
    email: first?.email ?? '',
    name: first?.name ?? '',
    until: first?.until ?? '',
    lines: people.length === 0 ? `Nobody is on call for ${service}.` : cut(lines.join('\n'), maxLines),
  };
});
