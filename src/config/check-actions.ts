import { type Action, basedOn, mayReach, namesIn, secretsOf } from '../core/actions.ts';
import { own } from '../core/own-property.ts';
import { type Complaint, type Known, notForFronts } from './complaint.ts';
import type { OperatorConfig } from './schema.ts';
import { neededVariable } from './secret-files.ts';

type At = (path: readonly string[], message: string) => Complaint;

/** Problems with the actions beyond their schema. */
export function actionComplaints({ actions, mcp }: OperatorConfig, known: Known): Complaint[] {
  const systems = new Set([...known.tools.keys()].map((tool) => tool.split('.')[0] ?? ''));
  return Object.entries(actions).flatMap(([name, action]) => {
    const at: At = (path, message) => ({ path: ['actions', name, ...path], message });
    const system = name.split('.')[0] ?? '';
    const isTaken = systems.has(system) || Object.hasOwn(mcp, system);
    return [
      ...(isTaken ? [at([], `begins with ${system}, which has tools of its own`)] : []),
      ...effectComplaints(action, at),
      ...hostComplaints(action, known, at),
      ...nameComplaints(action, at),
      ...undoComplaints(action, actions, known, at),
      ...secretsOf(action).flatMap((variable) => secretComplaint(variable, known, at)),
    ];
  });
}

function effectComplaints({ effect, method, undo, body, form }: Action, at: At): Complaint[] {
  const sends = body !== undefined || form !== undefined;
  return [
    ...(effect === 'read' && method !== 'GET' ? [at(['method'], 'must be GET for what only reads')] : []),
    ...(effect === 'write' && undo === undefined
      ? [at(['undo'], 'is missing: a write says how it is taken back, or that nobody can')]
      : []),
    ...(body !== undefined && form !== undefined ? [at(['form'], 'must not stand beside a body')] : []),
    ...(sends && method === 'GET' ? [at(['method'], 'must not be GET with a body')] : []),
  ];
}

function hostComplaints(
  { url, look_up: look, hosts }: Action,
  { variables, checksEnvironment }: Known,
  at: At,
): Complaint[] {
  const reached: [string[], string][] = [[['url'], url]];
  if (look !== undefined) reached.push([['look_up', 'url'], look.url]);
  return reached.flatMap(([path, address]) => {
    const based = basedOn(address, (name) => variables.get(name));
    const open = based === null ? null : new URL(based.replaceAll(/[{}]/g, ''));
    // A variable that is not set has a complaint of its own.
    const isUnset =
      address.startsWith('{') && !(checksEnvironment && variables.has(namesIn(address)[0] ?? ''));
    if (open === null) return isUnset ? [] : [at(path, 'must begin with an https address')];
    return mayReach(hosts, open) ? [] : [at(path, `leads to ${open.host}, which is not under hosts`)];
  });
}

/** Every text with names in it, by where it stands. */
function textsOf({ url, query, body, form, look_up: look }: Action): [string[], string][] {
  const all = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(all)
        : [];
  return [
    [['url'], url],
    ...Object.values(query).map((text): [string[], string] => [['query'], text]),
    ...all(body).map((text): [string[], string] => [['body'], text]),
    ...all(form).map((text): [string[], string] => [['form'], text]),
    ...(look
      ? ([
          [['look_up', 'url'], look.url],
          [['look_up', 'is'], look.is],
        ] as [string[], string][])
      : []),
  ];
}

const isVariable = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name);

function nameComplaints(action: Action, at: At): Complaint[] {
  const { parameters, url, headers } = action;
  const unknown = textsOf(action).flatMap(([path, text]) =>
    namesIn(text)
      .filter((name) => name !== 'key' && !isVariable(name) && !Object.hasOwn(parameters, name))
      .map((name) => at(path, `names {${name}}, which is no parameter`)),
  );
  const [path = ''] = url.split('?');
  const open = namesIn(path).filter((name) => own(parameters, name)?.optional === true);
  const strange = Object.entries(headers).flatMap(([header, value]) =>
    namesIn(value)
      .filter((name) => !isVariable(name))
      .map((name) =>
        at(['headers', header], `names {${name}}; a header holds variables such as {DEPLOY_TOKEN}`),
      ),
  );
  const isTaken = Object.hasOwn(parameters, 'key');
  return [
    ...unknown,
    ...open.map((name) => at(['parameters', name], 'must not be optional: it is part of the path')),
    ...strange,
    ...(isTaken ? [at(['parameters', 'key'], 'is the name of the key that makes it safe to repeat')] : []),
  ];
}

function undoComplaints(
  { undo, parameters, results }: Action,
  actions: OperatorConfig['actions'],
  known: Known,
  at: At,
): Complaint[] {
  if (undo?.action === undefined) return [];
  const other = own(actions, undo.action);
  if (other === undefined && !known.tools.has(undo.action)) return [at(['undo', 'action'], 'is no action')];
  const strange = Object.values(undo.with)
    .flatMap(namesIn)
    .filter((name) => !Object.hasOwn(parameters, name) && !Object.hasOwn(results, name));
  const odd = Object.keys(undo.with).filter((name) => other && !Object.hasOwn(other.parameters, name));
  return [
    ...strange.map((name) => at(['undo', 'with'], `names {${name}}, which is no parameter and no result`)),
    ...odd.map((name) => at(['undo', 'with', name], `is no parameter of ${undo.action}`)),
  ];
}

function secretComplaint(
  variable: string,
  { variables, holdsNoKeys, checksEnvironment }: Known,
  at: At,
): Complaint[] {
  if (holdsNoKeys) return variables.has(variable) ? [at(['headers'], notForFronts(variable))] : [];
  if (!checksEnvironment || variables.has(variable)) return [];
  return [at(['headers'], neededVariable(variable, variables))];
}
