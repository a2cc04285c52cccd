import type { Hono } from 'hono';
import type { SandboxEnv } from '../journal.ts';
import { readJson } from '../read-json.ts';
import { documentText, isDocument } from './adf.ts';
import { isKnownLink, keyOf, readLinks, readNewIssue } from './create-fields.ts';
import { badRequest, issueNotFound, JiraRefusal } from './errors.ts';
import { type EntityProperty, transitionsFrom } from './model.ts';
import { commentJson, issueJson, type Site, transitionJson } from './render.ts';
import { createFieldsJson, createTypesJson } from './screens.ts';
import { unreadable } from './search-routes.ts';
import { slaJson } from './sla.ts';
import { propertiesByKey } from './store.ts';

const maxCommentLength = 32_767;

export function addIssueRoutes(app: Hono<SandboxEnv>, site: Site): void {
  const { store } = site;
  app.post('/rest/api/3/issue', async (context) => {
    const body = await readJson(context, unreadable);
    if (body.properties !== undefined && !isProperties(body.properties)) throw badRequest('INVALID_INPUT');
    const links = readLinks(body.update, store);
    const asked = readNewIssue(body.fields, store, links.length > 0);
    const properties = propertiesByKey(body.properties ?? []);
    const issue = store.create({ ...asked, properties, links });
    return context.json(
      { id: issue.id, key: issue.key, self: `${site.base}/rest/api/3/issue/${issue.id}` },
      201,
    );
  });
  app.post('/rest/api/3/issueLink', async (context) => {
    const body = await readJson(context, unreadable);
    if (!isKnownLink(body)) throw new JiraRefusal(404, ['No issue link type with this name found.']);
    store.link(store.find(keyOf(body.inwardIssue)), keyOf(body.outwardIssue));
    return context.body(null, 201);
  });
  app.get('/rest/api/3/issue/:key', (context) => {
    const wanted = (context.req.queries('fields') ?? []).flatMap((name) => name.split(','));
    const issue = store.find(context.req.param('key'));
    const properties = (context.req.queries('properties') ?? []).flatMap((name) => name.split(','));
    return context.json(issueJson(site, issue, wanted.length === 0 ? ['*all'] : wanted, properties));
  });
  addCreateMetaRoutes(app, site);
  addCommentRoutes(app, site);
  addTransitionRoutes(app, site);
  app.get('/rest/servicedeskapi/request/:key/sla', (context) => {
    const issue = findOrUndefined(() => store.find(context.req.param('key')));
    if (issue?.project !== 'OPS') {
      const errorMessage =
        'The request you are trying to view does not exist or you do not have permission to see it.';
      const i18nErrorMessage = { i18nKey: 'sd.request.not.found', parameters: [] };
      return context.json({ errorMessage, i18nErrorMessage }, 404);
    }
    return context.json(slaJson(site, issue));
  });
}

function addCommentRoutes(app: Hono<SandboxEnv>, site: Site): void {
  const { store } = site;
  app.post('/rest/api/3/issue/:key/comment', async (context) => {
    const issue = store.find(context.req.param('key'));
    const { body, properties = [] } = await readJson(context, unreadable);
    if (typeof body !== 'object' || body === null) {
      throw new JiraRefusal(400, [], { comment: 'Comment body is not valid!' });
    }
    if (!isDocument(body)) throw badRequest('INVALID_INPUT');
    const text = documentText(body);
    if (text.trim() === '') throw new JiraRefusal(400, [], { comment: 'Comment body can not be empty!' });
    if (text.length > maxCommentLength) {
      const comment = 'The entered text is too long. It exceeds the allowed limit of 32,767 characters.';
      throw new JiraRefusal(400, [], { comment });
    }
    if (!isProperties(properties)) throw badRequest('INVALID_INPUT');
    return context.json(commentJson(site, issue, store.comment(issue, store.bot, body, properties)), 201);
  });
  app.post('/rest/api/3/comment/list', async (context) => {
    const { ids } = await readJson(context, unreadable);
    if (!Array.isArray(ids) || ids.length > 1_000) throw badRequest('A list of comment ids is required.');
    const wanted = new Set(ids.map(String));
    const withProperties = context.req.query('expand')?.split(',').includes('properties') === true;
    const values = store
      .issues()
      .flatMap((issue) =>
        issue.comments
          .filter(({ id }) => wanted.has(id))
          .map((comment) => commentJson(site, issue, comment, withProperties)),
      );
    return context.json({ startAt: 0, maxResults: 1_000, total: values.length, isLast: true, values });
  });
  app.get('/rest/api/3/issue/:key/comment', (context) => {
    const issue = store.find(context.req.param('key'));
    const startAt = wholeNumber(context.req.query('startAt'), 0);
    const maxResults = Math.min(wholeNumber(context.req.query('maxResults'), 50), 5_000);
    const newestFirst = context.req.query('orderBy') === '-created';
    const all = newestFirst ? issue.comments.toReversed() : issue.comments;
    const comments = all.slice(startAt, startAt + maxResults).map((one) => commentJson(site, issue, one));
    return context.json({ startAt, maxResults, total: all.length, comments });
  });
}

function isProperties(value: unknown): value is EntityProperty[] {
  if (!Array.isArray(value)) return false;
  return value.every((one) => typeof one === 'object' && one !== null && typeof one.key === 'string');
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function addCreateMetaRoutes(app: Hono<SandboxEnv>, site: Site): void {
  const path = '/rest/api/3/issue/createmeta/:project/issuetypes';
  const projectOf = (asked: string): string => {
    const found = site.store.world.jira.projects.find(({ id, key }) => key === asked || id === asked);
    if (found === undefined) throw badRequest(`No project could be found with key '${asked}'.`);
    return found.key;
  };
  app.get(path, (context) => {
    projectOf(context.req.param('project'));
    return context.json(createTypesJson(site.base));
  });
  app.get(`${path}/:type`, (context) => {
    const startAt = wholeNumber(context.req.query('startAt'), 0);
    const { project, type } = context.req.param();
    return context.json(createFieldsJson(projectOf(project), type, startAt));
  });
}

function addTransitionRoutes(app: Hono<SandboxEnv>, site: Site): void {
  const { store } = site;
  app.get('/rest/api/3/issue/:key/transitions', (context) => {
    const issue = store.find(context.req.param('key'));
    const offered = transitionsFrom(issue.status);
    const withFields = context.req.query('expand')?.includes('transitions.fields') === true;
    const only = context.req.query('transitionId');
    const shown = offered.filter((one) => only === undefined || one.id === only);
    return context.json({
      expand: 'transitions',
      transitions: shown.map((one) => transitionJson(site, issue, one, withFields)),
    });
  });
  app.post('/rest/api/3/issue/:key/transitions', async (context) => {
    const issue = store.find(context.req.param('key'));
    const { transition, fields, properties } = await readJson(context, unreadable);
    if (properties !== undefined && !isProperties(properties)) throw badRequest('INVALID_INPUT');
    const id =
      typeof transition === 'object' && transition !== null && 'id' in transition ? transition.id : undefined;
    if (id === undefined || id === null) throw badRequest("Missing 'transition' identifier");
    if (!/^\d+$/.test(String(id))) {
      throw badRequest(`Transition id '${String(id)}' is not valid for this issue.`);
    }
    store.transition(issue, String(id), { fields: recordOf(fields), properties: properties ?? [] });
    return context.body(null, 204);
  });
}

function wholeNumber(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d+$/.test(text)) throw badRequest(`Expected a whole number but got '${text}'.`);
  return Number(text);
}

function findOrUndefined<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof JiraRefusal && error.status === issueNotFound().status) return undefined;
    throw error;
  }
}
