import { expect, test } from 'vitest';
import type { Pin } from '../../../src/core/mcp.ts';
import { type DeclaredTool, pinDigest } from '../../../src/vendors/mcp/declared.ts';
import { stateOf } from '../../../src/vendors/mcp/pins.ts';

test('a tool whose pasted input does not match its hash is switched off', () => {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const tool: DeclaredTool = { name: 'say', inputSchema };
  const pinned = (input: object) =>
    ({
      name: 'notes.say',
      tool: 'say',
      server: 'notes',
      pinned: { sha256: pinDigest(tool), input },
    }) as Partial<Pin> as Pin;
  expect(stateOf(pinned(inputSchema), [tool]).state).toBe('ok');
  const edited = { ...inputSchema, properties: { text: { type: 'string' }, channel: { type: 'string' } } };
  expect(stateOf(pinned(edited), [tool]).state).toBe('changed');
});
