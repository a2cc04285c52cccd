import type { Say } from '../blocks/message.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { Request } from '../core/request.ts';
import type { RequestBook } from './ports.ts';
import { type LimitedKind, tooMany } from './words.ts';

export interface LimitPort {
  readonly requests: Pick<RequestBook, 'move'>;
  /** Requests of a kind in an hour for each person. */
  readonly perHour: Readonly<Record<LimitedKind, number>>;
  /** How many of that kind the same person asked in the hour before a request. */
  countBefore(request: Request, kind: LimitedKind): Promise<number>;
  readonly manifests: ReadonlyMap<string, Manifest>;
}

/**
 * False after telling the person that an hourly limit is reached. Only what a person asked for in words counts, and
 * nothing stands in the way of an urgent write. Known only once it is planned: the words alone do not say what it is.
 */
export async function admits(
  asked: Request,
  plan: Plan,
  turn: Turn,
  port: LimitPort,
  say: Say,
): Promise<boolean> {
  const isFirst = turn.basedOn === null && turn.failed === null;
  if (!isFirst || asked.via === 'schedule' || asked.via === 'button') return true;
  const manifests = plan.steps.map(({ tool }) => port.manifests.get(tool));
  if (manifests.some((manifest) => manifest?.urgent === true)) return true;
  const kind = manifests.every((manifest) => manifest?.effect === 'read') ? 'question' : 'plan';
  if (!(await isOver(asked, kind, port))) return true;
  await port.requests.move({ id: asked.id, to: 'refused', from: ['planning'] });
  await say(tooMany(kind, port.perHour[kind]));
  return false;
}

/** True when a person has used up the hour's requests of a kind. */
export async function isOver(
  asked: Request,
  kind: LimitedKind,
  { countBefore, perHour }: Pick<LimitPort, 'countBefore' | 'perHour'>,
): Promise<boolean> {
  return (await countBefore(asked, kind)) >= perHour[kind];
}
