import { setTimeout as pause } from 'node:timers/promises';
import type { RichTextBlockElement } from '@slack/types';
import { z } from 'zod';
import { causeElements, fixableIn, verdictCounts } from '../blocks/causes.ts';
import { foundIn, withinRoom } from '../blocks/evidence.ts';
import { type AlertRule, inputsFrom, serviceOf } from '../core/alert.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { describeError } from '../core/errors.ts';
import type { Plan } from '../core/plan.ts';
import type { StepResult } from '../core/run.ts';
import { byLastTime, type LastTime, settle } from '../core/settle.ts';
import { createTurns } from '../core/slices.ts';
import { vocabularyOf } from '../core/step-words.ts';
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
  /** All that were open at some look, for the review. */
  seen: z.array(incidentSchema.pick({ id: true, number: true })).default([]),
  /** Verdicts on the operator's causes, in blocks; and the supported ones that have a fix. */
  causes: z.array(z.custom<RichTextBlockElement>()).default([]),
  fixes: z.array(z.string()).default([]),
  /** The bot's own records of the service. */
  around: z.array(z.custom<RichTextBlockElement>()).default([]),
  /** Buttons that repeat past plans. */
  again: z.array(z.object({ text: z.string(), value: z.string() })).default([]),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** Planning and wording take milliseconds of CPU, and the problems of a storm would do them all at once. */
const turn = createTurns();

/** Everything is there after this time; what takes longer is said to be missing. */
const maxMs = 18_000;
const incidentMs = 8_000;
/** Characters of JSON for the results: with the rest two screens of a phone. */
const maxSize = 6_000;

interface About {
  readonly problem: Pick<AlertProblemRow, 'id' | 'service' | 'rule' | 'channel'>;
  readonly rule: AlertRule | null;
  /** A firing alert whose labels fill the inputs. */
  readonly alert: Pick<AlertRow, 'labels'>;
}

/** Runs the reads of the rule, and asks PagerDuty. Never throws: what fails is part of the evidence. */
export async function gather(about: About, context: AlertContext): Promise<Evidence> {
  const known = knownAround(about, context);
  const [read, paged, around] = await Promise.all([
    readPlaybook(about, known, context),
    openIncidents(about.problem, context),
    known,
  ]);
  const missing = [...read.missing, ...paged.missing, ...around.missing];
  const { around: shown, again } = around;
  const { incidents } = paged;
  return { ...read, missing, incidents, seen: seenIn(incidents), around: shown, again };
}

/** Asks PagerDuty alone again; the rest stays as it was read. */
export async function renewed(
  before: Evidence,
  { problem }: Pick<About, 'problem'>,
  context: AlertContext,
): Promise<Evidence> {
  const { incidents } = await openIncidents(problem, context);
  if (incidents === null) return before;
  const now = seenIn(incidents);
  const gone = before.seen.filter(({ id }) => !now.some((one) => one.id === id));
  return { ...before, incidents, seen: [...gone, ...now] };
}

const seenIn = (incidents: Evidence['incidents']): Evidence['seen'] =>
  (incidents ?? []).map(({ id, number }) => ({ id, number }));

type Read = Pick<Evidence, 'found' | 'missing' | 'causes' | 'fixes'>;

const lacking = (...missing: string[]): Read => ({ found: [], missing, causes: [], fixes: [] });

/** The reads of the rule with the checks of all causes that fit the service. */
async function readPlaybook(
  { problem, rule, alert }: About,
  known: Promise<{ readonly last: LastTime }>,
  context: AlertContext,
): Promise<Read> {
  if (rule === null) return lacking('The rule is gone from countersign.yml, so nothing is looked up.');
  const call = rule.reads === null ? null : filled(rule, rule.reads, { problem, alert });
  const named = serviceOf(rule, alert);
  if (problem.service === '' && named !== '')
    return lacking(`${cut(oneLine(named), 80)} is no service in countersign.yml.`);
  const notRead = (reason: string): Read =>
    lacking(`${call?.playbook ?? 'The causes'} could not be read: ${cut(oneLine(reason), 300)}`);
  try {
    await turn();
    const { plan, notes } = await context.evidencePlan(call, {
      ...{
        service: problem.service,
        channel: problem.channel,
        goal: `Evidence for the alert rule ${rule.name}`,
      },
    });
    if (plan === null) return lacking(...notes);
    const about = { requestId: `alert-${problem.id}`, requester: requesterOf(problem.rule), plan };
    const seen = await Promise.race([context.readShared(about), pause(maxMs, null, { ref: false })]);
    if (seen === null) return notRead(`it took longer than ${maxMs / 1_000} s.`);
    const { last } = await known;
    await turn();
    return shown(plan, seen.results, { notes, last }, context);
  } catch (error) {
    context.log.warn({ rule: rule.name, ...describeError(error) }, 'The reads for an alert failed');
    return notRead(describeError(error).message);
  }
}

/** The supported causes of a service that have a fix, read anew; `counts` has the verdicts on all of them. */
export async function fixesNow(
  { service, channel, requester }: Pick<FilledCall, 'service'> & Record<'channel' | 'requester', string>,
  context: AlertContext,
): Promise<{ readonly fixes: readonly string[]; readonly counts: string }> {
  const about = { service, channel, goal: `Causes of ${service}` };
  const { plan } = await context.evidencePlan(null, about);
  if (plan === null) return { fixes: [], counts: '' };
  const { results } = await context.read({ requestId: `causes-${service}`, requester, plan });
  const { last } = await context.around({ service, channel, problem: '', words: '' });
  const settled = byLastTime(settle(plan, vocabularyOf(plan.steps, context.manifests), results), last);
  return { fixes: fixableIn(settled, context.causes), counts: verdictCounts(settled) };
}

function shown(
  plan: Plan,
  results: readonly StepResult[],
  { notes, last }: { readonly notes: readonly string[]; readonly last: LastTime },
  { manifests, hosts, causes }: AlertContext,
): Read {
  const words = vocabularyOf(plan.steps, manifests);
  const settled = byLastTime(settle(plan, words, results), last);
  const { parts, missing } = foundIn(results, { words, hosts, settled });
  const found = withinRoom(parts, maxSize);
  return {
    ...{ found, missing: [...notes, ...missing], fixes: fixableIn(settled, causes) },
    causes: causeElements(settled, { words, hosts, causes, last }),
  };
}

async function knownAround(
  { problem: { id, service, channel, rule }, alert }: About,
  context: AlertContext,
): Promise<Pick<Evidence, 'around' | 'again' | 'missing'> & { readonly last: LastTime }> {
  const nothing = { around: [], again: [], missing: [], last: new Map() };
  if (!context.services.has(service)) return nothing;
  const words = [rule, ...Object.values(alert.labels)].join(' ');
  try {
    const { elements, again, last } = await context.around({ service, channel, problem: id, words });
    return { around: [...elements], again: [...again], missing: [], last };
  } catch (error) {
    const { code, message } = describeError(error);
    context.log.warn({ service, code }, 'What is under way could not be looked up for an alert');
    const missing = [`What is under way: ${cut(oneLine(message), 300)}`];
    return { ...nothing, missing };
  }
}

/** A call with the inputs that the labels give. */
export function filled(
  rule: AlertRule,
  call: AlertRule['propose'][number],
  { problem, alert }: Pick<About, 'alert'> & { readonly problem: Pick<AlertProblemRow, 'service'> },
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
