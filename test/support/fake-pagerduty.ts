import type {
  Incident,
  OnCallPerson,
  PagerDutyReader,
  PagerDutyWriter,
} from '../../src/vendors/pagerduty/port.ts';

type Page = Parameters<PagerDutyWriter['page']>[0];

const ana: OnCallPerson = {
  id: 'PANA01',
  name: 'Ana Ruiz',
  email: 'ana@acme.example',
  level: 1,
  until: null,
};

/** A newly opened incident of ops. */
export const anIncident: Incident = {
  id: 'Q1',
  number: 1,
  title: 'OPS is down',
  state: 'triggered',
  urgency: 'high',
  service: 'ops',
  serviceName: 'ops',
  url: 'https://acme.pagerduty.com/incidents/Q1',
  createdAt: '2026-03-10T12:00:00Z',
  changedAt: '2026-03-10T12:00:00Z',
  changedBy: '',
};

const notHere = () => Promise.reject(new Error('not part of the fake'));

/** Parts of the fake that tests replace. */
export const pagerDutyBehaviour = () => ({
  oncall: async (): Promise<OnCallPerson[]> => [ana],
  /** Called before and after a page is accepted. Throwing afterwards simulates a lost answer. */
  beforePage: async (_page: Page, _signal: AbortSignal): Promise<void> => {},
  afterPage: async (_page: Page): Promise<void> => {},
  /** Called before a page is looked up. */
  beforeFind: async (): Promise<void> => {},
});

/** An in-memory PagerDuty for tests: finds pages again by their key. */
export function fakePagerDuty(behaviour: ReturnType<typeof pagerDutyBehaviour> = pagerDutyBehaviour()) {
  const pages: Page[] = [];
  const reader: PagerDutyReader = {
    oncall: () => behaviour.oncall(),
    silence: async () => null,
    async shifts() {
      const people = await behaviour.oncall();
      return { shifts: people.map((person) => ({ ...person, since: null })), timeZone: null };
    },
    async pageByKey(_service, key) {
      await behaviour.beforeFind();
      const found = pages.find((page) => page.dedupKey === key);
      return found === undefined ? null : { incident: anIncident, mark: found.mark, noted: false };
    },
    ...{
      incident: notHere,
      incidents: notHere,
      pastIncidents: notHere,
      incidentByKey: notHere,
      noteByMark: notHere,
      life: notHere,
    },
  };
  const writer: PagerDutyWriter = {
    async page(page, signal) {
      await behaviour.beforePage(page, signal);
      // One key opens one incident, however often it arrives.
      if (pages.every(({ dedupKey }) => dedupKey !== page.dedupKey)) pages.push(page);
      await behaviour.afterPage(page);
      return { dedupKey: page.dedupKey };
    },
    ...{ note: notHere, setState: notHere },
  };
  return { pages, readers: { pagerduty: reader }, writers: { pagerduty: writer } };
}
