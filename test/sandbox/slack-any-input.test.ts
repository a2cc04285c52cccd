import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkBlocks, checkView } from '../../sandbox/slack/blocks/validate.ts';
import { isFields } from '../../sandbox/slack/fields.ts';
import { mentionsIn, storedBlocks, storedText, unescaped } from '../../sandbox/slack/text.ts';
import { callApi, startWorkspace } from './slack-workspace.ts';

const card: unknown = [
  { type: 'header', text: { type: 'plain_text', text: 'Plan' } },
  { type: 'section', text: { type: 'mrkdwn', text: 'Page *ops*' }, fields: [{ type: 'mrkdwn', text: 'a' }] },
  {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' }, value: '1' },
      { type: 'static_select', options: [{ text: { type: 'plain_text', text: 'A' }, value: 'a' }] },
    ],
  },
  {
    type: 'plan',
    title: 'Steps',
    tasks: [{ type: 'task_card', task_id: 't', title: 'T', status: 'pending' }],
  },
];

/** The card with one value somewhere in it replaced. */
function damaged(value: unknown, path: readonly number[], by: unknown): unknown {
  const [turn, ...rest] = path;
  if (turn === undefined || typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  const key = keys[turn % keys.length];
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((one, index) => (String(index) === key ? damaged(one, rest, by) : one));
  return isFields(value) ? { ...value, [key]: damaged(value[key], rest, by) } : by;
}

const blocks = fc.oneof(
  fc.jsonValue(),
  fc
    .tuple(fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }), fc.jsonValue())
    .map(([path, by]) => damaged(card, path, by)),
);

test('any blocks and any view are answered with findings and never breaks the check', () => {
  fc.assert(
    fc.property(blocks, (value) => {
      const findings = checkBlocks(value, { surface: 'message' });
      for (const finding of findings) expect(finding).toMatch(/ \[json-pointer:\/blocks[^\]]*\]$/);
      if (findings.length === 0 && Array.isArray(value)) {
        let last = 0;
        const stored = storedBlocks(value.filter(isFields), () => `b${++last}`);
        expect(checkBlocks(stored, { surface: 'message' })).toEqual([]);
        expect(mentionsIn('', stored)).toBeInstanceOf(Array);
      }
      const view = { type: 'modal', title: { type: 'plain_text', text: 'A' }, blocks: value };
      expect(checkView(view, { surface: 'modal' })).toBeInstanceOf(Array);
    }),
  );
});

test('any text is stored inert: storing it again changes nothing, and without tokens it reads as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (raw) => {
      const stored = storedText(raw, { verbatim: true });
      expect(storedText(stored, { verbatim: true })).toBe(stored);
      const harmless = raw.replaceAll(/[&<>]/g, '');
      expect(unescaped(storedText(harmless, { verbatim: true }))).toBe(harmless);
    }),
  );
});

test('any arguments to any method get an answer of Slack’s form', async () => {
  const { slack } = await startWorkspace();
  const methods = ['chat.postMessage', 'chat.update', 'views.open', 'views.publish'];
  const names = ['channel', 'ts', 'text', 'blocks', 'metadata', 'view', 'trigger_id', 'user_id', 'thread_ts'];
  const value = fc.oneof(fc.constantFrom('C0OPS', 'U0ANA', '1.000001'), blocks);
  const args = fc.dictionary(fc.constantFrom(...names), value);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), args, async (method, given) => {
      const answer = await callApi(slack, method, given);
      if (answer.ok !== true) expect(answer.error).toMatch(/^[a-z_]+$/);
    }),
    { numRuns: 200 },
  );
});
