import { visibleText } from './clean-text.ts';

const special = /[\\`*_{}[\]<>()#+!|~&]/g;

/** Plain text as Markdown that reads the same. Lines that begin with `## ` stay headings, those with `- ` a list. */
export function markdownOf(text: string): string {
  const lines = visibleText(text).split('\n');
  return lines
    .map((line, at) => {
      const mark = /^(?:## |- )/.exec(line)?.[0] ?? '';
      const words = literal(line.slice(mark.length));
      if (mark === '## ') return `## ${words}\n`;
      // Without it, the next line would continue the paragraph.
      const goesOn = mark === '' && words !== '' && (lines[at + 1] ?? '') !== '';
      return `${mark}${words}${goesOn ? '  ' : ''}`;
    })
    .join('\n');
}

/** Words without any meaning in Markdown; what begins a line there is one, too. */
function literal(words: string): string {
  return words
    .replaceAll(special, '\\$&')
    .replace(/^(\s*)([-=:])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2');
}
