import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** The lines that a recipe tells its reader to type, in the order of the page. */
export interface Recipe {
  /** Kinds of its blocks. */
  readonly kinds: readonly string[];
  /** Lines of `slack` blocks. */
  readonly said: readonly string[];
  /** `plan` blocks as they are typed into `/plan`. */
  readonly plans: readonly string[];
  /** Lines of `sh` blocks that call the command line, without `npm run -s cli --`. */
  readonly commands: readonly (readonly string[])[];
  /** Sections of `countersign.yml`; a block further down replaces what one above says. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Lines of `.env`. */
  readonly env: Readonly<Record<string, string>>;
}

const folder = 'docs/recipes';
const call = 'npm run -s cli -- ';

export function recipeNames(): string[] {
  return readdirSync(folder).map((file) => file.replace(/\.md$/, ''));
}

/** Everything that stands in the fenced blocks of a recipe. */
export function readRecipe(name: string): Recipe {
  const page = readFileSync(`${folder}/${name}.md`, 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
    kind,
    text: text.trimEnd(),
  }));
  const of = (kind: string): string[] =>
    blocks.filter((block) => block.kind === kind).map(({ text }) => text);
  const lines = (kind: string): string[] => of(kind).flatMap((text) => text.split('\n'));
  return {
    kinds: blocks.map(({ kind }) => kind),
    said: lines('slack').map((line) => line.replace(/^\/plan /, '')),
    plans: of('plan'),
    commands: lines('sh')
      .filter((line) => line.startsWith(call))
      .map((line) => wordsOf(line.slice(call.length))),
    config: Object.assign({}, ...of('yaml').map((text) => sections.parse(parse(text)))),
    env: Object.fromEntries(
      lines('ini').flatMap((line) => {
        const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

const sections = z.record(z.string(), z.unknown());

/** A command line as a shell takes it apart; double quotes keep words together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}
