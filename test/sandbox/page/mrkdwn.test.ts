import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Inline, type Paragraph, parseMrkdwn, safeUrl } from '../../../sandbox/page/blocks/mrkdwn.ts';

/** The text that a reader sees, with live parts in brackets. */
function shown(source: string): string {
  return parseMrkdwn(source).map(paragraph).join('\n');
}

function paragraph(part: Paragraph): string {
  if (part.kind === 'preformatted') return `[pre ${part.text}]`;
  const text = part.children.map(inline).join('');
  return part.kind === 'quote' ? `[quote ${text}]` : text;
}

function inline(one: Inline): string {
  switch (one.kind) {
    case 'text':
      return one.text;
    case 'bold':
    case 'italic':
    case 'strike':
      return `[${one.kind} ${one.children.map(inline).join('')}]`;
    case 'code':
      return `[code ${one.text}]`;
    case 'link':
      return `[link ${one.url} ${one.label}]`;
    case 'broadcast':
      return `[broadcast ${one.range}]`;
    case 'emoji':
      return `[emoji ${one.name}]`;
    case 'date':
      return `[date ${one.unix} ${one.format} ${one.fallback}]`;
    default:
      return `[${one.kind} ${one.id} ${one.label ?? ''}]`;
  }
}

test('marks, mentions, links, dates and quotes show as they do in Slack', () => {
  expect(shown('*bold* _it_ ~no~ `x*y*` a*b*c 2*3*4 snake_case_name')).toBe(
    '[bold bold] [italic it] [strike no] [code x*y*] a*b*c 2*3*4 snake_case_name',
  );
  expect(shown('*Asked by <@U0BEN>*, in <#C0OPS|ops>, for <!subteam^S0SRE> :eyes:')).toBe(
    '[bold Asked by [user U0BEN ]], in [channel C0OPS ops], for [group S0SRE ] [emoji eyes]',
  );
  expect(shown('<https://a.example/x?a=1&amp;b=2|the page> <https://b.example>')).toBe(
    '[link https://a.example/x?a=1&b=2 the page] [link https://b.example/ https://b.example]',
  );
  expect(shown('<!date^1795200000^{date_short} {time}|18:00> <!here>')).toBe(
    '[date 1795200000 {date_short} {time} 18:00] [broadcast here]',
  );
  expect(shown('before\n&gt; one\n&gt; two\nafter\n```\nlet a = &lt;b&gt;;\n*x*\n```\nend')).toBe(
    'before\n[quote one\ntwo]\nafter\n\n[pre let a = <b>;\n*x*]\nend',
  );
});

test('escaped text stays text, and only http and https become links', () => {
  expect(shown('&lt;!channel&gt; &lt;@U0ANA&gt; &lt;https://evil.example|click&gt; &amp;lt;')).toBe(
    '<!channel> <@U0ANA> <https://evil.example|click> &lt;',
  );
  expect(shown('<javascript:alert(1)|pay> <data:text/html,x> [a](https://evil.example)')).toBe(
    'pay <data:text/html,x> [a](https://evil.example)',
  );
  for (const address of [
    'javascript:alert(1)',
    'JAVASCRIPT:x',
    ' data:,x',
    'file:///etc/passwd',
    '//x',
    'x',
  ]) {
    expect(safeUrl(address), address).toBeUndefined();
  }
});

test('any text is read without an error, and escaped text never yields anything live', () => {
  const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const live = new Set(['link', 'user', 'channel', 'group', 'broadcast', 'date']);
  const kinds = (parts: Inline[]): string[] =>
    parts.flatMap((one) => ['children' in one ? kinds(one.children) : [], one.kind].flat());
  const pieces = fc.constantFrom(
    '<',
    '>',
    '|',
    '@U0ANA',
    '!channel',
    'https://evil.example',
    '*',
    '_',
    '`',
    '\n',
    'a ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }), (parts) => {
      parseMrkdwn(parts.join(''));
      const found = parseMrkdwn(escaped(parts.join(''))).flatMap((one) =>
        'children' in one ? kinds(one.children) : [],
      );
      expect(found.filter((kind) => live.has(kind))).toEqual([]);
    }),
  );
});
