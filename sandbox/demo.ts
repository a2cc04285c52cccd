import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from './start.ts';

const firstPort = 3210;
/** Where the bot takes the webhooks of the local PagerDuty. */
const firstWebhookPort = 3310;
const webhookSecret = 'sandbox-pagerduty-webhook-secret';
const portsToTry = 20;
/** How long the bot may take to finish what it is doing once it was told to stop. */
const graceMs = 15_000;
const projectRoot = fileURLToPath(new URL('..', import.meta.url));

/** `npm run demo`: the local workspace and the bot next to it, until Ctrl-C. Answers the exit code. */
async function demo(): Promise<number> {
  const port = await freePort(firstPort);
  const webhookPort = await freePort(firstWebhookPort);
  const folder = await emptyFolder(port);
  const database = await holdDatabase(folder);
  const webhooks = { url: `http://127.0.0.1:${webhookPort}/pagerduty/webhook`, secrets: [webhookSecret] };
  const sandbox = await startSandbox({ slackMode: 'socket', port, webhooks, databaseServer: database.url });
  const bot = startBot(sandbox, folder, webhookPort);
  const ended = exitOf(bot);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(bot));
  try {
    console.log('Starting the bot with an empty database. This takes a few seconds.');
    if (await connected(sandbox, bot)) console.log(welcome(sandbox.controlUrl));
    return await ended;
  } finally {
    await sandbox.close();
    await database.stop();
  }
}

interface HeldDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** The bot's own Postgres, up before the bot: the shop's database lies on it as well. It goes down with its input. */
async function holdDatabase(dataDir: string): Promise<HeldDatabase> {
  const holder = spawn(process.execPath, ['src/cli.ts', 'database', 'hold'], {
    cwd: projectRoot,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(holder, 'exit');
  let said = '';
  for await (const chunk of holder.stdout) {
    said += String(chunk);
    if (said.includes('\n')) break;
  }
  const url = said.trim();
  if (!url.startsWith('postgres')) throw new Error('the database did not start');
  return {
    url,
    async stop() {
      holder.stdin.end();
      await ended;
    },
  };
}

/** A port that stays the same from one start to the next; the next one where it is taken. */
async function freePort(first: number): Promise<number> {
  for (let port = first; port < first + portsToTry; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`ports ${first} to ${first + portsToTry - 1} are all taken`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    probe.close();
  }
}

/**
 * Where the bot keeps its records. Slack, Jira and PagerDuty start anew each time, so a bot that remembered the last
 * time would speak of messages that are gone. One folder for each port: who holds the port is alone in the folder.
 */
async function emptyFolder(port: number): Promise<string> {
  const folder = join(projectRoot, '.countersign', port === firstPort ? 'demo' : `demo-${port}`);
  await rm(folder, { recursive: true, force: true });
  return folder;
}

function startBot(sandbox: Sandbox, dataDir: string, port: number): ChildProcess {
  const env = {
    DATA_DIR: dataDir,
    COUNTERSIGN_CONFIG: fileURLToPath(new URL('countersign.yml', import.meta.url)),
    LOG_LEVEL: 'warn',
    ...process.env,
    ...sandbox.env,
    PORT: String(port),
    PAGERDUTY_WEBHOOK_SECRET: webhookSecret,
  };
  // A process group of its own: Ctrl-C reaches the bot once, through this process.
  return spawn(
    process.execPath,
    ['--max-semi-space-size=8', '--import', './sandbox/end-with-parent.ts', 'src/main.ts'],
    {
      cwd: projectRoot,
      env,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      detached: true,
    },
  );
}

/** Resolves with true once the bot listens to the local Slack, with false when it ends before. */
async function connected(sandbox: Sandbox, bot: ChildProcess): Promise<boolean> {
  while (bot.exitCode === null && bot.signalCode === null) {
    if (sandbox.slack.connections > 0) return true;
    await pause(50);
  }
  return false;
}

/** Asks the bot to end; npm and the terminal may both pass one Ctrl-C on, so only the first one counts. */
function stop(bot: ChildProcess): void {
  if (bot.killed) return;
  bot.kill('SIGINT');
  setTimeout(() => {
    console.error('The bot did not end in time and was stopped.');
    bot.kill('SIGKILL');
  }, graceMs).unref();
}

/** 0 when the bot ended because it was told to, otherwise its own exit code, and one line that says so. */
async function exitOf(bot: ChildProcess): Promise<number> {
  const [code, signal] = await once(bot, 'exit');
  if (code === 0 || bot.killed) return 0;
  console.error(`The bot ended with ${signal ?? `exit code ${code}`}, so the demo ends too.`);
  return typeof code === 'number' ? code : 1;
}

function welcome(address: string): string {
  return `
  Countersign demo: a local Slack, Jira and PagerDuty, and the bot in them.

    Open  ${address}
    Type  /plan Check Jira ticket count, compare with SLA, and notify on-call engineer if breached
    Then  read the card and approve it as Ana Ruiz or Chiara Conti
    Or    checkout is slow: /plan errors of checkout in the last hour, /plan what is PAY-E-2201,
          /plan find the runbook for checkout latency, /plan how many failed orders in the last hour

  Ctrl-C ends it.
`;
}

try {
  process.exitCode = await demo();
} catch (error) {
  console.error(`The demo cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
