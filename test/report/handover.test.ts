import { expect, test } from 'vitest';
import type { Life } from '../../src/core/life.ts';
import { type HandoverPort, handover } from '../../src/report/handover.ts';
import { wordsOf } from '../support/workspace.ts';

const life = (number: number, title: string): Life => ({
  ...{ id: `P${number}`, number, title, state: 'triggered', url: '', events: [] },
  ...{ openedAt: '2026-03-10T12:00:00Z', changedAt: '2026-03-10T12:00:00Z' },
});

const port: HandoverPort = {
  incidents: async () => [
    { life: life(1, 'in public'), requester: 'U0BEN', channel: 'C0OPS' },
    { life: life(2, 'a secret'), requester: 'U0BEN', channel: 'C0SECRET' },
    { life: life(3, 'asked in private'), requester: 'U0EVA', channel: 'D0EVA' },
  ],
  waiting: async () => [],
  running: async () => [],
  watches: async () => [],
  history: async () => ({ plans: [], next: null }),
  maySee: async (viewer, channel) => channel === 'C0OPS' || (viewer === 'U0EVA' && channel === 'D0EVA'),
};

test('a hand-over tells what everybody in its channel may read, whoever asked for it', async () => {
  const since = new Date('2026-03-10T00:00:00Z');
  const inPublic = wordsOf(await handover('C0OPS', since, port));
  expect(inPublic).toContain('in public');
  expect(inPublic).not.toMatch(/a secret|asked in private/);
  const inSecret = wordsOf(await handover('C0SECRET', since, port));
  expect(inSecret).toMatch(/in public[\s\S]*a secret/);
  expect(inSecret).not.toContain('asked in private');
});
