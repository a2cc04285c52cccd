import type { WriteContext } from '../../src/core/tool.ts';
import { changedAfter, type Incident, incidentMeant } from '../incident.ts';

type State = 'acknowledged' | 'resolved';

/** An incident after a change of its state. `already`: it had that state before this run, and nothing was sent. */
export interface Changed {
  readonly incident: Incident;
  readonly already: boolean;
}

/** Sends a change unless the incident already has that state. `check` may refuse because of its current state. */
export async function changeState(
  id: string,
  wanted: State,
  { readers, writers, origin, signal }: WriteContext,
  check: (found: Incident) => void = () => undefined,
): Promise<Changed> {
  const found = await incidentMeant(readers, id, signal);
  check(found);
  if (found.state === wanted) return { incident: found, already: !changedAfter(found, origin.startedAt) };
  const incident = await writers.pagerduty.setState(found.id, wanted, signal);
  return { incident, already: false };
}

/** This run's change, or null when the incident does not have that state or had it before. */
export async function findState(
  id: string,
  wanted: State,
  { readers, origin, signal }: Omit<WriteContext, 'writers'>,
): Promise<Changed | null> {
  const incident = await incidentMeant(readers, id, signal);
  const isOurs = incident.state === wanted && changedAfter(incident, origin.startedAt);
  return isOurs ? { incident, already: false } : null;
}

/** The common result of both tools. */
export function told({ incident, already }: Changed) {
  const { id, number, state, changedBy: by, changedAt: at, url: link } = incident;
  return { incident: id, name: `#${number}`, state, already, by, at, link };
}
