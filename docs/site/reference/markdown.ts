/** A table; what stands in its cells is Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** A page as it is written: parts below a heading, and a word on where they come from. */
export function page(title: string, ...parts: readonly string[]): string {
  const made = '<!-- Made by `npm run docs:reference`; changes here are lost. -->';
  return `${[made, `# ${title}`, ...parts].join('\n\n')}\n`;
}
