import { expect, test } from 'vitest';
import { slackCanvas } from '../../tools/write/slack.canvas.ts';
import { createVendors } from '../support/vendors.ts';

const origin = {
  ...{ requester: 'Ben', approver: 'Ana', goal: 'a goal', threadLink: null },
  startedAt: new Date('2026-03-10T12:00:00Z'),
};
const around = { asker: 'U0ANA', now: () => origin.startedAt, problem: null, origin };
const { signal } = new AbortController();

test('a card says what the Slack app lacks, and the canvas is found again by its key', async () => {
  const { readers, writers } = createVendors();
  const context = { ...around, readers, writers, signal };
  const args = { channel: '#ops', title: 'Disk full', text: 'It was the backup' };
  expect(await slackCanvas.find(args, { ...context, key: 'k' })).toBeNull();
  const result = await slackCanvas.run(args, { ...context, key: 'k' });
  expect(await slackCanvas.find(args, { ...context, key: 'k' })).toEqual(result);
  const target = { channel: '#ops' };
  expect(await slackCanvas.resolve(target, context)).toMatchObject([{ label: 'creates a canvas in #ops' }]);
  const slack = { ...readers.slack, missingForCanvases: async () => ['canvases:write'] };
  const [lacking] = await slackCanvas.resolve(target, { ...context, readers: { ...readers, slack } });
  expect(lacking?.instead?.message).toMatch(/lacks canvases:write/);
});
