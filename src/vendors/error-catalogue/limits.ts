import path from 'node:path';

/** Maximum bytes of one file of known errors; reading YAML takes a hundred times its size. */
export const maxBytes = { markdown: 2_000_000, yaml: 500_000 };
export const maxErrors = 20_000;
/** Maximum characters of one text of an error. */
export const maxWords = 4_000;

/** True for a Markdown file, false for YAML. */
export function isMarkdown(file: string): boolean {
  return /\.(md|markdown)$/i.test(path.extname(file));
}
