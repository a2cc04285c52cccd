import type { Readers, Writers } from '../../src/core/ports.ts';
import { queryBook } from '../../src/core/queries/bind.ts';
import { fakeJira, jiraBehaviour } from './fake-jira.ts';
import { fakePagerDuty, pagerDutyBehaviour } from './fake-pagerduty.ts';
import { fakeSlack, slackBehaviour } from './fake-slack.ts';

/** Every vendor in memory. Tests replace the parts of `behaviour` that they are about. */
export function createVendors() {
  const behaviour = { maxOpen: 20, ...jiraBehaviour(), ...pagerDutyBehaviour(), ...slackBehaviour() };
  const { comments, ...jira } = fakeJira(behaviour);
  const { pages, ...pagerduty } = fakePagerDuty(behaviour);
  const { posts, ...slack } = fakeSlack(behaviour);
  const readers: Readers = {
    calendar: { zone: 'UTC' },
    ...jira.readers,
    ...pagerduty.readers,
    ...slack.readers,
    errors: { lookUp: async () => ({ found: [], near: [] }) },
    runbooks: [{ search: async () => ({ total: 0, hits: [] }) }],
    sla: { threshold: () => ({ maxOpen: behaviour.maxOpen, resolveWithin: null }), resolution: () => null },
    queries: queryBook([], new Set()),
    ...{ azure: partly({}), splunk: partly({}), prometheus: partly({}), databases: partly({}) },
    model: { summarize: async (material) => `summary of ${material.length} characters` },
    mcp: partly<Readers['mcp']>({}),
    wiki: partly<Readers['wiki']>({}),
    actions: partly<Readers['actions']>({}),
  };
  const mcp = partly<Writers['mcp']>({});
  const actions = partly<Writers['actions']>({});
  const wiki = partly<Writers['wiki']>({});
  const writers: Writers = { ...jira.writers, ...pagerduty.writers, ...slack.writers, mcp, actions, wiki };
  return { comments, pages, posts, behaviour, readers, writers };
}

export type Vendors = ReturnType<typeof createVendors>;

/** A reader or writer with the given methods; every other one fails. */
export function partly<P extends object>(own: Partial<P>): P {
  return new Proxy(own as P, {
    get: (target, name) =>
      Reflect.get(target, name) ?? (() => Promise.reject(new Error(`${String(name)} is not expected here`))),
  });
}

/** Readers or writers of which only the given ones do anything. */
export function vendorsWith<V extends Readers | Writers>(own: Partial<V>): V {
  return new Proxy(own as V, { get: (target, name) => Reflect.get(target, name) ?? partly({}) });
}
