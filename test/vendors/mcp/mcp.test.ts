import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { silent } from '../../../src/commands/database.ts';
import { mcpServerSchema } from '../../../src/core/mcp.ts';
import { type McpWatchDeps, mcpWatch } from '../../../src/report/operator-notices.ts';
import type { PinState } from '../../../src/vendors/mcp/pins.ts';
import { createMcp } from '../../../src/vendors/mcp/servers.ts';
import { pinnedServer, standIn } from '../../support/mcp.ts';
import { freePort } from '../../support/port.ts';
import { partly } from '../../support/vendors.ts';

const signal = () => AbortSignal.timeout(10_000);
const folder = await mkdtemp(join(tmpdir(), 'countersign-mcp-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The stand-in server, pinned while it behaves and then run in the given manner. */
async function notes(manner: string, tool: Record<string, unknown> = { effect: 'read' }, env: string[] = []) {
  const well = await pinnedServer({ command: standIn('well'), env }, { say: tool });
  return begun({ ...well, command: standIn(manner) });
}

function begun(server: Awaited<ReturnType<typeof pinnedServer>>, variables = process.env) {
  const mcp = createMcp({ servers: { notes: server }, variables, fetch });
  onTestFinished(() => mcp.close());
  return mcp;
}

const say = (text = 'hello') => ({ name: 'notes.say', args: { text } });

describe('a tool of an MCP server', () => {
  test('answers with text, and with the fields that the operator declared', async () => {
    const plain = await notes('well');
    expect(await plain.reader.call(say(), signal())).toEqual({ lines: 'you said hello', truncated: false });
    const declared = await notes('well', { effect: 'read', results: { length: 'whole' } });
    expect(await declared.reader.call(say(), signal())).toMatchObject({ length: 5 });
  });

  test('is called by its pinned effect, whatever the server claims, and is a write if undeclared', async () => {
    const read = await notes('well');
    await expect(read.writer.call(say(), signal())).rejects.toMatchObject({ code: 'mcp_effect' });
    const write = await notes('well', {});
    await expect(write.reader.call(say(), signal())).rejects.toMatchObject({ code: 'mcp_effect' });
    expect(await write.writer.call(say(), signal())).toMatchObject({ lines: 'you said hello' });
    await expect(write.writer.call({ name: 'notes.other', args: {} }, signal())).rejects.toMatchObject({
      code: 'mcp_effect',
      mayHaveHappened: false,
    });
  });

  test('that changes is switched off before it is called, reported once, and enabled once it matches its pin', async () => {
    const marker = join(folder, 'changed');
    const mcp = begun(await pinnedServer({ command: standIn('well', marker) }, { say: {} }));
    const told: PinState[] = [];
    mcp.onOff((state) => told.push(state));
    await mcp.writer.call(say(), signal());
    await writeFile(marker, '');
    for (let turn = 0; turn < 2; turn += 1) {
      await expect(mcp.writer.call(say(), signal())).rejects.toMatchObject({
        code: 'mcp_changed',
        retryable: false,
        mayHaveHappened: false,
        message: expect.stringMatching(
          /^The tool notes\.say is switched off: .*\. To use it as it is now, pin it again \(npm run -s cli -- mcp pin notes\)\.$/,
        ),
      });
    }
    expect([...mcp.off.keys()]).toEqual(['notes.say']);
    expect(told.map(({ state }) => state)).toEqual(['changed']);
    await rm(marker);
    await mcp.writer.call(say(), signal());
    expect(mcp.off.size).toBe(0);
  });

  test('that is as pinned again is switched on by the next look, or by a call of another tool', async () => {
    const marker = join(folder, 'restored');
    const pinned = await pinnedServer({ command: standIn('well', marker) }, { say: { effect: 'read' } });
    const { say: tool } = pinned.tools;
    if (tool === undefined) throw new Error('it has no tool');
    const mcp = begun({ ...pinned, tools: { say: tool, speak: { ...tool, tool: 'say' } } });
    const everyLook = 3;
    const looked: string[][] = [];
    const round = mcpWatch({
      ...partly<McpWatchDeps>({ channel: null, log: silent }),
      mcp: {
        onOff: mcp.onOff,
        async look(at, wanted) {
          const states = await mcp.look(at, wanted);
          looked.push(states.map(({ pin, state }) => `${pin.name} ${state}`));
          return states;
        },
      },
      everyLook,
    });
    await round();
    await round();
    expect(looked).toEqual([['notes.say ok', 'notes.speak ok'], []]);
    await writeFile(marker, '');
    await expect(mcp.reader.call(say(), signal())).rejects.toMatchObject({ code: 'mcp_changed' });
    expect([...mcp.off.keys()]).toEqual(['notes.say', 'notes.speak']);
    await rm(marker);
    await round();
    expect(mcp.off.size).toBe(0);
    await writeFile(marker, '');
    await expect(mcp.reader.call(say(), signal())).rejects.toMatchObject({ code: 'mcp_changed' });
    await rm(marker);
    await mcp.reader.call({ name: 'notes.speak', args: { text: 'x' } }, signal());
    expect(mcp.off.size).toBe(0);
    await round();
    expect(looked.at(-1)).toHaveLength(2);
  });

  test('that is missing or duplicated is switched off', async () => {
    const twice = await notes('twice');
    expect(await twice.look(signal())).toMatchObject([
      { state: 'changed', message: /two tools of that name/ },
    ]);
    const server = await pinnedServer({ command: standIn('well') }, { say: { effect: 'read' } });
    const { say: pinned } = server.tools;
    const gone = begun({ ...server, tools: { shout: { ...pinned, tool: 'shout' } } as typeof server.tools });
    expect(await gone.look(signal())).toMatchObject([{ state: 'missing' }]);
  });
});

describe('a misbehaving server', () => {
  test('that dies in a call leaves a write in doubt and a read retryable; the next call restarts it', async () => {
    const dying = { retryable: true, code: 'connection_lost' };
    const write = await notes('dies', {});
    await expect(write.writer.call(say(), signal())).rejects.toMatchObject({
      ...dying,
      mayHaveHappened: true,
    });
    const read = await notes('dies');
    for (let turn = 0; turn < 2; turn += 1) {
      await expect(read.reader.call(say(), signal())).rejects.toMatchObject({
        ...dying,
        mayHaveHappened: false,
      });
    }
  });

  test('that never answers hits the time limit, and so does one that never says hello', async () => {
    const marker = join(folder, 'asked');
    const well = await pinnedServer({ command: standIn('well') }, { say: {} });
    const limit = new AbortController();
    const hanging = begun({ ...well, command: standIn('hangs', marker) }).writer.call(say(), limit.signal);
    // The time is up only when the server has the call, however long its start took.
    void expect
      .poll(() => existsSync(marker))
      .toBe(true)
      .then(() => limit.abort());
    await expect(hanging).rejects.toMatchObject({ code: 'timeout', mayHaveHappened: true });
    const silent = await notes('silent');
    await expect(silent.reader.call(say(), AbortSignal.timeout(500))).rejects.toMatchObject({
      ...{ code: 'unreachable', mayHaveHappened: false },
    });
    const absent = begun({
      ...(await pinnedServer({ command: standIn('well') }, { say: {} })),
      command: ['/no/such'],
    });
    expect(await absent.look(signal())).toMatchObject([
      { state: 'unreachable', message: /cannot be reached/ },
    ]);
    expect(absent.off.size).toBe(0);
  });

  test('that answers with 10 MB is cut off; a long text is kept up to whole lines', async () => {
    const huge = await notes('huge');
    await expect(huge.reader.call(say(), signal())).rejects.toMatchObject({
      code: 'bad_answer',
      message: expect.stringMatching(
        /^The MCP server notes sent an answer that is not taken: .*2000000 bytes\.$/,
      ),
    });
    const long = await notes('long');
    const { lines, truncated } = await long.reader.call(say(), signal());
    expect(truncated).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(8_000);
    expect(new Set(lines.split('\n'))).toEqual(new Set(['a line of text']));
  });

  test.for(['endless', 'floods', 'babbles'])(
    'that %s is cut off, and its program is ended',
    async (manner) => {
      const marker = join(folder, manner);
      const server = await pinnedServer({ command: standIn('well') }, { say: { effect: 'read' } });
      const mcp = begun({ ...server, command: standIn(manner, marker) });
      await expect(mcp.reader.call(say(), signal())).rejects.toMatchObject({ code: 'bad_answer' });
      await expect.poll(() => isAlive(Number(readFileSync(marker, 'utf8')))).toBe(false);
    },
  );

  test('that started a helper loses it too when the conversation ends', async () => {
    const marker = join(folder, 'helped');
    const server = await pinnedServer({ command: standIn('well') }, { say: { effect: 'read' } });
    const mcp = begun({ ...server, command: standIn('helped', marker) });
    await mcp.reader.call(say(), signal());
    const helper = Number(readFileSync(marker, 'utf8'));
    expect(isAlive(helper)).toBe(true);
    await mcp.close();
    await expect.poll(() => isAlive(helper)).toBe(false);
  });

  test('that sends invisible characters is read without them', async () => {
    const { lines } = await (await notes('nasty')).reader.call(say(), signal());
    expect(lines).toContain('Ticket OPS-1 <!channel>');
    expect(lines).not.toMatch(/\p{Cf}/u);
    expect(lines).not.toContain('\u0000');
  });

  test('that reports an error fails the call, and a secret that it repeats is hidden', async () => {
    const variables = { ...process.env, NOTES_TOKEN: 'hunter2-hunter2' };
    const server = await pinnedServer(
      { command: standIn('fails'), env: ['NOTES_TOKEN'] },
      { say: {} },
      variables,
    );
    const mcp = begun(server, variables);
    await expect(mcp.writer.call(say(), signal())).rejects.toMatchObject({
      ...{
        code: 'mcp_tool_error',
        mayHaveHappened: true,
        message: 'notes.say reported an error: no: [secret]',
      },
    });
  });

  test('gets only PATH and the variables that its entry names', async () => {
    const variables = {
      ...process.env,
      NOTES_TOKEN: 'a-token',
      JIRA_API_TOKEN: 'hunter2-hunter2',
      HOME: '/home/me',
    };
    const server = await pinnedServer(
      { command: standIn('env'), env: ['NOTES_TOKEN'] },
      { say: { effect: 'read' } },
    );
    const { lines } = await begun(server, variables).reader.call(say(), signal());
    expect(Object.keys(JSON.parse(lines)).filter((name) => !name.startsWith('__'))).toEqual(
      expect.arrayContaining(['PATH', 'NOTES_TOKEN']),
    );
    expect(Object.keys(JSON.parse(lines)).filter((name) => !/^(PATH|NOTES_TOKEN|__.*)$/.test(name))).toEqual(
      [],
    );
  });
});

describe('over HTTP', () => {
  test('a real server is pinned and called', async () => {
    const port = await freePort();
    const entry = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
    const child = spawn(process.execPath, [entry, 'streamableHttp'], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: 'ignore',
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    const url = `http://127.0.0.1:${port}/mcp`;
    for (let turn = 0; turn < 200; turn += 1) {
      if (
        await fetch(url).then(
          () => true,
          () => false,
        )
      )
        break;
      await pause(50);
    }
    const args = { location: { target: undefined } };
    const tools = {
      echo: { effect: 'read' },
      weather: { tool: 'get-structured-content', effect: 'read', results: { temperature: 'number' }, args },
    } as const;
    const mcp = begun(await pinnedServer({ url }, tools));
    expect(await mcp.reader.call({ name: 'notes.echo', args: { message: 'hi' } }, signal())).toEqual({
      lines: 'Echo: hi',
      truncated: false,
    });
    const weather = await mcp.reader.call({ name: 'notes.weather', args: { location: 'Chicago' } }, signal());
    expect(weather.temperature).toEqual(expect.any(Number));
    await expect(
      mcp.reader.call({ name: 'notes.weather', args: { location: 'Atlantis' } }, signal()),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^mcp_/) });
  });

  test('no redirect is followed, and the token is sent to the one address only', async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer((_request, response) => {
      asked.push('elsewhere');
      response.end('{}');
    });
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(307, { location: `http://127.0.0.1:${portOf(elsewhere)}/mcp` }).end();
    });
    for (const one of [server, elsewhere]) {
      one.listen(0, '127.0.0.1');
      await once(one, 'listening');
      onTestFinished(() => void one.close());
    }
    const url = `http://127.0.0.1:${portOf(server)}/mcp`;
    const entry = mcpServerSchema.parse({ url, token: 'NOTES_TOKEN' });
    const mcp = createMcp({
      servers: { notes: entry },
      variables: { NOTES_TOKEN: 'hunter2-hunter2' },
      fetch,
    });
    await expect(mcp.offered('notes', signal())).rejects.toMatchObject({ code: 'redirected' });
    expect(asked).toEqual(['Bearer hunter2-hunter2']);
  });
});

function isAlive(pid: number): boolean {
  try {
    // A dead process that is not yet reaped has no memory any more.
    return readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[0] !== '0';
  } catch {
    return false;
  }
}

function portOf(server: ReturnType<typeof createServer>): number {
  return (server.address() as AddressInfo).port;
}
