/** A word, a mark, a quotation or a piece of pasted data of a request, with its place in it. */
export interface Token {
  readonly kind: 'word' | 'mark' | 'quote' | 'data' | 'pasted';
  /** As it was typed; the inside of a quotation, the whole of a query or of a line that was pasted. */
  readonly raw: string;
  /** In lower case, without apostrophes, its spelling mended. */
  readonly low: string;
  readonly start: number;
  readonly end: number;
}

/** Beginnings of queries in the languages of log systems and databases: all of it is one piece of data. */
const queries = [
  /```[\s\S]*?```/gu,
  /\b(?:select\s|with\s+\w+\s+as\s*\()[^;]{1,1500}?\bfrom\b[^;]*?(?=$|;|\s*[,.?]\s|\s+(?:and|then|->|→)\s+(?:if|when|post|tell|send|page|dm|put)\b|\n)/giu,
  /\b(?:search\s+)?index\s*=\s*\S+(?:\s+(?:\||[\w.]+\s*(?:[<>!]?=|>=|<=|[<>])\s*(?:"[^"]*"|\S+)|(?:AND|OR|NOT)\b|[A-Z]{3,}\b|"[^"]*"|(?:stats|timechart|top|head|sort|table|where|dedup|rare|eval|fields)\b(?:\s+(?!(?:and|then|if)\b)[\w().,*=-]+)*))*/gu,
  /\b[A-Za-z_]\w*\s*\|\s*(?:where|summarize|count|take|top|project|extend|order|sort|distinct|join|render|limit|make-series|search|parse)\b[^;\n]*?(?=$|;|\n|\s+(?:->|→)\s|\s*[,.?]\s+(?:and|then|if|when|post|tell|send|page)\b|\s+(?:and|then)\s+(?:if|when|post|tell|send|page|dm|put)\b|\s{2,}|\s+<-)/gu,
];

/** A line that a monitor or a log wrote, up to what is asked about it: "[FIRING:1] …", "ERROR 2026-03-10T08:12 …", "Alert: …". */
const line =
  /(?:\[(?!\w+-\d+\])[A-Z][^\]\n]{2,60}\]|(?:ERROR|FATAL|CRITICAL|PANIC|SEVERE|ALERT|WARN(?:ING)?)\b(?!\s+[#@])(?=[^\n]*(?:[=:<>%]|\p{Ll}\p{Lu}))|(?:\p{Lu}\w+\s+)?(?:Alert\w*|ALERT|Subject):)[^\n]*?(?=$|\n|\s+(?:--?|—|–)\s|[.!?]\s+(?:\p{Lu}|(?:if|when|unless)\b)|\s+(?:can|could|would|will)\s+(?:you|u|we|someone|somebody|anyone|anybody)\b|(?:[.,;!?]|\s+(?:->|please|pls|plz))\s+(?:(?:and|then|please|pls|plz|also)\s+)*(?:page|post|tell|send|dm|ack|create|open|file|find|look|who|is|what|how|can|count|list|show|search|wake|alert|comment|add|note|resolve)\b)/u;
/** Lines that were pasted one below the other are one piece. */
const pasted = new RegExp(`(?<=^|\\n)[^\\S\\n]*${line.source}(?:\\s*\\n[^\\S\\n]*${line.source})*`, 'gu');

const quotation =
  /"([^"]*)"|“([^”]*)”|„([^“”"]*)[“”"]|«([^»]*)»|‘([^’]*)’|`([^`]*)`|(?<![\p{L}\p{N}])'((?:[^'\n]|(?<=\p{L})'(?=\p{L}))*)'(?![\p{L}\p{N}])/u;
const mention = /<([#@!])([A-Z0-9]+)(?:\|([^>]*))?>/u;
const link = /<?(https?:\/\/[^\s|>]+)(?:\|[^>]*)?>?/u;
const word =
  /tl;dr|\bw\/(?=\s)|(?:(?<!\S)-{1,2}(?=\p{L})|[#@])?[\p{L}\p{N}](?:[\p{L}\p{N}_]|[.'’/:&+*-](?=[\p{L}\p{N}_]))*%?|\p{N}+\+/u;
const mark = /[:;]-?[)(D](?=\s|$)|<=|>=|=>|->|-->|==|!=|<>|=<|<-|[^\s\p{L}\p{N}]/u;
const piece = new RegExp([quotation, mention, link, word, mark].map(({ source }) => source).join('|'), 'gu');

function dataIn(text: string): Token[] {
  const found: Token[] = [];
  for (const form of [...queries, pasted])
    for (const { 0: whole, index } of text.matchAll(form)) {
      const said = whole.replace(/^\s+|[\s,;]+$/gu, '');
      const raw = said.replace(/^`+|`+$/gu, '');
      const start = index + whole.indexOf(said);
      const end = start + said.length;
      if (raw === '' || found.some((one) => start < one.end && end > one.start)) continue;
      found.push({ kind: form === pasted ? 'pasted' : 'data', raw, low: '', start, end });
    }
  return found.sort((a, b) => a.start - b.start);
}

/** Without apostrophes; “we're” has a spelling of its own, because “were” is another word. */
const plainWord = (raw: string): string =>
  raw
    .toLowerCase()
    .replace(/^we['’]re$/u, 'weare')
    .replace(/^-+(?=\p{L})|['’]/gu, '');

function tokenOf(match: RegExpMatchArray, offset: number): Token {
  const [raw] = match;
  const start = offset + (match.index ?? 0);
  const at = { start, end: start + raw.length };
  const inside = match.slice(1, 8).find((group) => group !== undefined);
  if (inside !== undefined) return { kind: 'quote', raw: inside.trim(), low: '', ...at };
  const [, , , , , , , , sign, id = '', name, url] = match;
  if (sign !== undefined) {
    const said = `${sign}${(name ?? '') === '' ? id : name}`.replace('##', '#').replace('@@', '@');
    return { kind: 'word', raw: said, low: said.toLowerCase(), ...at };
  }
  if (url !== undefined) return { kind: 'word', raw: url, low: url.toLowerCase(), ...at };
  const kind = /[\p{L}\p{N}]/u.test(raw) ? 'word' : 'mark';
  return { kind, raw, low: plainWord(raw), ...at };
}

function splitPiece(text: string, offset: number): Token[] {
  return [...text.matchAll(piece)].map((match) => tokenOf(match, offset));
}

/** `P1:` and `3-5` are written in one; a colon in a clock time or an address is no mark. */
function apart(token: Token): Token[] {
  if (token.kind !== 'word' || /^https?:/u.test(token.raw)) return [token];
  // "it's" is two words, "its" is one.
  if (/^it['’]s$/iu.test(token.raw)) {
    const { raw, start, end } = token;
    const it = { ...token, raw: raw.slice(0, 2), low: 'it', end: start + 2 };
    return [it, { kind: 'word', raw: raw.slice(2), low: 'is', start: start + 2, end }];
  }
  const [, left, mark = ':', right = ''] =
    /^(\d{1,6}(?::\d\d)?)([-–])(\d{1,6}(?::\d\d)?)$/u.exec(token.raw) ??
    /^(p[1-5]s?)([/+&])(p[1-5].*)$/iu.exec(token.raw) ??
    /^((?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)([-–])((?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)$/iu.exec(
      token.raw,
    ) ??
    /^([^:]*\p{L}[^:]*)(:)(.+)$/u.exec(token.raw) ??
    [];
  if (left === undefined || token.raw.startsWith('#')) return [token];
  const middle = token.start + left.length;
  return [
    { kind: 'word', raw: left, low: plainWord(left), start: token.start, end: middle },
    { kind: 'mark', raw: mark, low: mark, start: middle, end: middle + 1 },
    ...apart({ kind: 'word', raw: right, low: plainWord(right), start: middle + 1, end: token.end }),
  ];
}

/** Splits a request. Queries and quotations stay whole: nothing in them is ever an order. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const data of dataIn(text)) {
    tokens.push(...splitPiece(text.slice(at, data.start), at), data);
    at = data.end;
  }
  tokens.push(...splitPiece(text.slice(at), at));
  return withAlternatives(withItems(tokens.flatMap(apart)), text);
}

/** "1) ack it 2) tell #ops": each number of a list ends what stands before it. */
function withItems(tokens: readonly Token[]): readonly Token[] {
  const isNumber = ({ raw, end }: Token, at: number, number: number): boolean =>
    raw === String(number) && tokens[at + 1]?.start === end && /^[).]$/u.test(tokens[at + 1]?.raw ?? '');
  const items: number[] = [];
  for (const [at, token] of tokens.entries()) if (isNumber(token, at, items.length + 1)) items.push(at);
  if (items.length < 2) return tokens;
  const isItem = (at: number): boolean => items.includes(at);
  return tokens
    .map((token, at): Token => (isItem(at - 1) ? { ...token, raw: '.', low: '.' } : token))
    .filter((_token, at) => !isItem(at));
}

/** "P1s > 20 ? page ops : post …": a colon that stands apart, behind such a question mark, says "otherwise". */
function withAlternatives(tokens: readonly Token[], text: string): Token[] {
  const isApart = ({ start, end }: Token): boolean => /^\s\S\s$/u.test(text.slice(start - 1, end + 1));
  const asked = tokens.findIndex((one) => one.raw === '?' && isApart(one));
  const isElse = (token: Token, index: number): boolean =>
    asked >= 0 && index > asked && token.raw === ':' && isApart(token);
  return tokens.map((token, index) =>
    isElse(token, index) ? { ...token, kind: 'word', low: 'otherwise' } : token,
  );
}
