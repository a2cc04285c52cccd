import { z } from 'zod';
import { address, freeText, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';
import type { Offer } from '../src/core/offer.ts';
import { addingNote, resolving } from './incident-words.ts';

export const pagerdutyPage = defineManifest({
  name: 'pagerduty.page',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Page the engineer who is on call for a service. Wakes a person.',
  keywords: ['page', 'wake', 'alert', 'notify on-call', 'ring', 'call out', 'escalate'],
  asked: {
    role: 'page',
    verbs: ['page', 'wake', 'alert', 'ring', 'call', 'escalate', 'notify'],
    nouns: ['on-call', 'page'],
    examples: [
      'page ops about the full disk',
      'wake the on-call of checkout: index is down',
      'page payments-api with low urgency about the expiring cert',
      'get somebody from ops out of bed, the site is down',
      'page ops',
    ],
  },
  args: z.object({
    service: target('service', 'service whose on-call is paged'),
    text: text(1_000, 'what the paged person reads first'),
    urgency: z.enum(['high', 'low']).describe('low does not wake; high if absent').optional(),
    severity: target('severity', 'priority P1 to P5').optional(),
  }),
  result: z.object({
    dedup_key: text(255, 'key that joins repeated events into one incident'),
    state: z
      .enum(['accepted', 'triggered', 'acknowledged', 'resolved'])
      .describe('what PagerDuty knows of it'),
    incident: target('incident', 'PagerDuty incident id').optional(),
    name: freeText(40, 'number of the incident: #12').optional(),
    since: freeText(40, 'when the incident was opened, ISO 8601').optional(),
    woken: freeText(200, 'the service whose incident it is, where that is another one').optional(),
    joined: z.boolean().describe('an incident about it was open already, so nobody was paged'),
    noted: z.boolean().describe('the text was added to that incident as a note'),
    why: freeText(500, 'why it was not').optional(),
    link: address('address of the incident').optional(),
  }),
  main: 'state',
  yields: 'internal',
  accepts: 'confidential',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) =>
    `Page the on-call of ${args.service}${args.urgency === 'low' ? ' with low urgency' : ''}: “${args.text}”`,
  said: ['incident', 'name', 'since', 'why', 'woken'],
  shows: {
    links: [{ field: 'link', words: 'Open the incident', names: 'name' }],
    besides: ['woken', 'noted', 'why'],
  },
  outcome: (result, args, targets) =>
    result.woken !== undefined
      ? strayedWords(result, args.service ?? '')
      : result.joined
        ? joinedWords(result)
        : pagedWords(result, args.service ?? '', targets),
  strays: ({ woken }) => woken !== undefined,
  oncePer: 'service',
  // A page that wakes people is never joined to one that does not.
  about: { same: { service: '', urgency: 'high' }, text: 'text', joins: 'an incident' },
  // Two simultaneous pages become one incident, with the text of the first.
  lacks: ({ joined, noted, why }) => joined && !noted && why === undefined,
  takenFirst: true,
  success: {
    words: ({ service }) => `an incident of ${service} was opened for it, or is still open`,
    // One of its own was opened, and somebody resolved it since: another page would wake people again.
    holds: '!made.joined || made.state != "resolved"',
    repeatable: true,
  },
  // One dedup_key opens one incident until that is resolved, and the Events API asks for a retry on 5xx and on a broken
  // connection.
  inDoubt: 'joins',
  keyShows: true,
  notDone: () => 'nobody was paged',
  calls: 'paged',
  reaches: ({ service, urgency }, targets) => {
    const known = targets.find(({ people }) => people !== undefined)?.people;
    // With an incident open about it the text is a note, and in maintenance nobody is called.
    if (known?.length === 0 || targets.some(({ kind }) => kind === 'incident')) return null;
    const names = known?.map(({ name }) => name).join(' and ');
    const whom = names === undefined ? `the on-call of ${service}` : `${names} (${service})`;
    return { how: urgency === 'low' ? 'tells' : 'wakes', whom };
  },
  urgent: true,
  nouns: { state: (args) => `the page to ${args.service}` },
  risk: 'high',
  undo: 'A page cannot be unsent. The incident that it opened can be resolved; tell the person who was paged.',
  undoBy: ({ state, joined, incident, dedup_key }) =>
    joined || state === 'resolved'
      ? null
      : {
          words: 'Resolve its incident',
          tool: 'pagerduty.resolve',
          args: { incident: incident ?? dedup_key },
        },
  livesOn: true,
  otherwise: ({ text = '' }, { handle, backup }) => {
    const asks = [{ arg: 'text', label: 'Message', value: text }];
    const message = { words: `Message ${handle}`, tool: 'slack.post', args: { user: handle ?? '' }, asks };
    const page = {
      words: `Page ${backup}`,
      tool: 'pagerduty.page',
      args: { service: backup ?? '' },
      asks,
    };
    return [...(handle === undefined ? [] : [message]), ...(backup === undefined ? [] : [page])];
  },
  offers: ({ incident, name = '', state }, now) => {
    const { title = '' } = now ?? {};
    return incident === undefined ? [] : next({ incident, name, state: now?.state ?? state, title });
  },
});

/** Next steps of the person who was paged; a resolved incident gets a write-up. */
function next(of: { incident: string; name: string; state: string; title: string }): Offer[] {
  const { incident, name, state, title } = of;
  const taken = state === 'acknowledged' || state === 'resolved';
  const ticket = {
    words: 'Open a ticket',
    tool: 'jira.create',
    args: { text: `Follow-up of PagerDuty incident ${name}` },
    asks: [
      { arg: 'project', label: 'Project' },
      { arg: 'summary', label: 'Summary', value: title },
    ],
  };
  return [
    ...(taken ? [] : [{ words: 'Acknowledge', tool: 'pagerduty.ack', args: { incident } }]),
    ...(state === 'resolved' ? [] : [resolving(incident)]),
    addingNote(incident),
    ticket,
  ];
}

function strayedWords(
  {
    name = '',
    woken = '',
    joined,
  }: { name?: string | undefined; woken?: string | undefined; joined: boolean },
  service: string,
): string {
  const became = joined ? 'was already open on' : 'was opened on';
  return `incident ${name} ${became} ${woken}, where the routing key of ${service} leads, and the on-call of ${service} was not paged`;
}

function joinedWords(result: {
  name?: string | undefined;
  since?: string | undefined;
  state: string;
  noted: boolean;
  why?: string | undefined;
}): string {
  const { name = '', since = '', state, noted, why = '' } = result;
  const opened = since === '' ? '' : `, since ${since.slice(0, 16).replace('T', ' ')} UTC`;
  const open = `incident ${name} was already open (${state}${opened})`;
  if (noted) return `${open}, so a note was added instead of paging anyone`;
  const reason = why && `: ${why}`;
  return `${open}, so nobody was paged, and no note was added${reason.replace(/\.$/, '')}`;
}

/** The people on the card are the people paged: the executor checked that just before. */
function pagedWords(
  { state, name = '' }: { state: string; name?: string | undefined },
  service: string,
  targets: readonly string[],
): string {
  const shown = targets.find((label) => label.startsWith('pages '));
  const label = shown ?? `pages the on-call of ${service}`;
  const words = state === 'accepted' ? 'PagerDuty took the page for $1' : '$1 was paged';
  const since = state === 'resolved' ? `; incident ${name} is resolved already` : '';
  return `${label.replace(/^pages (.*?)(?=, on call|$)/, words)}${since}`;
}
