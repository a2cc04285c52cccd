import { actionManifests } from '../manifests/actions.ts';
import { type Action, type Actions, hostOf } from '../src/core/actions.ts';
import { fieldInfo } from '../src/core/fields.ts';
import type { Manifest } from '../src/core/manifest.ts';
import { defineRead, defineWrite, type ResolvedTarget, type Tool } from '../src/core/tool.ts';

/** The implementations of the operator's actions, by tool name. */
export function actionTools(actions: Actions): Map<string, Tool> {
  return new Map(
    actionManifests(actions).flatMap((manifest): [string, Tool][] => {
      const action = actions[manifest.name];
      return action === undefined ? [] : [[manifest.name, toolFor(manifest, action)]];
    }),
  );
}

function toolFor(manifest: Manifest, action: Action): Tool {
  const { name } = manifest;
  if (manifest.effect === 'read') {
    const call = { name, key: '' };
    return {
      effect: 'read',
      tool: defineRead(manifest, (args, { readers, signal }) =>
        readers.actions.call({ ...call, args }, signal),
      ),
    };
  }
  const tool = defineWrite(manifest, {
    run: (args, { writers, key, signal }) => writers.actions.call({ name, args, key }, signal),
    find: (args, { readers, key, signal }) => readers.actions.find({ name, args, key }, signal),
    resolve: async (args) => targetsOf(manifest, action, args),
    preview: (args) => `would call ${name}: ${JSON.stringify(args)}`,
  });
  return { effect: 'write', tool };
}

/** Each thing that it names, with the host that will be told. */
function targetsOf(
  manifest: Manifest,
  { url, method, hosts }: Action,
  args: Readonly<Record<string, unknown>>,
): Omit<ResolvedTarget, 'step'>[] {
  const host = hostOf(url) ?? hosts.join(' or ');
  return Object.entries(manifest.args.shape).flatMap(([arg, schema]) => {
    const kind = fieldInfo(schema).target;
    const value = args[arg];
    if (kind === undefined || typeof value !== 'string') return [];
    const about = { arg, kind, value, identity: `${method} ${url} ${value}` };
    return [{ ...about, label: `changes ${value} by a call to ${host}` }];
  });
}
