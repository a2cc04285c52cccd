import type { Home } from '../blocks/message.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Who } from '../core/person.ts';
import { askedBy, linesOf, waitingFor } from './about.ts';
import { type HomeList, renderHome } from './home.ts';
import type { AboutPort, Listed } from './port.ts';
import { visible } from './visible.ts';
import { watchesFor } from './watch-list.ts';

export interface HomePort extends AboutPort {
  isFullMember(who: Who): Promise<boolean>;
  /** Whether the policy names the person for a write tool. */
  mayApproveTool(userId: string, tool: string): Promise<boolean>;
  readonly catalogue: Catalogue;
  publish(userId: string, home: Home): Promise<void>;
}

const shown = 10;
/** Maximum rows searched for those a person may see. */
const lookedAt = 50;

/**
 * Shows the App Home: plans waiting for this person, their requests, running and finished plans, how to ask, and what
 * they may approve. Plans from private channels appear only for their members; guests see nothing.
 */
export async function showHome(who: Who, port: HomePort): Promise<void> {
  if (!(await port.isFullMember(who))) return;
  const { userId } = who;
  const [waiting, mine, running, recent, watches] = await Promise.all([
    waitingFor(userId, port),
    askedBy(userId, port),
    port.running(lookedAt).then((all) => visible(userId, all, port)),
    port.recent(lookedAt).then((all) => visible(userId, all, port)),
    watchesFor(userId, port),
  ]);
  const home = renderHome({
    waiting: await listOf(waiting),
    mine: await listOf(mine),
    running: await listOf(running),
    recent: await listOf(recent.filter(({ standing }) => standing.kind !== 'running')),
    watches,
    mayApprove: await approvable(userId, port),
    examples: examplesFor(port.catalogue),
  });
  await port.publish(userId, home);
}

async function listOf(all: readonly Listed[]): Promise<HomeList> {
  const lines = await linesOf(all.slice(0, shown));
  return { lines, more: all.length - lines.length };
}

/** Actions of the write tools this person may approve, as far as that can be decided now. */
async function approvable(userId: string, { catalogue, mayApproveTool }: HomePort): Promise<string[]> {
  const writes = [...catalogue.manifests.values()].filter(({ effect }) => effect === 'write');
  const may = await Promise.all(writes.map(({ name }) => mayApproveTool(userId, name)));
  return writes.filter((_, index) => may[index]).map(({ summary }) => firstSentence(summary));
}

function firstSentence(text: string): string {
  return /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
}

/** Goals that work here, with the operator's own names. */
function examplesFor({ defaults, projects }: Catalogue): string[] {
  const project = defaults.project ?? projects[0]?.key ?? 'OPS';
  const service = projects.find(({ key }) => key === project)?.service ?? defaults.service;
  const page =
    service === undefined ? [] : [`if ${project} has more than 20 open P1 tickets, page ${service}`];
  return [`how many P1 tickets are open in ${project}?`, ...page];
}
