import { pagerdutyPage as manifest } from '../../manifests/pagerduty.page.ts';
import type { ArgsOf } from '../../src/core/manifest.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineWrite, type Origin } from '../../src/core/tool.ts';
import { localTime, momentWords, untilWords } from '../shift-words.ts';
import { handleOf } from '../slack-handle.ts';
import {
  findPage,
  join,
  openBeside,
  openPage,
  openTarget,
  paged,
  refuseSilent,
  silenceWords,
} from './page-once.ts';

type Args = ArgsOf<typeof manifest>;
type OnCallPerson = Awaited<ReturnType<Readers['pagerduty']['oncall']>>[number];

/** An older page says nothing about how tired somebody is. */
const lookBackMs = 24 * 3_600_000;
const allStates = ['triggered', 'acknowledged', 'resolved'] as const;

export const pagerdutyPage = defineWrite(manifest, {
  async run(args, context) {
    const { writers, key, origin, signal } = context;
    const [open] = await Promise.all([openPage(args.service, context), refuseSilent(args.service, context)]);
    if (open !== null && open.mark === key) return paged(open.incident, context);
    if (open !== null) return join(open.incident, args.text, context);
    const { dedupKey } = await writers.pagerduty.page(
      {
        service: args.service,
        dedupKey: context.problem?.key ?? key,
        mark: key,
        summary: args.text,
        severity: severityOf(args),
        details: detailsOf(args, origin),
        link: origin.threadLink === null ? null : { href: origin.threadLink, text: 'Thread in Slack' },
      },
      signal,
    );
    return { dedup_key: dedupKey, state: 'accepted' as const, joined: false, noted: false };
  },
  find: ({ service }, context) => findPage(service, context),
  async complete({ text }, result, context) {
    const { incident: id } = result;
    const incident = id === undefined ? null : await context.readers.pagerduty.incident(id, context.signal);
    return incident === null ? result : join(incident, text, context);
  },
  async resolve({ service }, context) {
    if (service === undefined) return [];
    const { readers, now, signal } = context;
    const [people, silence, open] = await Promise.all([
      readers.pagerduty.oncall(service, signal),
      readers.pagerduty.silence(service, signal),
      openTarget(service, context),
    ]);
    const first = silence === null ? firstLevel(people) : [];
    const ids = first.map(({ id }) => id).sort();
    const pages = {
      ...{ arg: 'service', kind: 'service' as const, value: service },
      label:
        silence === null
          ? label(service, first, now())
          : `${silenceWords(service, silence)}; nobody would be paged`,
      identity: ids.length === 0 ? 'nobody' : ids.join(','),
      people: first.map(({ id, name }) => ({ id, name })),
    };
    return [pages, ...open];
  },
  async about({ service }, context) {
    if (service === undefined) return {};
    const { readers, now, signal } = context;
    const since = new Date(now().getTime() - lookBackMs);
    const filter = { services: [service], states: allStates, since, order: 'newest', limit: 1 } as const;
    const [people, { incidents }, open] = await Promise.all([
      readers.pagerduty.oncall(service, signal),
      readers.pagerduty.incidents(filter, signal),
      openBeside(service, context),
    ]);
    const [first, ...others] = firstLevel(people);
    const clock = others.length === 0 ? localTime(first?.timeZone ?? undefined, now()) : '';
    const last =
      incidents[0] === undefined ? '' : `last page at ${momentWords(incidents[0].createdAt, now())}`;
    const known = [clock === '' ? '' : `${clock} when this was read`, last].filter(Boolean).join(', ');
    const about = [known, open].filter(Boolean).join('; ');
    const handle = await handleOf(first?.email ?? '', context);
    return { ...(about === '' ? {} : { about }), ...(handle === null ? {} : { handle }) };
  },
  preview: ({ service, text, urgency }) =>
    `would page the on-call of ${service}${urgency === 'low' ? ' with low urgency' : ''}: “${text}”`,
});

/** Only the first level is paged at once; the next ones follow if nobody acknowledges. */
function firstLevel(people: readonly OnCallPerson[]): OnCallPerson[] {
  const lowest = Math.min(...people.map(({ level }) => level));
  return people.filter(({ level }) => level === lowest);
}

function label(service: string, people: readonly OnCallPerson[], now: Date): string {
  const [first] = people;
  if (first === undefined) return `pages ${service}, where nobody is on call now, so it may reach no one`;
  const names = people.map(({ name }) => name).join(' and ');
  return `pages ${names}, on call for ${service}${people.length === 1 ? untilWords(first.until, now) : ''}`;
}

/** PagerDuty derives urgency from severity: critical and error wake people, warning and info do not. */
function severityOf({ urgency, severity }: Args): 'critical' | 'error' | 'warning' | 'info' {
  const minor = severity === 'P4' || severity === 'P5';
  if (urgency === 'low') return minor ? 'info' : 'warning';
  return severity === undefined || severity === 'P1' ? 'critical' : 'error';
}

function detailsOf({ text, severity }: Args, origin: Origin): Record<string, string> {
  return {
    text,
    goal: origin.goal,
    requested_by: origin.requester,
    approved_by: origin.approver,
    ...(severity === undefined ? {} : { priority: severity }),
    ...(origin.threadLink === null ? {} : { thread: origin.threadLink }),
  };
}
