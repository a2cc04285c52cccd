import { setTimeout as pause } from 'node:timers/promises';
import type { RichTextBlockElement } from '@slack/types';
import { z } from 'zod';
import { linked, linksOf, type ShownResult } from '../blocks/links.ts';
import { bold, bullets, italic, line, type Span } from '../blocks/rich.ts';
import { shownTable } from '../blocks/table.ts';
import { type AlertRule, inputsFrom, serviceOf } from '../core/alert.ts';
import { cut, cutWords, oneLine } from '../core/clean-text.ts';
import { describeError } from '../core/errors.ts';
import { own } from '../core/own-property.ts';
import type { Plan } from '../core/plan.ts';
import { stepOutcome } from '../core/result-words.ts';
import type { StepResult } from '../core/run.ts';
import {
  argWords,
  capital,
  stepSentence,
  type Vocabulary,
  vocabularyOf,
  withoutText,
} from '../core/step-words.ts';
import type { AlertProblemRow, AlertRow } from '../store/tables.ts';
import { type AlertContext, type FilledCall, requesterOf } from './context.ts';

const incidentSchema = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  state: z.enum(['triggered', 'acknowledged']),
  url: z.string(),
  assigned: z.array(z.string()),
});

/** Facts looked up about a problem, as they are stored and shown. */
export const evidenceSchema = z.object({
  /** The results, in blocks. */
  found: z.array(z.custom<RichTextBlockElement>()),
  /** Failed look-ups with their reasons; a sentence each. */
  missing: z.array(z.string()),
  /** PagerDuty's open incidents of the service; null where that is not known. */
  incidents: z.array(incidentSchema).nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** Everything is there after this time; what takes longer is said to be missing. */
const maxMs = 18_000;
const incidentMs = 8_000;
const maxItems = 4;
const maxProse = 500;
/** Characters of JSON for all results. */
const maxSize = 7_000;
const tableRoom = 2_000;

interface About {
  readonly problem: Pick<AlertProblemRow, 'id' | 'service' | 'rule'>;
  readonly rule: AlertRule | null;
  /** A firing alert whose labels fill the inputs. */
  readonly alert: Pick<AlertRow, 'labels'>;
}

/** Runs the reads of the rule, and asks PagerDuty. Never throws: what fails is part of the evidence. */
export async function gather(about: About, context: AlertContext): Promise<Evidence> {
  const [read, paged] = await Promise.all([
    readPlaybook(about, context),
    openIncidents(about.problem, context),
  ]);
  return { found: read.found, missing: [...read.missing, ...paged.missing], incidents: paged.incidents };
}

/** Asks PagerDuty alone again; the rest stays as it was read. */
export async function renewed(
  before: Evidence,
  { problem }: Pick<About, 'problem'>,
  context: AlertContext,
): Promise<Evidence> {
  const { incidents } = await openIncidents(problem, context);
  return incidents === null ? before : { ...before, incidents };
}

type Read = Pick<Evidence, 'found' | 'missing'>;

async function readPlaybook({ problem, rule, alert }: About, context: AlertContext): Promise<Read> {
  if (rule === null)
    return { found: [], missing: ['The rule is gone from countersign.yml, so nothing is looked up.'] };
  const call = rule.reads === null ? null : filled(rule, rule.reads, { problem, alert });
  const named = serviceOf(rule, alert);
  if (problem.service === '' && named !== '')
    return { found: [], missing: [`${cut(oneLine(named), 80)} is no service in countersign.yml.`] };
  if (call === null) return { found: [], missing: [] };
  const why = (reason: string): Read => ({
    found: [],
    missing: [`${call.playbook} was not run: ${cut(oneLine(reason), 300)}`],
  });
  try {
    const planned = await context.planOf(call, { onlyReads: true });
    if ('why' in planned) return why(planned.why);
    const about = {
      requestId: `alert-${problem.id}`,
      requester: requesterOf(problem.rule),
      plan: planned.plan,
    };
    const seen = await Promise.race([context.read(about), pause(maxMs, null, { ref: false })]);
    if (seen === null) return why(`it took longer than ${maxMs / 1_000} s.`);
    return shown(planned.plan, seen.results, context);
  } catch (error) {
    context.log.warn({ rule: rule.name, ...describeError(error) }, 'The reads for an alert failed');
    return why(describeError(error).message);
  }
}

/** A call with the inputs that the labels give. */
export function filled(
  rule: AlertRule,
  call: AlertRule['propose'][number],
  { problem, alert }: Pick<About, 'problem' | 'alert'>,
): FilledCall | null {
  const { channel, priority, name } = rule;
  if (channel === null) return null;
  const { playbook } = call;
  // No word of the alert: a planner may read a goal.
  const goal = `Run ${playbook} for the alert rule ${name}`;
  return { playbook, inputs: inputsFrom(call, alert), service: problem.service, priority, channel, goal };
}

async function openIncidents(
  { service }: Pick<AlertProblemRow, 'service'>,
  { openIncidents: ask, services, log }: AlertContext,
): Promise<{ incidents: Evidence['incidents']; missing: string[] }> {
  if (ask === null || !services.has(service)) return { incidents: null, missing: [] };
  try {
    const incidents = await ask(service, AbortSignal.timeout(incidentMs));
    return { incidents: incidents.map((one) => incidentSchema.parse(one)), missing: [] };
  } catch (error) {
    const { code, message } = describeError(error);
    log.warn({ service, code }, 'PagerDuty could not be asked about an alert');
    return { incidents: null, missing: [`Whom PagerDuty has notified: ${cut(oneLine(message), 300)}`] };
  }
}

/** The results in the order of the plan, as far as there is room; failures are said to be missing. */
function shown(plan: Plan, results: readonly StepResult[], { manifests, hosts }: AlertContext): Read {
  const words = vocabularyOf(plan.steps, manifests);
  const found: RichTextBlockElement[] = [];
  const missing: string[] = [];
  for (const result of results) {
    const step = words.steps.get(result.stepId);
    if (step === undefined) continue;
    if (result.status === 'succeeded') found.push(...fitting(elementsOf(result, words, hosts), found));
    else if (result.status !== 'skipped' || result.reason?.code !== 'condition_false')
      missing.push(
        `${withoutText(stepSentence(step, words))}: ${cut(oneLine(result.reason?.message ?? 'no reason was given'), 300)}`,
      );
  }
  return { found, missing };
}

/** The headline alone where the rest would not fit. */
function fitting(
  elements: RichTextBlockElement[],
  before: readonly RichTextBlockElement[],
): RichTextBlockElement[] {
  const size = (of: readonly RichTextBlockElement[]) => JSON.stringify(of).length;
  return size([...before, ...elements]) <= maxSize ? elements : elements.slice(0, 1);
}

function elementsOf(
  result: StepResult,
  words: Vocabulary,
  hosts: ShownResult['hosts'],
): RichTextBlockElement[] {
  const step = words.steps.get(result.stepId);
  const manifest = words.scope.get(result.stepId);
  if (step === undefined || manifest === undefined || result.result === null || result.result === undefined)
    return [];
  const one: ShownResult = { manifest, args: argWords(step, words), result: result.result, hosts };
  const outcome = cutWords(oneLine(capital(stepOutcome({ words, targets: [] }, result))), 400);
  const head = line(...linked(`${outcome}.`, linksOf(one)).map(strong));
  const { prose } = manifest.shows ?? {};
  const text = prose === undefined ? undefined : own(result.result, prose);
  const said = typeof text === 'string' && text !== '' ? [line(cutWords(oneLine(text), maxProse))] : [];
  return [head, ...(said.length > 0 ? [bullets(said)] : itemsOf(one))];
}

function itemsOf(one: ShownResult): RichTextBlockElement[] {
  const list = shownTable(one, { caption: '', room: tableRoom })?.list;
  const rows = list?.type === 'rich_text' ? list.elements[0] : undefined;
  if (rows?.type !== 'rich_text_list') return [];
  // The headline has said it, unless there is something to open.
  if (rows.elements.length === 1 && !JSON.stringify(rows).includes('"type":"link"')) return [];
  const more = rows.elements.length - maxItems;
  const rest = more > 0 ? [line(italic(`and ${more} more`))] : [];
  return [{ ...rows, elements: [...rows.elements.slice(0, maxItems), ...rest] }];
}

function strong(span: Span): Span {
  return typeof span === 'string' ? bold(span) : span;
}
