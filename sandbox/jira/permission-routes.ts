import type { Hono } from 'hono';
import type { SandboxEnv } from '../journal.ts';
import { badRequest, JiraRefusal } from './errors.ts';
import type { Site } from './render.ts';

/** Some of Jira's project permissions; the bot's account has them all, since the sandbox never refuses for lack of one. */
const known: Readonly<Record<string, readonly [id: string, name: string]>> = {
  BROWSE_PROJECTS: ['10', 'Browse Projects'],
  CREATE_ISSUES: ['11', 'Create Issues'],
  EDIT_ISSUES: ['12', 'Edit Issues'],
  ASSIGN_ISSUES: ['13', 'Assign Issues'],
  ADD_COMMENTS: ['15', 'Add Comments'],
  TRANSITION_ISSUES: ['46', 'Transition Issues'],
};

export function addPermissionRoutes(app: Hono<SandboxEnv>, { store }: Site): void {
  app.get('/rest/api/3/mypermissions', (context) => {
    const names = context.req.query('permissions')?.split(',') ?? [];
    if (names.length === 0) throw badRequest('The permissions query parameter is required.');
    const unknown = names.filter((name) => !Object.hasOwn(known, name));
    if (unknown.length > 0) throw badRequest(`Unrecognized permission: ${unknown.join(', ')}`);
    const project = context.req.query('projectKey');
    if (project !== undefined && !store.world.jira.projects.some(({ key }) => key === project)) {
      throw new JiraRefusal(404, [`No project could be found with key '${project}'.`]);
    }
    const permissions = names.map((key) => {
      const [id = '', name = ''] = known[key] ?? [];
      return [key, { id, key, name, type: 'PROJECT', description: name, havePermission: true }];
    });
    return context.json({ permissions: Object.fromEntries(permissions) });
  });
}
