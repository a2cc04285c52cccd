import { Hono } from 'hono';
import { z } from 'zod';
import { issueTypes, priorities, statuses, transitionsFrom } from '../jira/model.ts';
import type { JiraStore } from '../jira/store.ts';
import type { SandboxEnv } from '../journal.ts';
import { bodyOf, ControlRefusal, personNamed } from './request.ts';

const priority = z.enum(priorities.map((one) => one.name));
const newIssue = z.object({
  as: z.string().min(1),
  project: z.string().min(1),
  priority: priority.default('P3'),
  issueType: z.enum(issueTypes.map((one) => one.name)).default('Task'),
  summary: z.string().trim().min(1).max(255),
  labels: z.array(z.string().regex(/^\S+$/)).default([]),
});
const move = z.object({ to: z.enum(statuses.map((one) => one.name)) });
const bulk = z.object({ project: z.string().min(1), priority, keepOpen: z.int().min(0) });

/** People's actions in Jira. */
export function jiraRoutes(store: JiraStore): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  routes.post('/issues', async (c) => {
    const { as, ...fields } = await bodyOf(c, newIssue);
    const person = personNamed(store.world, as);
    const reporter = store.users.find((one) => one.accountId === person.jiraAccountId) ?? store.bot;
    const { key } = store.create({ ...fields, project: knownProject(store, fields.project), reporter });
    return c.json({ key }, 201);
  });
  routes.post('/issues/bulk-close', async (c) => {
    const { project, priority: only, keepOpen } = await bodyOf(c, bulk);
    return c.json({ closed: store.bulkClose(knownProject(store, project), only, keepOpen) });
  });
  routes.post('/issues/:key/transition', async (c) => {
    const { to } = await bodyOf(c, move);
    const issue = store.find(c.req.param('key'));
    const transition = transitionsFrom(issue.status).find((one) => one.to === to);
    if (transition === undefined) {
      throw new ControlRefusal('no_transition', `${issue.key} cannot go from ${issue.status} to ${to}.`);
    }
    store.transition(issue, transition.id);
    return c.json({ key: issue.key, status: issue.status });
  });
  return routes;
}

function knownProject(store: JiraStore, key: string): string {
  const found = store.world.jira.projects.find((one) => one.key === key);
  if (found === undefined) throw new ControlRefusal('project_not_found', `There is no project ${key}.`, 404);
  return found.key;
}
