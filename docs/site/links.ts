import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { placeOf, root } from './contents.ts';

/** A part of a parsed page, as markdown-it has it: as much of it as links need. */
interface Token {
  readonly type: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}
type Rule = (state: { tokens: Token[]; env: { path: string } }) => void;
interface MarkdownIt {
  readonly core: { readonly ruler: { push(name: string, rule: Rule): void } };
}

/**
 * The pages of the project, put where VitePress builds from, with links that lead from file to file in the project made
 * links of the site: to a page where the file is one, otherwise to its text. One that leads nowhere stops the build.
 */
export class Pages {
  readonly #folder: string;
  readonly #base: string;
  /** Page of the project by its place in the site. */
  readonly #places: ReadonlyMap<string, string>;
  readonly #files = new Set<string>();

  constructor(pages: readonly string[], folder: string, base: string) {
    this.#folder = folder;
    this.#base = base;
    this.#places = new Map(pages.map((page) => [placeOf(page), page]));
  }

  /** Copies them afresh, with their pictures. */
  place(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    for (const [place, page] of this.#places) cpSync(join(root, page), join(this.#folder, place));
    cpSync(join(root, 'docs/images'), join(this.#folder, 'public/images'), { recursive: true });
  }

  /** What markdown-it is told. */
  link(markdown: MarkdownIt): void {
    markdown.core.ruler.push('project-links', ({ tokens, env }) => {
      const page = this.#places.get(relative(this.#folder, env.path));
      if (page === undefined) return;
      for (const token of tokens.flatMap(({ children }) => children ?? [])) {
        if (token.type === 'link_open') this.#changeLink(token, page);
        if (token.type === 'image') this.#changeImage(token, page);
      }
    });
  }

  #changeLink(token: Token, page: string): void {
    const [file, anchor] = meant(token.attrGet('href') ?? '', page);
    if (file === null) return;
    if ([...this.#places.values()].includes(file)) {
      token.attrSet('href', `/${placeOf(file)}${anchor}`);
      return;
    }
    this.#files.add(file);
    token.attrSet('href', `${this.#base}${textOf(file)}`);
    token.attrSet('target', '_blank');
    token.attrSet('rel', 'noreferrer');
  }

  #changeImage(token: Token, page: string): void {
    const [file] = meant(token.attrGet('src') ?? '', page);
    if (file !== null) token.attrSet('src', `/${file.replace(/^docs\//, '')}`);
  }

  /** Puts what pages link to into the built site, as text that a browser shows; of a folder, its list of files. */
  copyLinked(site: string): void {
    for (const file of this.#files) {
      const text = join(site, textOf(file));
      mkdirSync(dirname(text), { recursive: true });
      if (statSync(join(root, file)).isDirectory()) {
        writeFileSync(text, `${readdirSync(join(root, file)).sort().join('\n')}\n`);
      } else cpSync(join(root, file), text);
    }
  }
}

/** The file of the project that a link of a page leads to; null for one that leads elsewhere or stays on the page. */
function meant(address: string, page: string): [file: string | null, anchor: string] {
  const at = address.indexOf('#');
  const [path, anchor] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
  if (path === '' || /^([a-z]+:|\/)/.test(path)) return [null, anchor];
  const file = join(dirname(page), decodeURI(path)).replace(/\/$/, '');
  if (!existsSync(join(root, file))) throw new Error(`${page} links to ${file}, which does not exist`);
  return [file, anchor];
}

function textOf(file: string): string {
  return file.endsWith('.txt') ? `files/${file}` : `files/${file}.txt`;
}
