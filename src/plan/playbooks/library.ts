import { stringify } from 'yaml';
import type { Catalogue } from '../../core/catalogue.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import { readClauses } from '../../notation/clauses.ts';
import { toolsIn } from '../../notation/looks.ts';
import { problemsOf } from '../../notation/problems.ts';
import * as stored from '../../store/playbooks.ts';
import { revisionOf } from '../../store/revisions.ts';
import * as runs from '../../store/runs.ts';
import type { TeamDb } from '../../store/tables.ts';
import { playbookFrom } from './from-plan.ts';
import { instantiate } from './inputs.ts';
import { checkPlaybooks, problemLine } from './lint.ts';
import { inputSamples, type Playbook } from './playbook.ts';

/** Maximum number of saved and installed playbooks together; nobody reads a longer list. */
const maxPlaybooks = 200;

interface LibraryContext extends TeamDb {
  /** Playbooks of the installation. */
  readonly installed: readonly Playbook[];
  readonly manifests: readonly Manifest[];
  readonly catalogue: Catalogue;
  readonly now: () => Date;
}

/** Result of saving a playbook. `problems` is empty if only the name is taken. */
export type Saved =
  | { readonly kind: 'saved'; readonly playbook: Playbook }
  | { readonly kind: 'nothing' | 'unsuccessful' }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** The playbooks of the installation and those saved by people. */
export interface Library {
  all(): Promise<readonly Playbook[]>;
  /** Playbooks whose tools are set up here, and the number of others. */
  usable(): Promise<{ playbooks: readonly Playbook[]; unusable: number }>;
  /** Playbooks saved by people; an invalid one has `playbook: null`. */
  saved(): Promise<readonly { name: string; owner: string; playbook: Playbook | null }[]>;
  save(name: string, who: { userId: string; channel: string }): Promise<Saved>;
}

export function openLibrary(context: LibraryContext): Library {
  const { db, teamId, installed, manifests, catalogue, now } = context;

  /** Leaves out saved playbooks that are no longer valid. */
  async function all(): Promise<Playbook[]> {
    const files = (await stored.list(db, teamId)).map(({ name, source }) => ({ file: name, source }));
    const names = new Set(installed.map(({ name }) => name));
    const { playbooks } = checkPlaybooks(files, manifests);
    return [...installed, ...playbooks.filter(({ name }) => !names.has(name))];
  }

  return {
    all,
    async usable() {
      const every = await all();
      const playbooks = every.filter(({ plan }) =>
        toolsIn(plan).every((tool) => catalogue.manifests.has(tool)),
      );
      return { playbooks, unusable: every.length - playbooks.length };
    },
    async saved() {
      return (await stored.list(db, teamId)).map(({ name, source, owner }) => {
        const [playbook = null] = checkPlaybooks([{ file: name, source }], manifests).playbooks;
        return { name, owner, playbook };
      });
    },
    async save(name, who) {
      const plan = await lastPlan(who, context);
      if (plan === null || plan === 'unsuccessful') return { kind: plan ?? 'nothing' };
      const playbook = playbookFrom(plan, { name, owner: who.userId }, catalogue.manifests);
      const source = stringify(playbook);
      const problems = checkPlaybooks([{ file: name, source }], manifests).problems.map(problemLine);
      const known = await all();
      if (known.length >= maxPlaybooks) problems.push(`There are ${known.length} playbooks already.`);
      if (problems.length > 0) return { kind: 'refused', problems };
      const isTaken = known.some((one) => one.name === name);
      const row = { teamId, name, source, owner: who.userId, createdAt: now() };
      const saved = !isTaken && (await stored.save(db, row));
      return saved ? { kind: 'saved', playbook } : { kind: 'refused', problems: [] };
    },
  };
}

/** The sources of all code steps in playbooks. */
export function codeIn(playbooks: readonly Playbook[]): ReadonlySet<string> {
  const steps = playbooks.flatMap(({ plan }) => readClauses(plan, problemsOf(plan)).steps);
  return new Set(steps.flatMap(({ code }) => (code === null ? [] : [code.source])));
}

/** Finds the playbook that a plan was made from, by its steps; null for one that is gone. */
export function playbookFinder(
  playbooks: readonly Playbook[],
  manifests: ReadonlyMap<string, Manifest>,
): (plan: Plan) => string | null {
  const shapes = new Map<string, string>();
  for (const playbook of playbooks) {
    const samples = Object.entries(playbook.inputs).map(([name, { type }]) => [name, inputSamples[type]]);
    const about = { goal: playbook.summary, manifests, minutes: () => 60 };
    const { plan } = instantiate(playbook, Object.fromEntries(samples), about);
    if (plan !== null) shapes.set(shapeOf(plan), playbook.name);
  }
  return (plan) => shapes.get(shapeOf(plan)) ?? null;
}

function shapeOf({ steps }: Plan): string {
  return steps.map(({ id, tool }) => `${id} ${tool}`).join('\n');
}

/** The plan of the person's last run in this channel, unless that was not successful. */
async function lastPlan(
  { userId: requester, channel }: { readonly userId: string; readonly channel: string },
  { db, teamId }: TeamDb,
): Promise<Plan | 'unsuccessful' | null> {
  const row = await runs.lastEnded(db, { teamId, requester, channel });
  if (row === null) return null;
  return row.outcome === 'done' ? revisionOf(row).sealed.plan : 'unsuccessful';
}
