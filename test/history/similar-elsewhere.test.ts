import { expect, test } from 'vitest';
import { plainText } from '../../src/blocks/plain-text.ts';
import type { Span } from '../../src/blocks/rich.ts';
import { type PastSource, type PastThing, similarElsewhere } from '../../src/history/similar-elsewhere.ts';

const log = { info() {}, warn() {}, error() {} };
const hosts = ['acme.example'];
const thing = (name: string, more: Partial<PastThing> = {}): PastThing => ({
  ...{ name, url: 'https://acme.example/x', at: '2026-08-12T10:00:00Z', words: name },
  ...more,
});
const source = (...things: PastThing[]): PastSource => ({ name: 'closed tickets', find: async () => things });
const words = 'why is checkout slow: connection pool exhausted, PAY-E-2201';

async function like(elsewhere: PastSource[], mayShow = async (_incident: string) => true) {
  const found = await similarElsewhere({ service: 'checkout', words }, mayShow, { elsewhere, hosts, log });
  return {
    items: found.items.map(({ elements }) => plainText(elements as Span[])),
    missing: JSON.stringify(found.missing),
  };
}

test('the same error code comes first, and one word in common is not enough', async () => {
  const { items } = await like([
    source(
      thing('Pool of connections exhausted again, connection refused'),
      thing('Orders fail with PAY-E-2201', { ended: '2026-08-12T10:09:00Z' }),
      thing('The swimming pool is closed'),
    ),
  ]);
  expect(items).toHaveLength(2);
  expect(items[0]).toMatch(/^Orders fail with PAY-E-2201 <.*> of .*, same code: over after 9 min$/);
});

test('an incident of a private channel is left out, also where PagerDuty finds it alike', async () => {
  const secret = thing('#7 A private word', { incident: 'PSECRET', isAlike: true });
  const open = thing('#8 Something else', { incident: 'POPEN', isAlike: true });
  const { items } = await like([source(secret, open)], async (incident) => incident !== 'PSECRET');
  expect(items).toEqual([expect.stringContaining('#8')]);
});

test('a source that fails is named, and hides nothing of the others', async () => {
  const failing: PastSource = { name: 'past incidents', find: () => Promise.reject(new Error('down')) };
  const { items, missing } = await like([failing, source(thing('PAY-E-2201'))]);
  expect(items).toHaveLength(1);
  expect(missing).toContain('Not looked up: past incidents.');
});

test('an address on an unknown host does not become a link', async () => {
  const { items } = await like([source(thing('PAY-E-2201', { url: 'https://evil.example/x' }))]);
  expect(items[0]).not.toContain('evil');
});
