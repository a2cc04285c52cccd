import { describe, expect, test } from 'vitest';
import { blocksTooLong, checkBlocks, checkView } from '../../sandbox/slack/blocks/validate.ts';

type Block = Record<string, unknown>;

const long = (length: number) => 'x'.repeat(length);
const many = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (text = 'Hello'): Block => ({ type: 'section', text: mrkdwn(text) });
const button = (more: Block = {}): Block => ({
  type: 'button',
  action_id: 'go',
  text: plain('Go'),
  ...more,
});
const actions = (...elements: Block[]): Block => ({ type: 'actions', elements });
const option = (value: string, text = value): Block => ({ text: plain(text), value });
const select = (more: Block): Block => ({ type: 'static_select', action_id: 'pick', ...more });
const input = (element: Block, more: Block = {}): Block => ({
  type: 'input',
  label: plain('Name'),
  element,
  ...more,
});
const words = (text: string): Block => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});
const task = (more: Block = {}): Block => ({
  type: 'task_card',
  task_id: 't1',
  title: 'Count',
  status: 'pending',
  ...more,
});

const raw = (text: string): Block => ({ type: 'raw_text', text });
const dataTable = (rows: Block[][]): Block => ({ type: 'data_table', caption: 'A table', rows });

function inMessage(...blocks: Block[]): string[] {
  return checkBlocks(blocks, { surface: 'message' });
}

describe('blocks are refused in Slack’s words, one past each limit and not at it', () => {
  const limits: [name: string, fits: Block[], breaks: Block[], finding: string][] = [
    [
      'blocks in a message',
      many(50, () => section()),
      many(51, () => section()),
      'no more than 50 items allowed [json-pointer:/blocks]',
    ],
    [
      'section text',
      [section(long(3000))],
      [section(long(3001))],
      'must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
    ],
    [
      'rows of a data table',
      [dataTable(many(101, () => [raw('a')]))],
      [dataTable(many(102, () => [raw('a')]))],
      'no more than 101 items allowed [json-pointer:/blocks/0/rows]',
    ],
    [
      'columns of a data table',
      [dataTable(many(2, () => many(20, () => raw('a'))))],
      [dataTable(many(2, () => many(21, () => raw('a'))))],
      'no more than 20 items allowed [json-pointer:/blocks/0/rows/0]',
    ],
    [
      'text in the cells of all tables of a message',
      many(2, () => dataTable([[raw(long(2500))], [words(long(2500))]])),
      many(2, () => dataTable([[raw(long(2500))], [words(long(2501))]])),
      'must be less than 10001 characters in all table cells [json-pointer:/blocks]',
    ],
    [
      'section fields',
      [{ type: 'section', fields: many(10, () => mrkdwn(long(2000))) }],
      [{ type: 'section', fields: many(11, () => mrkdwn('a')) }],
      'no more than 10 items allowed [json-pointer:/blocks/0/fields]',
    ],
    [
      'field text',
      [{ type: 'section', fields: [mrkdwn(long(2000))] }],
      [{ type: 'section', fields: [mrkdwn(long(2001))] }],
      'must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]',
    ],
    [
      'header text',
      [{ type: 'header', text: plain(long(150)) }],
      [{ type: 'header', text: plain(long(151)) }],
      'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
    ],
    [
      'button text',
      [actions(button({ text: plain(long(75)) }))],
      [actions(button({ text: plain(long(76)) }))],
      'must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]',
    ],
    [
      'button value',
      [actions(button({ value: long(2000) }))],
      [actions(button({ value: long(2001) }))],
      'must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]',
    ],
    [
      'action id',
      [actions(button({ action_id: long(255) }))],
      [actions(button({ action_id: long(256) }))],
      'must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]',
    ],
    [
      'block id',
      [{ ...section(), block_id: long(255) }],
      [{ ...section(), block_id: long(256) }],
      'must be less than 256 characters [json-pointer:/blocks/0/block_id]',
    ],
    [
      'actions elements',
      [actions(...many(25, (n) => button({ action_id: `a${n}` })))],
      [actions(...many(26, (n) => button({ action_id: `a${n}` })))],
      'no more than 25 items allowed [json-pointer:/blocks/0/elements]',
    ],
    [
      'context elements',
      [{ type: 'context', elements: many(10, () => mrkdwn('a')) }],
      [{ type: 'context', elements: many(11, () => mrkdwn('a')) }],
      'no more than 10 items allowed [json-pointer:/blocks/0/elements]',
    ],
    [
      'markdown text',
      [{ type: 'markdown', text: long(12_000) }],
      [{ type: 'markdown', text: long(12_001) }],
      'must be less than 12001 characters [json-pointer:/blocks/0/text]',
    ],
    [
      'option text',
      [actions(select({ options: [option('a', long(75))] }))],
      [actions(select({ options: [option('a', long(76))] }))],
      'must be less than 76 characters [json-pointer:/blocks/0/elements/0/options/0/text/text]',
    ],
    [
      'option value',
      [actions(select({ options: [option(long(150), 'a')] }))],
      [actions(select({ options: [option(long(151), 'a')] }))],
      'must be less than 151 characters [json-pointer:/blocks/0/elements/0/options/0/value]',
    ],
    [
      'select options',
      [actions(select({ options: many(100, (n) => option(`o${n}`)) }))],
      [actions(select({ options: many(101, (n) => option(`o${n}`)) }))],
      'no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]',
    ],
    [
      'overflow options',
      [actions({ type: 'overflow', options: many(5, (n) => option(`o${n}`)) })],
      [actions({ type: 'overflow', options: many(6, (n) => option(`o${n}`)) })],
      'no more than 5 items allowed [json-pointer:/blocks/0/elements/0/options]',
    ],
    [
      'checkbox options',
      [actions({ type: 'checkboxes', options: many(10, (n) => option(`o${n}`)) })],
      [actions({ type: 'checkboxes', options: many(11, (n) => option(`o${n}`)) })],
      'no more than 10 items allowed [json-pointer:/blocks/0/elements/0/options]',
    ],
    [
      'tasks in a plan',
      [{ type: 'plan', title: 'P', tasks: many(50, (n) => task({ task_id: `t${n}` })) }],
      [{ type: 'plan', title: 'P', tasks: many(51, (n) => task({ task_id: `t${n}` })) }],
      'no more than 50 items allowed [json-pointer:/blocks/0/tasks]',
    ],
  ];

  test.each(limits)('%s', (_name, fits, breaks, finding) => {
    expect(inMessage(...fits)).toEqual([]);
    expect(inMessage(...breaks)).toContain(finding);
  });

  test('all blocks of a message together have a limit of their own', () => {
    const nearly = many(4, () => section(long(3000)));
    expect(blocksTooLong(nearly)).toBe(false);
    expect(blocksTooLong([...nearly, section(long(1000))])).toBe(true);
  });
});

describe('malformed blocks are refused with the place of the fault', () => {
  const mistakes: [name: string, blocks: Block[], findings: string[]][] = [
    ['an unknown block', [{ type: 'chart' }], ['unsupported type: chart [json-pointer:/blocks/0/type]']],
    ['a block without a type', [{ text: 'a' }], ['missing required field: type [json-pointer:/blocks/0]']],
    [
      'an empty section',
      [{ type: 'section' }],
      ['must provide at least one of: text, fields [json-pointer:/blocks/0]'],
    ],
    [
      'an empty text',
      [section('')],
      [
        'failed to match all allowed schemas [json-pointer:/blocks/0/text]',
        'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
      ],
    ],
    [
      'a string where a text object belongs',
      [{ type: 'header', text: 'Hello' }],
      ['must provide an object [json-pointer:/blocks/0/text]'],
    ],
    [
      'mrkdwn where plain text belongs',
      [{ type: 'header', text: mrkdwn('Hello') }],
      [
        'failed to match all allowed schemas [json-pointer:/blocks/0/text]',
        'must be one of: plain_text [json-pointer:/blocks/0/text/type]',
      ],
    ],
    [
      'a member Slack does not know',
      [{ ...section(), colour: 'red' }],
      ['invalid additional property: colour [json-pointer:/blocks/0]'],
    ],
    [
      'the same block id twice',
      [
        { ...section(), block_id: 'a' },
        { ...section(), block_id: 'a' },
      ],
      ['`block_id` "a" already exists [json-pointer:/blocks/1/block_id]'],
    ],
    [
      'the same action id twice in a block',
      [actions(button(), button())],
      ['`action_id` "go" already exists [json-pointer:/blocks/0/elements/1/action_id]'],
    ],
    [
      'a button style that does not exist',
      [actions(button({ style: 'green' }))],
      ['must be one of: primary, danger [json-pointer:/blocks/0/elements/0/style]'],
    ],
    [
      'a link that is no http address',
      [actions(button({ url: 'javascript:alert(1)' }))],
      ['must be a valid URL [json-pointer:/blocks/0/elements/0/url]'],
    ],
    [
      'a text input among buttons',
      [actions({ type: 'plain_text_input', action_id: 'a' })],
      ['unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]'],
    ],
    [
      'a preselected option that is not offered',
      [actions(select({ options: [option('a')], initial_option: option('b') }))],
      ['must match one of the provided options [json-pointer:/blocks/0/elements/0/initial_option]'],
    ],
    [
      'a select with nothing to select',
      [actions(select({}))],
      ['must provide exactly one of: options, option_groups [json-pointer:/blocks/0/elements/0]'],
    ],
    [
      'a task with a state of its own invention',
      [{ type: 'plan', title: 'P', tasks: [task({ status: 'running' })] }],
      ['must be one of: pending, in_progress, complete, error [json-pointer:/blocks/0/tasks/0/status]'],
    ],
    [
      'two tasks with one id',
      [{ type: 'plan', title: 'P', tasks: [task(), task()] }],
      ['`task_id` "t1" already exists [json-pointer:/blocks/0/tasks/1/task_id]'],
    ],
    [
      'two paragraphs in a task',
      [task({ output: { type: 'rich_text', elements: [words('a').elements, words('b').elements].flat() } })],
      ['must provide exactly 1 items [json-pointer:/blocks/0/output/elements]'],
    ],
    [
      'two tables',
      many(2, () => ({ type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] })),
      ['only one table allowed [json-pointer:/blocks/1]'],
    ],
    [
      'a link in the head of a data table',
      [dataTable([[words('a')], [raw('b')]])],
      ['unsupported type: rich_text [json-pointer:/blocks/0/rows/0/0/type]'],
    ],
    [
      'a data table with a row that is longer than its head',
      [dataTable([[raw('a')], [raw('b'), raw('c')]])],
      ['must provide exactly 1 items [json-pointer:/blocks/0/rows/1]'],
    ],
    [
      'a data table with an empty cell',
      [dataTable([[raw('a')], [raw('')]])],
      ['must be more than 0 characters [json-pointer:/blocks/0/rows/1/0/text]'],
    ],
    [
      'an unknown rich text element',
      [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'smile' }] }] }],
      ['unsupported type: smile [json-pointer:/blocks/0/elements/0/elements/0/type]'],
    ],
    [
      'a dialog without its words',
      [actions(button({ confirm: { title: plain('Sure?') } }))],
      [
        'missing required field: text [json-pointer:/blocks/0/elements/0/confirm]',
        'missing required field: confirm [json-pointer:/blocks/0/elements/0/confirm]',
        'missing required field: deny [json-pointer:/blocks/0/elements/0/confirm]',
      ],
    ],
  ];

  test.each(mistakes)('%s', (_name, blocks, findings) => {
    expect(inMessage(...blocks)).toEqual(findings);
  });

  test('a workspace without plan blocks refuses them and nothing else', () => {
    const blocks = [section(), { type: 'plan', title: 'P', tasks: [task({ output: words('24') })] }];
    expect(checkBlocks(blocks, { surface: 'message' })).toEqual([]);
    expect(checkBlocks(blocks, { surface: 'message', unknownBlocks: ['plan', 'task_card'] })).toEqual([
      'unsupported type: plan [json-pointer:/blocks/1/type]',
    ]);
  });
});

describe('views', () => {
  const modal = (more: Block = {}): Block => ({
    type: 'modal',
    title: plain('Edit'),
    blocks: [section()],
    ...more,
  });
  const field = { type: 'plain_text_input', action_id: 'name' };

  test('a modal is held to its own limits', () => {
    expect(
      checkView(modal({ title: plain(long(24)), private_metadata: long(3000) }), { surface: 'modal' }),
    ).toEqual([]);
    const findings = checkView(
      modal({
        title: plain(long(25)),
        private_metadata: long(3001),
        callback_id: long(256),
        blocks: many(101, () => section()),
        width: 'wide',
      }),
      { surface: 'modal' },
    );
    expect(findings).toEqual([
      'invalid additional property: width [json-pointer:/view]',
      'must be less than 3001 characters [json-pointer:/view/private_metadata]',
      'must be less than 256 characters [json-pointer:/view/callback_id]',
      'failed to match all allowed schemas [json-pointer:/view/title]',
      'must be less than 25 characters [json-pointer:/view/title/text]',
      'no more than 100 items allowed [json-pointer:/view/blocks]',
    ]);
  });

  test('inputs need a submit button, one focus, and elements that belong there', () => {
    const submit = plain('Save');
    expect(checkView(modal({ blocks: [input(field)] }), { surface: 'modal' })).toEqual([
      'must define `submit` to use an `input` block in modals [json-pointer:/view/blocks/0/input]',
    ]);
    expect(checkView(modal({ submit, blocks: [input(field)] }), { surface: 'modal' })).toEqual([]);
    const focus = { ...field, focus_on_load: true };
    expect(checkView(modal({ submit, blocks: [input(focus), input(focus)] }), { surface: 'modal' })).toEqual([
      'only one element can be set to `focus_on_load` [json-pointer:/view/blocks]',
    ]);
    expect(checkView(modal({ submit, blocks: [input(button())] }), { surface: 'modal' })).toEqual([
      'unsupported type: button [json-pointer:/view/blocks/0/element/type]',
    ]);
  });

  test('the first value of a field must be one that may be sent with it', () => {
    const form = (element: Block) =>
      checkView(
        {
          type: 'modal',
          title: plain('T'),
          submit: plain('S'),
          blocks: [input({ action_id: 'v', ...element })],
        },
        { surface: 'modal' },
      );
    const text = { type: 'plain_text_input', min_length: 2, max_length: 4 };
    const count = { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '50' };
    for (const fine of [{ ...text, initial_value: 'four' }, { ...count, initial_value: '50' }, text, count]) {
      expect(form(fine)).toEqual([]);
    }
    const wrong = [
      { ...text, initial_value: 'fifth' },
      { ...text, initial_value: 'x' },
      { ...text, min_length: 5 },
      { ...count, initial_value: '51' },
      { ...count, initial_value: '1.5' },
      { ...count, initial_value: 'many' },
      { ...count, max_value: '1e3' },
    ];
    for (const each of wrong) expect(form(each), JSON.stringify(each)).toHaveLength(1);
  });

  test('blocks that belong to messages do not stand in views, and a home is no modal', () => {
    const blocks = [
      { type: 'plan', title: 'P' },
      { type: 'markdown', text: '# A' },
    ];
    expect(checkView({ type: 'home', blocks }, { surface: 'home' })).toEqual([
      'unsupported type: plan [json-pointer:/view/blocks/0/type]',
      'unsupported type: markdown [json-pointer:/view/blocks/1/type]',
    ]);
    expect(checkView({ type: 'home', blocks: [section()] }, { surface: 'modal' })).toEqual([
      'must be `modal` [json-pointer:/view/type]',
    ]);
    expect(checkView({ type: 'home', title: plain('A'), blocks: [section()] }, { surface: 'home' })).toEqual([
      'invalid additional property: title [json-pointer:/view]',
    ]);
  });
});
