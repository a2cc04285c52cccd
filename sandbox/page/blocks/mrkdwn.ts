/**
 * Slack's mrkdwn, parsed as Slack's clients do: `&lt;`, `&gt;` and `&amp;` become characters only after the markup has
 * been found, so that escaped text never turns into a mention or a link. Bare addresses are not detected: Slack stores
 * the ones it links as `<https://…>`.
 */

/** A run of text inside a line. `text` is decoded and safe to show as it is. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; label: string }
  | { kind: 'user' | 'channel' | 'group'; id: string; label: string | undefined }
  | { kind: 'broadcast'; range: string }
  | { kind: 'date'; unix: number; format: string; url: string | undefined; fallback: string }
  | { kind: 'emoji'; name: string };

export type Paragraph =
  | { kind: 'paragraph' | 'quote'; children: Inline[] }
  | { kind: 'preformatted'; text: string };

const styles = { '*': 'bold', _: 'italic', '~': 'strike' } as const;

const markup = new RegExp(
  [
    '<(?<token>[^<>\\n]+)>',
    String.raw`${'`'}(?<code>[^${'`'}\n]+)${'`'}`,
    String.raw`(?<![\p{L}\p{N}])(?<mark>[*_~])(?=\S)(?<inner>[^\n]*?\S)\k<mark>(?![\p{L}\p{N}])`,
    ":(?<emoji>[a-z0-9_+'-]{1,60}):",
  ].join('|'),
  'giu',
);

/** Paragraphs, quotes and code blocks of a mrkdwn text. Total: unknown markup stays text. */
export function parseMrkdwn(source: string): Paragraph[] {
  return source.split(/```([\s\S]+?)```/u).flatMap((part, index): Paragraph[] => {
    if (index % 2 === 1) return [{ kind: 'preformatted', text: plainOf(part.replace(/^\n|\n$/gu, '')) }];
    const trimmed = part.replace(index === 0 ? /(?!)/u : /^\n/u, '');
    return trimmed === '' ? [] : lines(trimmed);
  });
}

/** The address if a browser may open it from a message: only http and https. */
export function safeUrl(address: string): string | undefined {
  const url = URL.parse(address);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

function decodeEntities(text: string): string {
  return text.replace(/&(lt|gt|amp);/gu, (_, name: string) =>
    name === 'lt' ? '<' : name === 'gt' ? '>' : '&',
  );
}

function lines(source: string): Paragraph[] {
  const groups: { quote: boolean; text: string[] }[] = [];
  for (const line of source.split('\n')) {
    const quoted = /^(?:&gt;|>) ?/u.exec(line);
    const last = groups.at(-1);
    const text = quoted ? line.slice(quoted[0].length) : line;
    if (last && last.quote === (quoted !== null)) last.text.push(text);
    else groups.push({ quote: quoted !== null, text: [text] });
  }
  return groups.map(({ quote, text }) => ({
    kind: quote ? 'quote' : 'paragraph',
    children: parseInline(text.join('\n')),
  }));
}

function parseInline(source: string): Inline[] {
  const found: Inline[] = [];
  let end = 0;
  for (const match of source.matchAll(markup)) {
    if (match.index > end) found.push(textOf(source.slice(end, match.index)));
    found.push(inlineOf(match));
    end = match.index + match[0].length;
  }
  if (end < source.length) found.push(textOf(source.slice(end)));
  return found;
}

function inlineOf(match: RegExpExecArray): Inline {
  const { token, code, mark, inner, emoji } = match.groups ?? {};
  if (token !== undefined) return tokenOf(token);
  if (code !== undefined) return { kind: 'code', text: plainOf(code) };
  if (inner !== undefined) {
    return { kind: styles[mark === '*' || mark === '_' ? mark : '~'], children: parseInline(inner) };
  }
  return { kind: 'emoji', name: emoji ?? '' };
}

/** The content between `<` and `>`. */
function tokenOf(token: string): Inline {
  const date = /^!date\^(\d{1,12})\^([^^|]*)(?:\^([^|]*))?(?:\|(.*))?$/u.exec(token);
  if (date) {
    const [, unix = '', format = '', address = '', fallback = ''] = date;
    const url = safeUrl(decodeEntities(address));
    return {
      kind: 'date',
      unix: Number(unix),
      format: decodeEntities(format),
      url,
      fallback: decodeEntities(fallback),
    };
  }
  const [head = '', ...rest] = token.split('|');
  const label = rest.length > 0 ? decodeEntities(rest.join('|')) : undefined;
  if (/^@[UW][A-Z0-9]+$/u.test(head)) return { kind: 'user', id: head.slice(1), label };
  if (/^#[CDG][A-Z0-9]+$/u.test(head)) return { kind: 'channel', id: head.slice(1), label };
  if (/^!subteam\^S[A-Z0-9]+$/u.test(head)) return { kind: 'group', id: head.slice(9), label };
  if (/^!(?:here|channel|everyone)$/u.test(head)) return { kind: 'broadcast', range: head.slice(1) };
  const url = safeUrl(decodeEntities(head));
  if (url !== undefined) return { kind: 'link', url, label: label ?? decodeEntities(head) };
  return { kind: 'text', text: label ?? `<${decodeEntities(token)}>` };
}

/** Code shows an address as its label, and otherwise only characters. */
function plainOf(text: string): string {
  return decodeEntities(
    text.replace(
      /<(https?:[^<>|\n]+)(?:\|([^<>\n]*))?>/gu,
      (_, url: string, label: string | undefined) => label ?? url,
    ),
  );
}

function textOf(text: string): Inline {
  return { kind: 'text', text: decodeEntities(text) };
}
