import { type NameIndex, nameIndex } from '../../src/plan/everyday/names.ts';
import type { TrainCase } from './cases.ts';
import type { Names } from './names.ts';
import { pick, type Random } from './random.ts';

/** Share of the workspaces in which a project, a service and a channel have one name. */
const shared = 0.4;

/** A workspace with most of a request's names, and others. */
export function workspaceOf(entry: TrainCase, of: Names, at: Random): NameIndex {
  const steps = [...entry.steps, ...(entry.was?.steps ?? [])];
  const said = (...args: string[]): string[] => [
    ...new Set(
      steps
        .flatMap(({ args: own }) => args.map((arg) => own[arg]))
        .filter((value) => typeof value === 'string' && !/[$?]/u.test(value) && at() < 0.9) as string[],
    ),
  ];
  const keys = said('key').map((key) => key.replace(/-\d+$/u, ''));
  const [services, projects, channels] = [
    said('service', 'incident').filter((name) => !/^\W?\d/u.test(name)),
    said('project'),
    said('channel').map((name) => name.replace(/^#/u, '')),
  ];
  const both =
    at() < shared
      ? [...services, ...projects, ...channels].filter((name) => /^[a-z][a-z0-9_]{1,14}$/iu.test(name))
      : [];
  const low = both.map((name) => name.toLowerCase());
  return nameIndex({
    services: [...services, ...low, pick(of.service, at), pick(of.service, at)].map((name) => ({
      ...{ name, pagerdutyId: '' },
    })),
    projects: [...projects, ...keys, ...both, pick(of.project, at)].map((key) => ({
      key: key.toUpperCase(),
      aliases: [],
    })),
    channels: [...channels, ...low, pick(of.channel, at)].map((name) => ({
      name: name.replace(/^#/u, ''),
      id: '',
      clearance: 'internal',
    })),
    people: [
      ...said('user', 'assignee').filter((name) => !/^(?:me|unassigned)$/u.test(name)),
      ...(entry.people ?? []),
      pick(of.user, at),
    ].map((name) => ({ handle: name.replace(/^@/u, ''), id: '' })),
  });
}
