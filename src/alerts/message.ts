import type { Button, RichTextBlockElement } from '@slack/types';
import { fixButtons, sameButtons } from '../blocks/causes.ts';
import { missingElements } from '../blocks/evidence.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import type { Block, Message } from '../blocks/message.ts';
import {
  bold,
  bullets,
  code,
  italic,
  line,
  lines,
  link,
  noticeText,
  rich,
  type Span,
  time,
} from '../blocks/rich.ts';
import { type LinkHosts, mayLink } from '../core/address.ts';
import type { AlertRule } from '../core/alert.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { AlertProblemRow, AlertRow } from '../store/tables.ts';
import type { Evidence } from './evidence.ts';
import { counted } from './state.ts';
import { movedAway, titlesIn } from './words.ts';

/** The one message about a problem, drawn anew whenever something changes. */

export interface Shown {
  readonly problem: AlertProblemRow;
  readonly alerts: readonly AlertRow[];
  /** Null for a rule that is gone. */
  readonly rule: AlertRule | null;
  /** Null before the first look. */
  readonly evidence: Evidence | null;
}

interface Drawing {
  readonly hosts: LinkHosts;
  readonly now: () => Date;
}

const maxAlerts = 5;

export function problemMessage(shown: Shown, { hosts, now }: Drawing): Message {
  const { problem, evidence } = shown;
  const head = headline(shown, now());
  const blocks: Block[] = [
    rich([lines([head, ...about(shown, now())]), ...alertList(shown, hosts, now())], 'alert'),
  ];
  const isOpen = problem.state === 'open';
  const found = evidence === null ? [] : evidenceElements(evidence, hosts);
  if (found.length > 0) blocks.push(rich(found, 'evidence'));
  else if (evidence === null && isOpen)
    blocks.push(rich([line(italic('Looking up the evidence …'))], 'evidence'));
  blocks.push(rich([line(...facts(shown))], 'facts'));
  const buttons = evidence === null ? [] : isOpen ? buttonsFor(problem, evidence) : reviewButton(evidence);
  if (buttons.length > 0) blocks.push(actions(buttons, 'buttons'));
  return { text: noticeText(head), blocks };
}

function headline({ problem, alerts }: Shown, now: Date): Span[] {
  const { firing } = counted(alerts, now);
  const word = alerts.length === 0 ? 'Moved' : problem.state === 'closed' ? 'Over' : 'Firing';
  const named = problem.state === 'closed' || firing.length === 0 ? alerts : firing;
  const service = problem.service === '' ? '' : ` · ${cut(oneLine(problem.service), 80)}`;
  return [bold(`${word}: ${titlesIn(named) || problem.rule}${service}`)];
}

/** "P1 · since 10:02 · 3 alerts firing, 2 over". */
function about({ problem, alerts, rule }: Shown, now: Date): Span[][] {
  const { firing, over, lost } = counted(alerts, now);
  const begun = (firing.length > 0 ? firing : alerts).map((one) => one.since.getTime());
  const since = begun.length === 0 ? problem.firedAt : new Date(Math.min(...begun));
  const counts = [
    firing.length > 1 || (firing.length === 1 && over.length > 0) ? `${firing.length} firing` : '',
    over.length > 0 && problem.state === 'open' ? `${over.length} over` : '',
    lost.length > 0 ? `${lost.length} not heard of for a day` : '',
  ].filter(Boolean);
  const parts: Span[][] = [
    ...(rule?.priority ? [[rule.priority]] : []),
    ['since ', time(since.toISOString())],
    ...(problem.closedAt === null ? [] : [['over ', time(problem.closedAt.toISOString())]]),
    ...(counts.length === 0 ? [] : [[counts.join(', ')]]),
    ...(problem.firings > 1
      ? [[`began ${problem.firings} times since `, time(problem.openedAt.toISOString())]]
      : []),
  ];
  return [parts.flatMap((part, nth) => (nth === 0 ? part : [' · ', ...part]))];
}

function alertList({ problem, alerts }: Shown, hosts: LinkHosts, now: Date): RichTextBlockElement[] {
  const { firing } = counted(alerts, now);
  const named = problem.state === 'open' && firing.length > 0 ? firing : alerts;
  // One alert has said its title in the headline; a storm repeats the same words.
  const items = named.slice(0, maxAlerts).map((one) => line(...alertWords(one, named.length > 1, hosts)));
  const more = named.length - maxAlerts;
  const rest = more > 0 ? [line(italic(`and ${more} more`))] : [];
  const moved = named.length === 0 ? [line(movedAway)] : [];
  return [bullets([...items, ...rest, ...moved])];
}

/** Its own words: data, which nothing acts on. */
function alertWords(
  { title, text, link: to, labels }: AlertRow,
  withTitle: boolean,
  hosts: LinkHosts,
): Span[] {
  const name = withTitle ? cut(title, 100) : '';
  const words = text === '' || text === title ? labelWords(labels) : cut(text, 300);
  const address: Span[] = to !== '' && mayLink(to, hosts) ? [' · ', link(to, 'in monitoring')] : [];
  return [[name, words].filter(Boolean).join(': ') || title, ...address];
}

function labelWords(labels: Readonly<Record<string, string>>): string {
  const named = Object.entries(labels).filter(([name]) => name !== 'alertname');
  return cut(
    named
      .slice(0, 6)
      .map(([name, value]) => oneLine(`${name}=${value}`))
      .join(', '),
    300,
  );
}

function evidenceElements(
  { incidents, causes, found, around, missing }: Evidence,
  hosts: LinkHosts,
): RichTextBlockElement[] {
  const paged = incidents === null ? [] : [lines(incidentRows(incidents, hosts))];
  return [...paged, ...causes, ...found, ...around, ...missingElements(missing.map((one) => oneLine(one)))];
}

function incidentRows(incidents: NonNullable<Evidence['incidents']>, hosts: LinkHosts): Span[][] {
  if (incidents.length === 0) return [[bold('PagerDuty: '), 'no open incident, so nobody was woken.']];
  const rows = incidents.slice(-3).map(({ number, title, state, url, assigned }): Span[] => {
    const name = `#${number}`;
    const people =
      assigned.length === 0
        ? 'assigned to nobody'
        : `${assigned.join(', ')} ${assigned.length === 1 ? 'was' : 'were'} notified`;
    const how = state === 'acknowledged' ? 'acknowledged' : 'not acknowledged yet';
    return [
      bold('PagerDuty: '),
      mayLink(url, hosts) ? link(url, name) : name,
      ` ${cut(oneLine(title), 120)} · ${people}, ${how}`,
    ];
  });
  const more = incidents.length - rows.length;
  return more > 0 ? [...rows, [italic(`and ${more} older open incidents`)]] : rows;
}

function facts({ problem, alerts, rule }: Shown): Span[] {
  const doors = [...new Set(alerts.map(({ door }) => door))];
  const from = doors.flatMap((door, nth): Span[] => [nth === 0 ? ' · from ' : ', ', code(door)]);
  const read: Span[] =
    problem.evidenceAt === null ? [] : [' · read ', time(problem.evidenceAt.toISOString(), '{time}')];
  return [italic(`Rule ${problem.rule}${rule === null ? ', which is gone' : ''}`), ...from, ...read];
}

/** A problem that is over can be looked back at. */
function reviewButton({ seen }: Evidence): Button[] {
  const { number } = seen.at(-1) ?? {};
  if (number === undefined) return [];
  return [button({ text: `Review #${number}`, action: actionIds.reviewAlert, value: String(number) })];
}

/** Acknowledge, for the newest incident that nobody has acknowledged; the fixes of supported causes, and what was done before. */
function buttonsFor({ id }: AlertProblemRow, { incidents, fixes, again }: Evidence): Button[] {
  const open = incidents?.findLast(({ state }) => state === 'triggered');
  const acknowledge =
    open === undefined
      ? []
      : [
          button({
            text: `Acknowledge #${open.number}`,
            action: actionIds.ackAlert,
            value: `${id}:${open.id}`,
          }),
        ];
  const fix = { action: actionIds.fixAlert, value: (cause: string) => `${id}:${cause}` };
  return [...acknowledge, ...fixButtons(fixes, fix), ...sameButtons(again)];
}
