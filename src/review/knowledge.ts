import type { Catalogue } from '../core/catalogue.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { describeError } from '../core/errors.ts';
import { fieldInfo } from '../core/fields.ts';
import type { Log } from '../core/log.ts';
import type { Manifest, ToolSystem } from '../core/manifest.ts';
import type { Plan, Step } from '../core/plan.ts';
import type { Readers } from '../core/ports.ts';
import { namesIn } from '../core/targets.ts';
import { freeId } from './fill-checks.ts';

export interface Knowledge {
  readonly catalogue: Pick<Catalogue, 'manifests' | 'services' | 'off' | 'unconfigured'>;
  readonly readers: Pick<Readers, 'runbooks' | 'errors'>;
  readonly log: Log;
}

/** A look-up of something that is known about a problem. */
type Known = Pick<Step, 'tool' | 'args'>;

const why = 'It is about this problem.';
/** Milliseconds for which a card waits; what is known is in memory. */
const waitMs = 1_000;
const maxCodes = 5;
const maxSignature = 2_000;

/** Says that the problem is over, so its runbook is not needed. */
const isOver = /\b(?:resolved|recovered|fixed|all clear|back to normal|false alarm|mitigated)\b/i;
/** PAY-E-2201, ERR_2201. */
const isCode = (word: string): boolean => /^[A-Z]/i.test(word) && /[-_]/.test(word) && /\d/.test(word);

/**
 * A plan that tells people of a problem, with a read first of what is known about it: the entry of an error that it
 * names, or the runbook for it. The plan itself where nothing surely fits, or where it already looks something up.
 */
export async function withKnowledge(plan: Plan, { catalogue, readers, log }: Knowledge): Promise<Plan> {
  const { manifests, off, unconfigured } = catalogue;
  const isUsable = ({ name, effect }: Manifest) =>
    effect === 'read' && off?.has(name) !== true && !unconfigured.has(name);
  const toolOf = (system: ToolSystem) => {
    return [...manifests.values()].find((one) => one.system === system && isUsable(one))?.name;
  };
  const [errors, runbooks] = [toolOf('errors'), toolOf('runbooks')];
  const looksUp = plan.steps.some(({ tool }) => tool === errors || tool === runbooks);
  const text = saidIn(plan, manifests);
  if (looksUp || text === '' || plan.situation !== undefined || isOver.test(text)) return plan;
  try {
    const known =
      (errors && (await errorIn(text, readers.errors, errors))) ??
      (runbooks && (await runbookFor(text, servicesOf(plan, text, catalogue), readers.runbooks, runbooks)));
    if (!known) return plan;
    const id = freeId('known', new Set(plan.steps.map((step) => step.id)));
    const read: Step = { id, ...known, why, needs: [], onError: 'continue', onSkip: 'skip' };
    return { ...plan, steps: [read, ...plan.steps] };
  } catch (error) {
    log.warn(describeError(error), 'Could not look up what is known about a problem');
    return plan;
  }
}

/** The words that its writes send, and the request; empty for a plan that sends none. */
function saidIn({ goal, steps }: Plan, manifests: ReadonlyMap<string, Manifest>): string {
  const texts = steps.flatMap(({ tool, args }) => {
    const manifest = manifests.get(tool);
    if (manifest?.effect !== 'write') return [];
    return Object.entries(args).flatMap(([name, value]) => {
      const schema = manifest.args.shape[name];
      if (schema === undefined || fieldInfo(schema).kind !== 'text') return [];
      return [value].flat().filter((part) => typeof part === 'string');
    });
  });
  return texts.length === 0 ? '' : [...texts, goal].join('\n');
}

/** The services that it writes to or names, and those of its projects. */
function servicesOf(plan: Plan, text: string, { manifests, services }: Knowledge['catalogue']): string[] {
  const targets = new Set(namesIn(plan, manifests));
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []);
  return services
    .filter(({ name, project }) => {
      return (
        targets.has(`service:${name}`) || words.has(name.toLowerCase()) || targets.has(`project:${project}`)
      );
    })
    .map(({ name }) => name);
}

/** The end of a sentence is no part of its last word. */
const withoutStop = (word: string): string => (/[.-]$/.test(word) ? word.slice(0, -1) : word);

/** An error by its code or by the words of its log line; null unless there is just one. */
async function errorIn(text: string, errors: Readers['errors'], tool: string): Promise<Known | null> {
  const named = [...new Set((text.match(/[\w.-]+/g) ?? []).map(withoutStop).filter(isCode))].slice(
    0,
    maxCodes,
  );
  for (const said of [...named, text.slice(0, maxSignature)]) {
    const [only, other] = (await errors.lookUp(said, AbortSignal.timeout(waitMs))).found;
    if (only !== undefined && other === undefined) return { tool, args: { code: only.code } };
  }
  return null;
}

async function runbookFor(
  text: string,
  services: readonly string[],
  sources: Readers['runbooks'],
  tool: string,
): Promise<Known | null> {
  for (const source of sources) {
    const hit = await source.about?.(text, services);
    if (hit) return { tool, args: { query: cut(oneLine(`${hit.title} ${hit.section}`).trim(), 200) } };
  }
  return null;
}
