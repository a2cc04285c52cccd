import { allManifests } from '../../manifests/all.ts';
import { plainText } from '../blocks/plain-text.ts';
import type { Span } from '../blocks/rich.ts';
import { readPlanId } from '../core/plan-id.ts';
import { damagedPlan } from '../history/list.ts';
import { named } from '../history/plans.ts';
import { cardAsShown, shownCard, storyOf } from '../history/story.ts';
import { storySections } from '../history/story-words.ts';
import type { Db } from '../store/tables.ts';
import { auditedTeams } from '../store/teams.ts';
import { UsageError } from './command.ts';

/**
 * `audit show <id>`: the plan as shown, who clicked, what ran and what each vendor answered, checked against the audit
 * log. Returns the exit code: 0 when everything is verified.
 */
export async function showStory(db: Db, given: string, out: (line: string) => void): Promise<number> {
  const id = readPlanId(given);
  if (id === null) throw new UsageError('A plan goes by 3fa912c0 (on its card) or 4bf2a81c09de.');
  const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
  let problems = 0;
  let found = 0;
  // The story itself says that it is not verified.
  const damaged = () => undefined;
  for (const teamId of await auditedTeams(db)) {
    const deps = { db, teamId, damaged, manifests, hosts: [] };
    for (const plan of await named({ ...deps, ...withoutSlack }, id)) {
      found += 1;
      const story = await storyOf(plan, deps);
      problems += story.problems.length;
      const card = await cardAsShown({ db, teamId }, plan);
      if (card?.isWhole === false) problems += 1;
      out(`${teamId} ${plan.revision?.sealed.plan.summary ?? damagedPlan}`);
      for (const { title, rows } of storySections(story)) {
        out('');
        out(title);
        for (const row of rows) out(`  ${plainText(row)}`);
      }
      out('');
      for (const text of cardLines(shownCard(plan.number, card).blocks)) out(text);
    }
  }
  if (found === 0) out(`There is no plan ${given}; it may have been removed for its age (retention.days).`);
  return found > 0 && problems === 0 ? 0 : 1;
}

const withoutSlack = { permalink: async () => null, redraw: async () => undefined };

/** Nodes that start on a new line. */
const ownLine = /^(rich_text_|header|section|context|container)/;
const spanTypes = /^(text|user|usergroup|date|link)$/;

/** The visible text of blocks, one line each. */
export function cardLines(blocks: readonly object[]): string[] {
  const text = blocks.map(textOf).join('');
  return text
    .split('\n')
    .filter((one) => one.trim() !== '')
    .map((one) => `  | ${one.trimEnd()}`);
}

function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node !== 'object' || node === null) return '';
  const type = 'type' in node && typeof node.type === 'string' ? node.type : '';
  if (spanTypes.test(type)) return plainText([node as Span]);
  if ('text' in node && typeof node.text === 'string') return node.text;
  const inner = Object.values(node).map(textOf).join('');
  return ownLine.test(type) ? `\n${inner}` : inner;
}
