import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callsAtOnce, timeLimit } from '../../src/process/call-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Calls that end when they are let go, and which of them were made. */
function calls(inTurn: ReturnType<typeof callsAtOnce>, made: string[]) {
  return (name: string, { system = '', signal }: { system?: string; signal?: AbortSignal } = {}) => {
    const gate = Promise.withResolvers<string>();
    const answer = inTurn({ system, signal }, () => {
      made.push(name);
      return gate.promise;
    });
    return { answer, end: () => gate.resolve(name) };
  };
}

test('the time limit of a read stands still while it waits for its turn, and runs once it is made', async () => {
  const made: string[] = [];
  const call = calls(callsAtOnce('jira', 1), made);
  const first = call('first');
  const late: string[] = [];
  const limit = timeLimit(10_000, { waits: true }, () => late.push('second'));
  const second = call('second', { signal: limit.signal });
  await vi.advanceTimersByTimeAsync(50_000);
  expect({ made, late }).toEqual({ made: ['first'], late: [] });
  first.end();
  await vi.advanceTimersByTimeAsync(9_999);
  expect({ made, late }).toEqual({ made: ['first', 'second'], late: [] });
  await vi.advanceTimersByTimeAsync(1);
  expect(late).toEqual(['second']);
  // Aborted, it gives its turn to the next although its client never answers.
  const third = call('third');
  await vi.advanceTimersByTimeAsync(0);
  expect(made).toEqual(['first', 'second', 'third']);
  for (const each of [second, third]) each.end();
});

test('a tool whose first call hangs is not kept alive by its others, which wait for a turn', async () => {
  const call = calls(callsAtOnce('jira', 1), []);
  const late: string[] = [];
  const { signal } = timeLimit(10_000, { waits: true }, () => late.push('tool'));
  call('first', { signal });
  call('second', { signal });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(late).toEqual(['tool']);
});

test('a hanging database delays no call to another, and a write waits for nothing', async () => {
  const made: string[] = [];
  const call = calls(callsAtOnce('sql', 1), made);
  call('orders', { system: 'shop' });
  call('payments', { system: 'shop' });
  call('logins', { system: 'accounts' });
  call('write', { system: 'shop', signal: timeLimit(10_000, { waits: false }, () => undefined).signal });
  await vi.advanceTimersByTimeAsync(0);
  expect(made).toEqual(['orders', 'logins', 'write']);
});

test('a call without a turn for a minute is refused, and says which limit is in its way', async () => {
  const made: string[] = [];
  const call = calls(callsAtOnce('jira', 1), made);
  const first = call('first');
  const second = call('second').answer.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await second).toMatchObject({
    code: 'busy',
    message: expect.stringMatching(/1 at once were under way\..*limits\.calls_at_once/),
  });
  first.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(made).toEqual(['first']);
});

test('a call that throws before it begins to wait fails its caller, and the next one has its turn', async () => {
  const inTurn = callsAtOnce('jira', 1);
  const thrown = inTurn({ system: '', signal: undefined }, () => {
    throw new TypeError('no such ticket');
  });
  const next = inTurn({ system: '', signal: undefined }, () => Promise.resolve('next'));
  await expect(thrown).rejects.toThrow('no such ticket');
  await expect(next).resolves.toBe('next');
});
