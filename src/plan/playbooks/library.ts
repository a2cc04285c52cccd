import { stringify } from 'yaml';
import type { Catalogue } from '../../core/catalogue.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import { toolsIn } from '../../notation/looks.ts';
import { playbookFrom } from './from-plan.ts';
import { instantiate } from './inputs.ts';
import { checkPlaybooks, problemLine } from './lint.ts';
import { inputSamples, type Playbook } from './playbook.ts';

/** Maximum number of saved and installed playbooks together; nobody reads a longer list. */
const maxPlaybooks = 200;

export interface ShelfPort {
  /** Playbooks of the installation. */
  readonly installed: readonly Playbook[];
  readonly manifests: readonly Manifest[];
  readonly catalogue: Catalogue;
  saved(): Promise<readonly { name: string; source: string; owner: string }[]>;
  /** False when the name is taken. */
  save(playbook: { name: string; source: string; owner: string }): Promise<boolean>;
  /** The plan of the person's last run in this channel, unless that was not successful. */
  lastPlan(who: { userId: string; channel: string }): Promise<Plan | 'unsuccessful' | null>;
}

/** Result of saving a playbook. `problems` is empty if only the name is taken. */
export type Saved =
  | { readonly kind: 'saved'; readonly playbook: Playbook }
  | { readonly kind: 'nothing' | 'unsuccessful' }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** The playbooks of the installation and those saved by people. */
export interface Shelf {
  all(): Promise<readonly Playbook[]>;
  /** Playbooks whose tools are set up here, and the number of others. */
  usable(): Promise<{ playbooks: readonly Playbook[]; lacking: number }>;
  /** Playbooks saved by people; an invalid one has `playbook: null`. */
  saved(): Promise<readonly { name: string; owner: string; playbook: Playbook | null }[]>;
  save(name: string, who: { userId: string; channel: string }): Promise<Saved>;
}

export function createShelf(port: ShelfPort): Shelf {
  const { installed, manifests, catalogue } = port;

  /** Leaves out saved playbooks that are no longer valid. */
  async function all(): Promise<Playbook[]> {
    const files = (await port.saved()).map(({ name, source }) => ({ file: name, source }));
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
      return { playbooks, lacking: every.length - playbooks.length };
    },
    async saved() {
      return (await port.saved()).map(({ name, source, owner }) => {
        const [playbook = null] = checkPlaybooks([{ file: name, source }], manifests).playbooks;
        return { name, owner, playbook };
      });
    },
    async save(name, who) {
      const plan = await port.lastPlan(who);
      if (plan === null || plan === 'unsuccessful') return { kind: plan ?? 'nothing' };
      const playbook = playbookFrom(plan, { name, owner: who.userId }, catalogue.manifests);
      const source = stringify(playbook);
      const problems = checkPlaybooks([{ file: name, source }], manifests).problems.map(problemLine);
      const known = await all();
      if (known.length >= maxPlaybooks) problems.push(`There are ${known.length} playbooks already.`);
      if (problems.length > 0) return { kind: 'refused', problems };
      const isTaken = known.some((one) => one.name === name);
      const saved = !isTaken && (await port.save({ name, source, owner: who.userId }));
      return saved ? { kind: 'saved', playbook } : { kind: 'refused', problems: [] };
    },
  };
}

/** Finds the playbook that a plan was made from, by its steps; null for one that is gone. */
export function whichPlaybook(
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
