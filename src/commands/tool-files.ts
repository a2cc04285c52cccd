import { readFileSync } from 'node:fs';
import type { Effect } from '../core/manifest.ts';

/** A tool about to be created. */
export interface NewTool {
  /** `deploys.list` */
  readonly name: string;
  readonly system: string;
  /** True when no tool has this system yet. */
  readonly isNewSystem: boolean;
  /** "list", "roll back" */
  readonly verb: string;
  /** `deploysList` */
  readonly id: string;
  readonly effect: Effect;
}

export function newTool(name: string, effect: Effect, systems: ReadonlySet<string>): NewTool {
  const [system = '', verb = ''] = name.split('.');
  const id = name.replaceAll(/[._]([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return { name, system, isNewSystem: !systems.has(system), verb: verb.replaceAll('_', ' '), id, effect };
}

/** The files of a new tool, by path, from tools/templates. They work, and are a starting point for changes. */
export function filesFor(tool: NewTool): Record<string, string> {
  const { name, effect } = tool;
  return {
    [`manifests/${name}.ts`]: filled('manifest.ts', tool),
    [`tools/${effect}/${name}.ts`]: filled('tool.ts', tool),
    [`test/tools/${name}.test.ts`]: filled('test.ts', tool),
    [`planner/cases/tools/${name}.jsonl`]: filled('cases.jsonl', tool),
  };
}

function filled(template: string, { name, id, system, verb, effect }: NewTool): string {
  const file = new URL(`../../tools/templates/${effect}/${template}.txt`, import.meta.url);
  const values = { name, id, system, verb, Verb: verb.charAt(0).toUpperCase() + verb.slice(1) };
  return Object.entries(values).reduce(
    (text, [slot, value]) => text.replaceAll(`{{${slot}}}`, value),
    readFileSync(file, 'utf8'),
  );
}

/** The files that list every tool, with this one added. */
export function registered(
  { name, id, effect, system, isNewSystem }: NewTool,
  read: (file: string) => string,
): Record<string, string> {
  const list = effect === 'read' ? 'const reads = [' : 'const writes = [';
  const lists = {
    'manifests/all.ts': after(
      `import { ${id} } from './${name}.ts';\n${read('manifests/all.ts')}`,
      'readonly Manifest[] = [',
      `${id},`,
    ),
    'tools/all.ts': after(
      `import { ${id} } from './${effect}/${name}.ts';\n${read('tools/all.ts')}`,
      list,
      `${id},`,
    ),
  };
  if (!isNewSystem) return lists;
  return {
    ...lists,
    'src/core/manifest.ts': after(
      read('src/core/manifest.ts'),
      'export type ToolSystem =',
      `\n  | '${system}'`,
    ),
    // null: it needs no settings. Otherwise the missing settings go here, in words.
    'src/config/build-catalogue.ts': after(
      read('src/config/build-catalogue.ts'),
      '    mcp: null,',
      `\n    ${system}: null,`,
    ),
  };
}

function after(text: string, anchor: string, addition: string): string {
  const at = text.indexOf(anchor);
  if (at === -1) throw new RangeError(`there is no "${anchor}" to add to`);
  return text.slice(0, at + anchor.length) + addition + text.slice(at + anchor.length);
}
