import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sqlQuery } from '../../manifests/sql.query.ts';
import { checkBlocks } from '../../sandbox/slack/blocks/validate.ts';
import { mentionsIn, storedText } from '../../sandbox/slack/text.ts';
import { clean, escapeMrkdwn, fallbackText } from '../../src/blocks/escape.ts';
import { assertMessageFits, assertViewFits, BlocksError, fitBlocks } from '../../src/blocks/fit.ts';
import { checkbox, option, select, selectInput, textInput } from '../../src/blocks/inputs.ts';
import {
  actions,
  button,
  confirmation,
  context,
  header,
  md,
  mention,
  plain,
  section,
} from '../../src/blocks/layout.ts';
import { limits } from '../../src/blocks/limits.ts';
import type { Block } from '../../src/blocks/message.ts';
import { note } from '../../src/blocks/note.ts';
import { code, group, line, person, preformatted, rich } from '../../src/blocks/rich.ts';
import { shownTable } from '../../src/blocks/table.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import { blockText } from '../support/block-text.ts';

const x = (count: number): string => 'x'.repeat(count);

describe('text from data', () => {
  it('mentions people and groups in notifications, but nobody named by data', () => {
    const { text } = note(
      ['May approve: ', group('S0SRE'), ' or ', person('U0ANA'), '.'],
      ['<@U0BEN> & co '],
    );
    expect(text).toBe('May approve: <!subteam^S0SRE> or <@U0ANA>. &lt;@\u2060U0BEN&gt; &amp; co');
    expect(note([x(296), person('U0ANA')]).text).toBe(`${x(296)}…`);
  });

  it('passes no live mention, broadcast or link through mrkdwn, whatever its parts', () => {
    const nasty = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(
          '<!channel>',
          '<@U0ANA>',
          '<#C0OPS>',
          '@here',
          '&lt;!here&gt;',
          'https://evil.example/x',
        ),
        fc.constantFrom('<https://evil.example|docs>', '\u202e', '\u200b', 'mailto:a@b.c', '>', '<', '|'),
      ),
    );
    fc.assert(
      fc.property(nasty, (parts) => {
        const text = md`*Asked:* ${parts.join('')}`.text;
        expect(text).not.toMatch(/[<>]/);
        const stored = storedText(text, {});
        expect(mentionsIn(stored, [])).toEqual([]);
        expect(stored).not.toContain('<http');
        expect(stored).not.toMatch(/(^|\s)[@#][a-z]/);
        expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
      }),
    );
  });

  it('keeps its words: only what Slack would act on is escaped', () => {
    expect(escapeMrkdwn('a < b && c > d')).toBe('a &lt; b &amp;&amp; c &gt; d');
    expect(escapeMrkdwn('first\n  second')).toBe('first second');
    expect(clean('a\tb\r\nc\u0007d\u202ee')).toBe('a b\ncde');
    expect(oneLine('  a \n\n b ')).toBe('a b');
    expect(clean('\ud800x')).toBe('\ufffdx');
  });

  it('is cut with a mark and never inside a character or an entity', () => {
    expect(cut('short', 10)).toBe('short');
    expect(cut('longer than that', 8)).toBe('longer …');
    expect(cut(`ab😀cd`, 4)).toBe('ab…');
    expect(fallbackText('&&&&', 8)).toBe('&amp;…');
  });

  it('makes mentions only of valid Slack ids', () => {
    expect(mention('U0ANA').text).toBe('<@U0ANA>');
    expect(mention('U0|x><!here>').text).not.toContain('<');
    expect(person('schedule:morning')).toEqual({ type: 'text', text: 'schedule:morning' });
  });
});

it('ends the line of a section that another follows', () => {
  const { elements } = rich([line('Report'), line('3 plans'), preformatted('…'), line('Since Monday')]);
  expect(elements.map((one) => one.elements.map((part) => 'text' in part && part.text))).toEqual([
    ['Report', '\n'],
    ['3 plans'],
    ['…'],
    ['Since Monday'],
  ]);
});

it('names the numbers of a row in a plain list', () => {
  const rows = [{ cells: ['checkout', '2.58 s', '233', '40 %', '2 open'] }];
  const result = { columns: ['service', 'p95', 'errors', 'share', 'tickets'], rows, row_total: 1 };
  const shown = shownTable({ manifest: sqlQuery, args: {}, result, hosts: [] }, { caption: '', room: 1_000 });
  expect(blockText([shown?.list])).toContain('checkout · p95: 2.58 s · errors: 233 · share: 40 % · 2 open');
});

describe('builders stay within the limits by themselves', () => {
  it('for text of any length, as checked by a strict Slack', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6_000 }), (text) => {
        const confirm = confirmation({ title: text, text, yes: text, no: text });
        const blocks: Block[] = [
          header(text),
          actions([button({ text, action: 'a', value: 'v', confirm })]),
          rich([line(text, code(text)), preformatted(text)]),
          context([plain(text)]),
        ];
        const findings = checkBlocks(JSON.parse(JSON.stringify(blocks)), {
          surface: 'message',
        });
        expect(findings).toEqual([]);
      }),
    );
  });

  it('and menus keep the chosen option when there are more than Slack shows', () => {
    const options = Array.from({ length: 150 }, (_, index) => option(`v${index}`));
    const menu = select({ action: 'a', options, value: 'v149' });
    expect(menu.options).toHaveLength(limits.options);
    expect(menu.initial_option?.value).toBe('v149');
    expect(menu.options?.some((one) => one.value === 'v149')).toBe(true);
    const blocks = [
      selectInput({ blockId: 'b', label: x(300), hint: x(400), options, value: 'v3' }),
      textInput({ blockId: 'c', label: 'Text', value: x(3_000), max: 4_000 }),
      checkbox({ blockId: 'd', label: 'Leave out', value: 'yes', text: x(100), note: x(100) }),
    ];
    expect(
      checkBlocks(JSON.parse(JSON.stringify(blocks)), {
        surface: 'modal',
        unknownBlocks: ['plan', 'task_card'],
      }),
    ).toEqual([]);
  });
});

describe('content that Slack would refuse is found before it is sent', () => {
  const fits = (block: Block): number => fitBlocks([block], 'message').length;
  const raw = (text: string, type: 'plain_text' | 'mrkdwn' = 'plain_text') => ({ type, text }) as const;

  it.each<[string, number, (size: number) => Block]>([
    ['header', limits.header, (n) => ({ type: 'header', text: { type: 'plain_text', text: x(n) } })],
    ['section text', limits.sectionText, (n) => ({ type: 'section', text: { type: 'mrkdwn', text: x(n) } })],
    [
      'button text',
      limits.buttonText,
      (n) => actions([{ type: 'button', action_id: 'a', text: { type: 'plain_text', text: x(n) } }]),
    ],
    ['button value', limits.buttonValue, (n) => actions([button({ text: 'a', action: 'a', value: x(n) })])],
    ['action id', limits.actionId, (n) => actions([button({ text: 'a', action: x(n), value: '' })])],
    ['block id', limits.blockId, (n) => ({ type: 'divider', block_id: x(n) })],
    [
      'context elements',
      limits.contextElements,
      (n) => ({ type: 'context', elements: Array.from({ length: n }, () => raw('a')) }),
    ],
    [
      'action elements',
      limits.actionElements,
      (n) => actions(Array.from({ length: n }, (_, i) => button({ text: 'a', action: `a${i}`, value: '' }))),
    ],
  ])('%s: %i is accepted and one more is not, by us and by the sandbox alike', (_name, most, make) => {
    const strict = (block: Block) =>
      checkBlocks(JSON.parse(JSON.stringify([block])), { surface: 'message' }).length;
    expect(fits(make(most))).toBe(0);
    expect(strict(make(most))).toBe(0);
    expect(fits(make(most + 1))).toBeGreaterThan(0);
    expect(strict(make(most + 1))).toBeGreaterThan(0);
  });

  it('counts the blocks, their total characters and their ids', () => {
    const dividers = (count: number): Block[] => Array.from({ length: count }, () => ({ type: 'divider' }));
    expect(fitBlocks(dividers(50), 'message')).toEqual([]);
    expect(fitBlocks(dividers(51), 'message')).toEqual([
      { at: 'blocks', message: '51 where 50 is the most' },
    ]);
    expect(fitBlocks(dividers(100), 'view')).toEqual([]);
    expect(fitBlocks(dividers(101), 'view')).toHaveLength(1);
    const long = Array.from({ length: 5 }, () => section(md`${x(2_700)}`));
    expect(fitBlocks(long, 'message').map((misfit) => misfit.at)).toEqual(['blocks']);
    const twins: Block[] = [header('a', 'same'), header('b', 'same')];
    expect(fitBlocks(twins, 'message')[0]?.message).toBe('block_id same is used twice');
  });

  it('and names the part, as an error with a code', () => {
    expect(() => assertMessageFits({ text: x(4_001), blocks: [] })).toThrow(BlocksError);
    expect(() => assertMessageFits({ text: 'ok', blocks: [header('ok')] })).not.toThrow();
    const modal = (title: string, metadata: string) => ({
      type: 'modal' as const,
      title: plain(title, 100),
      private_metadata: metadata,
      blocks: [header('a')],
    });
    expect(() => assertViewFits(modal(x(24), x(3_000)))).not.toThrow();
    expect(() => assertViewFits(modal(x(25), ''))).toThrow(/title 25 where 24/);
    expect(() => assertViewFits(modal('a', x(3_001)))).toThrow(/private_metadata/);
  });
});
