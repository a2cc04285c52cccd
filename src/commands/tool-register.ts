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
