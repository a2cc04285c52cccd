import type { Who } from '../approval/ports.ts';
import { isFullMember, mayApproveTool } from '../approval/who.ts';
import { VendorError } from '../core/errors.ts';
import { unseal } from '../core/revision.ts';
import { renderHome } from '../report/home.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import type { RevisionRow, RunRow } from '../store/tables.ts';
import { peopleDirectory } from './people.ts';
import type { World } from './world.ts';

const shown = 10;

/** The App Home: what waits, what ran, how to ask, what this person may approve. */
export function createHomes(world: World) {
  const { db, teamId, gateway, policy, catalogue } = world;

  async function linkTo({ cardChannel, cardTs }: RevisionRow): Promise<string | null> {
    if (!cardChannel || !cardTs) return null;
    try {
      return await gateway.permalink(cardChannel, cardTs);
    } catch (error) {
      // Cards can be deleted and channels can go; the list is worth more than its links.
      if (error instanceof VendorError) return null;
      throw error;
    }
  }

  async function waitingCard(row: RevisionRow) {
    const { sealed } = unseal(row.bytes, row.digest);
    const { requester, expiresAt, plan } = sealed;
    return { summary: plan.summary, requester, expiresAt, link: await linkTo(row) };
  }

  async function recentRun({ requestId, number, outcome, startedAt, finishedAt }: RunRow) {
    const row = await revisions.get(db, teamId, requestId, number);
    if (!row) return [];
    const { summary } = unseal(row.bytes, row.digest).sealed.plan;
    return [{ summary, outcome, at: (finishedAt ?? startedAt).toISOString(), link: await linkTo(row) }];
  }

  /** What write tools do whose plans this person may approve, as far as that can be told now. */
  async function approvable(userId: string): Promise<string[]> {
    const writes = [...catalogue.manifests.values()].filter((manifest) => manifest.effect === 'write');
    const people = peopleDirectory(world);
    const may = await Promise.all(writes.map(({ name }) => mayApproveTool(userId, name, policy, people)));
    return writes.filter((_, index) => may[index]).map(({ summary }) => firstSentence(summary));
  }

  return {
    /** Shows nothing to guests: what waits and what ran is about channels that they are not in. */
    async show(who: Who): Promise<void> {
      const { userId } = who;
      const member = await isFullMember(who, peopleDirectory(world));
      if (!member.allowed) return;
      const open = await revisions.listOpen(db, teamId);
      const recent = await runs.listRecent(db, { teamId, limit: shown });
      const facts = {
        waiting: await Promise.all(open.slice(0, shown).map(waitingCard)),
        waitingInAll: open.length,
        recent: (await Promise.all(recent.map(recentRun))).flat(),
        mayApprove: await approvable(userId),
        examples: examplesFor(world),
      };
      await gateway.publishHome(userId, renderHome(facts));
    },
  };
}
export type Homes = ReturnType<typeof createHomes>;

function firstSentence(text: string): string {
  return /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
}

/** Goals that work here, with the operator's own names. */
function examplesFor({ catalogue }: World): string[] {
  const project = catalogue.defaults.project ?? catalogue.projects[0]?.key ?? 'OPS';
  const service =
    catalogue.projects.find(({ key }) => key === project)?.service ?? catalogue.defaults.service;
  const page =
    service === undefined ? [] : [`if ${project} has more than 20 open P1 tickets, page ${service}`];
  return [`how many P1 tickets are open in ${project}?`, ...page];
}
