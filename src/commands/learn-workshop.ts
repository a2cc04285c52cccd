import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadPlaybooks } from '../app/installed.ts';
import { offlinePlanner } from '../app/planner.ts';
import { withWord } from '../config/edit-yaml.ts';
import { readBounded } from '../config/file.ts';
import { CountersignError } from '../core/errors.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { Planner } from '../core/planning.ts';
import type { SuggestPort, Trial } from '../learn/suggest.ts';
import { playbookFrom } from '../plan/playbooks/from-plan.ts';
import { playbookFinder } from '../plan/playbooks/library.ts';
import { checkPlaybooks } from '../plan/playbooks/lint.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { mergeReads } from '../review/merge-reads.ts';
import { reviewDraft } from '../review/review.ts';
import type { CommandContext } from './command.ts';
import { type OfflineWorld, worldOf } from './offline-world.ts';

/** A file and its would-be content. */
export interface FileChange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** The operator's files, with changes tried on copies. */
export interface Workshop extends SuggestPort {
  playbookOf(plan: Plan): string | null;
  change(trial: Trial): FileChange;
  write(file: string, text: string): void;
}

/** Throws if there is no `countersign.yml`, or it or the playbooks are invalid. */
export function openWorkshop(variables: CommandContext['variables'], folder: string): Workshop {
  const file = variables.COUNTERSIGN_CONFIG ?? 'countersign.yml';
  const source = readBounded(file);
  const world = worldOf(source, file);
  const { catalogue, config } = world;
  const installed = loadPlaybooks(config, folder);

  // One moment for all trials: “the last hour” must be the same in each.
  const now = new Date();

  function playbookOf(trial: Extract<Trial, { kind: 'playbook' }>): Playbook {
    const names = new Set(installed.map(({ name }) => name));
    const about = { name: freeName(trial.goal, names), owner: userInfo().username };
    return playbookFrom({ ...trial.plan, goal: trial.goal }, about, catalogue.manifests);
  }

  function change(trial: Trial): FileChange {
    if (trial.kind === 'word') {
      const after = withWord(source, trial.path, trial.word);
      if (after !== null) return { file, before: source, after };
      throw new CountersignError('no_place', `${file} has no place for ${trial.path.join('.')}.`);
    }
    const playbook = playbookOf(trial);
    const path = join(folder, `${playbook.name}.yml`);
    return {
      file: path,
      before: existsSync(path) ? readFileSync(path, 'utf8') : '',
      after: stringify(playbook, { lineWidth: 0 }),
    };
  }

  return {
    names: { services: catalogue.services, projects: catalogue.projects, queries: config.queries },
    examples: [...catalogue.manifests.values(), ...installed].flatMap(examplesOf),
    playbookOf: playbookFinder(installed, catalogue.manifests),
    change,
    write: (path, text) => writeFileSync(path, text),
    async tryOut(trial, goals) {
      if (trial === null) return plansOf({ goals, now }, world, installed);
      if (trial.kind === 'word') {
        return plansOf({ goals, now }, worldOf(change(trial).after, file), installed);
      }
      const playbook = playbookOf(trial);
      const sources = [{ file: playbook.name, source: stringify(playbook) }];
      const { problems } = checkPlaybooks(sources, [...catalogue.manifests.values()]);
      if (problems.length > 0) return goals.map(() => null);
      return plansOf({ goals, now }, world, [...installed, playbook]);
    },
  };
}

function examplesOf(one: Manifest | Playbook): readonly string[] {
  return 'examples' in one ? one.examples : (one.asked?.examples ?? []);
}

/** A plan for each goal, or null. Repeated goals are planned once. */
async function plansOf(
  { goals, now }: { readonly goals: readonly string[]; readonly now: Date },
  against: OfflineWorld,
  playbooks: readonly Playbook[],
): Promise<(Plan | null)[]> {
  const { planner } = offlinePlanner(playbooks);
  const byGoal = new Map<string, Plan | null>();
  for (const goal of new Set(goals)) byGoal.set(goal, await planned({ goal, now }, against, planner));
  return goals.map((goal) => byGoal.get(goal) ?? null);
}

async function planned(
  { goal, now }: { readonly goal: string; readonly now: Date },
  { catalogue, policy }: OfflineWorld,
  planner: Planner,
): Promise<Plan | null> {
  const fresh = { quoted: null, answers: [], change: null, replan: null, now };
  const { answer } = await planner.plan({ goal, catalogue, policy, ...fresh });
  if (answer.kind !== 'plan') return null;
  const { plan } = reviewDraft(answer.plan, { catalogue, policy });
  return plan === null ? null : mergeReads(plan, catalogue.manifests);
}

/** An unused playbook name made of the first words of a goal. */
function freeName(goal: string, taken: ReadonlySet<string>): string {
  const words = goal.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? [];
  const name = words.slice(0, 5).join('-').slice(0, 50).padEnd(2, 'x') || 'learnt';
  let count = 2;
  if (!taken.has(name)) return name;
  while (taken.has(`${name}-${count}`)) count += 1;
  return `${name}-${count}`;
}
