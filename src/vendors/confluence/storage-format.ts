import { visibleText } from '../../core/clean-text.ts';
import { escapeMarkup } from '../http/escape-markup.ts';

/** Confluence's storage format: XHTML with macros. Everything of a text is escaped, so it can add neither. */

/** Lines that begin with `## ` are headings, with `- ` a list; any other line is a paragraph. */
export function storageFormat(text: string, mark: string): string {
  const lines = visibleText(text).split('\n');
  const blocks = lines.map((line, at) => {
    if (line.startsWith('## ')) return `<h2>${escapeMarkup(line.slice(3))}</h2>`;
    if (!isItem(line)) return line.trim() === '' ? '' : `<p>${escapeMarkup(line)}</p>`;
    const begins = isItem(lines[at - 1]) ? '' : '<ul>';
    const ends = isItem(lines[at + 1]) ? '' : '</ul>';
    return `${begins}<li><p>${escapeMarkup(line.slice(2))}</p></li>${ends}`;
  });
  return `${blocks.join('')}${anchor(mark)}`;
}

function isItem(line: string | undefined): boolean {
  return line?.startsWith('- ') ?? false;
}

/** An anchor is invisible, and is created with the page; a property would need a second request. */
function anchor(mark: string): string {
  const name = `<ac:parameter ac:name="">${prefix}${escapeMarkup(mark)}</ac:parameter>`;
  return `<p><ac:structured-macro ac:name="anchor">${name}</ac:structured-macro></p>`;
}

const prefix = 'countersign-';

/** The marks in a stored page. */
export function marksIn(storage: string): string[] {
  return [...storage.matchAll(/<ac:parameter ac:name="">countersign-([^<]{1,200})</g)].map(
    ([, mark = '']) => mark,
  );
}
