import { visibleText } from '../../core/clean-text.ts';
import { maxErrors, maxWords } from './limits.ts';
import type { KnownError } from './port.ts';

type Label = 'meaning' | 'cause' | 'advice' | 'signature' | 'runbook';
const labels: ReadonlyMap<string, Label> = new Map([
  ['meaning', 'meaning'],
  ['cause', 'cause'],
  ['advice', 'advice'],
  ['what to do', 'advice'],
  ['fix', 'advice'],
  ['signature', 'signature'],
  ['runbook', 'runbook'],
]);
/** Maximum length of a label with its list mark and asterisks. */
const maxLabel = 40;
const maxSignatures = 20;

/**
 * A Markdown catalogue: one heading per error that begins with its code, followed by text and lines such as `Cause: …`,
 * `What to do: …`, `Signature: …`, `Runbook: …`. Text without a label is the meaning.
 */
export function readMarkdownCatalogue(source: string): KnownError[] {
  const parts = visibleText(source).split(/^#{1,6}[ \t]+/m, maxErrors + 2);
  return parts.slice(1).flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const { code, title } = codeIn(heading.slice(0, maxWords).trim());
    return code === '' ? [] : [entryOf(code, title, lines)];
  });
}

/** The code at the start of a heading: a word with a digit, or one in capitals. Empty if there is none. */
function codeIn(heading: string): { readonly code: string; readonly title: string } {
  const bare = heading.replace(/^`/, '');
  const word = /^[\w.-]+/.exec(bare)?.[0] ?? '';
  const code = /^[A-Za-z0-9][^\d]*\d/.test(word) ? word : (/^[A-Z][A-Z0-9_]{3,}/.exec(word)?.[0] ?? '');
  const title = bare
    .slice(code.length)
    .replace(/^`/, '')
    .replace(/^[\s:–—-]+/, '');
  return { code, title };
}

function entryOf(code: string, title: string, lines: readonly string[]): KnownError {
  const said: Record<Label, string[]> = { meaning: [], cause: [], advice: [], signature: [], runbook: [] };
  const lengths: Record<Label, number> = { meaning: 0, cause: 0, advice: 0, signature: 0, runbook: 0 };
  const say = (label: Label, text: string): void => {
    if (text === '' || lengths[label] > maxWords) return;
    said[label].push(text);
    lengths[label] += text.length + 1;
  };
  say('meaning', title);
  let current: Label = 'meaning';
  for (const line of lines) {
    const { label, words } = labelled(line.slice(0, maxWords));
    current = label ?? current;
    say(current, words);
  }
  const all = (label: Label): string => said[label].join(' ').slice(0, maxWords);
  return {
    code,
    meaning: all('meaning'),
    cause: all('cause'),
    advice: all('advice'),
    signatures: said.signature.slice(0, maxSignatures).map((one) => one.replaceAll('`', '').trim()),
    runbook: all('runbook'),
  };
}

/** Splits `- **Cause:** words` into its parts; without a label everything is words. */
function labelled(line: string): { readonly label: Label | undefined; readonly words: string } {
  const colon = line.indexOf(':');
  const before = colon < 0 || colon > maxLabel ? '' : line.slice(0, colon);
  const label = labels.get(
    before
      .trim()
      .replace(/^[-*]\s+/, '')
      .replaceAll('*', '')
      .trim()
      .toLowerCase(),
  );
  const words = label === undefined ? line : line.slice(colon + 1).replace(/^\*+/, '');
  return { label, words: words.trim() };
}
