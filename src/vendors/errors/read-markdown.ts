import { visibleText } from '../../core/inert.ts';
import type { KnownError } from './port.ts';

const labels: Readonly<Record<string, 'meaning' | 'cause' | 'advice' | 'signature' | 'runbook'>> = {
  meaning: 'meaning',
  cause: 'cause',
  advice: 'advice',
  'what to do': 'advice',
  fix: 'advice',
  signature: 'signature',
  runbook: 'runbook',
};

/**
 * A Markdown catalogue: a heading for each error that begins with its code, below it words and lines such as
 * `Cause: …`, `What to do: …`, `Signature: …`, `Runbook: …`. What has no label is the meaning.
 */
export function readMarkdownCatalogue(source: string): KnownError[] {
  const parts = visibleText(source).split(/^#{1,6}[ \t]+/m);
  return parts.slice(1).flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const [, code, title = ''] =
      /^`?([A-Za-z0-9][\w.-]*\d[\w.-]*|[A-Z][A-Z0-9_]{3,})`?[\s:–—-]*(.*)$/.exec(heading.trim()) ?? [];
    return code === undefined ? [] : [entryOf(code, title, lines)];
  });
}

function entryOf(code: string, title: string, lines: readonly string[]): KnownError {
  const said: Record<string, string[]> = { meaning: title === '' ? [] : [title] };
  let current = 'meaning';
  for (const line of lines) {
    const found = /^\s*(?:[-*]\s+)?\**([A-Za-z ]{3,12})\**\s*:\**\s*(.*)$/.exec(line);
    const label = labels[found?.[1]?.trim().toLowerCase() ?? ''];
    if (label !== undefined) current = label;
    const words = (label === undefined ? line : (found?.[2] ?? '')).trim();
    if (words !== '') said[current] = [...(said[current] ?? []), words];
  }
  const all = (label: string): string => (said[label] ?? []).join(' ').slice(0, 4_000);
  return {
    code,
    meaning: all('meaning'),
    cause: all('cause'),
    advice: all('advice'),
    signatures: (said.signature ?? []).map((one) => one.replaceAll('`', '').trim()),
    runbook: all('runbook'),
  };
}
