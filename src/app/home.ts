import type { Who } from '../approval/ports.ts';
import { isFullMember, mayApproveTool } from '../approval/who.ts';
import { unseal } from '../core/revision.ts';
import { type RecentRun, renderHome, type WaitingCard } from '../report/home.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import type { RevisionRow, RunRow } from '../store/tables.ts';
import { cardLink } from './card-link.ts';
import { peopleDirectory } from './people.ts';
import type { World } from './world.ts';

const shown = 10;

/**
 * Shows the App Home: what waits, what ran, how to ask, what this person may approve. Guests see nothing: what waits and
 * what ran is about channels that they are not in.
 */
export async function showHome(world: World, who: Who): Promise<void> {
  const { db, teamId, gateway } = world;
  const member = await isFullMember(who, peopleDirectory(world));
  if (!member.allowed) return;
  const open = await revisions.listOpen(db, { teamId, limit: shown });
  const recent = await runs.listRecent(db, { teamId, limit: shown });
  const facts = {
    waiting: await Promise.all(open.map((row) => waitingCard(world, row))),
    waitingInAll: await revisions.countOpen(db, teamId),
    recent: (await Promise.all(recent.map((run) => recentRun(world, run)))).flat(),
    mayApprove: await approvable(world, who.userId),
    examples: examplesFor(world),
  };
  await gateway.publishHome(who.userId, renderHome(facts));
}

async function waitingCard(world: World, row: RevisionRow): Promise<WaitingCard> {
  const { requester, expiresAt, plan } = unseal(row.bytes, row.digest).sealed;
  return { summary: plan.summary, requester, expiresAt, link: await cardLink(world, row) };
}

async function recentRun(world: World, run: RunRow): Promise<RecentRun[]> {
  const { requestId, number, outcome, startedAt, finishedAt } = run;
  const row = await revisions.get(world.db, world.teamId, requestId, number);
  if (!row) return [];
  const { summary } = unseal(row.bytes, row.digest).sealed.plan;
  const at = (finishedAt ?? startedAt).toISOString();
  return [{ summary, outcome, at, link: await cardLink(world, row) }];
}

/** What write tools do whose plans this person may approve, as far as that can be told now. */
async function approvable(world: World, userId: string): Promise<string[]> {
  const { catalogue, policy } = world;
  const writes = [...catalogue.manifests.values()].filter((manifest) => manifest.effect === 'write');
  const people = peopleDirectory(world);
  const may = await Promise.all(writes.map(({ name }) => mayApproveTool(userId, name, policy, people)));
  return writes.filter((_, index) => may[index]).map(({ summary }) => firstSentence(summary));
}

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
