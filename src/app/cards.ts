import { aroundOf, changesOf } from '../approval/card/around.ts';
import { drawCard } from '../approval/card/card.ts';
import type { LinkHosts } from '../core/address.ts';
import { readRow, type TellDamage } from '../core/damaged-row.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Policy } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import type { Lineage, ShowPort } from '../report/show-revision.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { Db } from '../store/tables.ts';

export interface CardDeps {
  readonly db: Db;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly policy: Policy;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
  readonly damaged: TellDamage;
  readonly now: () => Date;
}

/** How a new revision is shown: the card comes from approval, the answer from report. */
export function showPort(deps: CardDeps): ShowPort {
  const { manifests, policy, hosts } = deps;
  return {
    manifests,
    hosts,
    lineage: (revision) => lineageOf(deps, revision),
    changes: (revision) => changesOf(deps, revision),
    async card(revision, facts) {
      const around = await aroundOf(deps, revision);
      return drawCard(revision, {
        manifests,
        policy,
        state: { kind: 'proposed' },
        facts,
        ...around,
      });
    },
    superseded: (revision, byNumber) =>
      drawCard(revision, { manifests, policy, state: { kind: 'superseded', byNumber } }),
  };
}

async function lineageOf({ db, damaged }: CardDeps, { sealed }: Revision): Promise<Lineage> {
  const { teamId, requestId, number } = sealed;
  if (number === 1) return { base: null, replaced: null, isAskedBelowCard: false };
  const [row, previous, request] = await Promise.all([
    revisions.get(db, teamId, requestId, number),
    revisions.get(db, teamId, requestId, number - 1),
    requests.get(db, teamId, requestId),
  ]);
  const { from, inWords } = revisions.originOf(row);
  const base = from === null ? null : await revisions.get(db, teamId, requestId, from);
  return {
    base: base && readRow(base, revisions.planReader, damaged),
    replaced: previous?.state === 'superseded' ? readRow(previous, revisions.planReader, damaged) : null,
    isAskedBelowCard: inWords && request?.threadTs === null,
  };
}
