import { cut, oneLine } from '../../src/core/inert.ts';
import type { WriteContext } from '../../src/core/tool.ts';
import { changedAfter, type Incident, incidentMeant } from '../incident.ts';

const maxTitle = 200;

type State = 'acknowledged' | 'resolved';

/** What came of a change of state. `already`: it was so before this run, and nothing was sent. */
export interface Changed {
  readonly incident: string;
  /** `#12`. */
  readonly name: string;
  readonly state: Incident['state'];
  readonly already: boolean;
  readonly by: string;
  readonly at: string;
  readonly link: string;
  /** Absent where it is not in the catalogue. */
  readonly service?: string;
  readonly title: string;
}

/** Sends a change unless it is so already. `check` may refuse what the incident has become. */
export async function changeState(
  id: string,
  wanted: State,
  { readers, writers, origin, signal }: WriteContext,
  check: (found: Incident) => void = () => undefined,
): Promise<Changed> {
  const found = await incidentMeant(readers, id, signal);
  check(found);
  if (found.state === wanted) return changed(found, !changedAfter(found, origin.startedAt));
  return changed(await writers.pagerduty.setState(found.id, wanted, signal), false);
}

/** What this run changed, or null when the incident is not so or was before. */
export async function findState(
  id: string,
  wanted: State,
  { readers, origin, signal }: Omit<WriteContext, 'writers'>,
): Promise<Changed | null> {
  const found = await incidentMeant(readers, id, signal);
  return found.state === wanted && changedAfter(found, origin.startedAt) ? changed(found, false) : null;
}

function changed(incident: Incident, already: boolean): Changed {
  const { id, number, state, changedBy: by, changedAt: at, url: link, service } = incident;
  const title = cut(oneLine(incident.title), maxTitle);
  const about = { incident: id, name: `#${number}`, title, ...(service === null ? {} : { service }) };
  return { ...about, state, already, by, at, link };
}
