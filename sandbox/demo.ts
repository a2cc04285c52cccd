import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { demoConfig } from './config.ts';
import { claimPort } from './listen.ts';
import { type Sandbox, startSandbox } from './start.ts';

const usualPort = 3210;
/** The bot's port for webhooks of the local PagerDuty and for alerts, counted from the port of the page. */
const webhookBeside = 100;
const webhookSecret = 'sandbox-pagerduty-webhook-secret';
/** Time for the bot to finish its work after it was told to stop. */
const graceMs = 15_000;
const projectRoot = fileURLToPath(new URL('..', import.meta.url));

/** `npm run demo`: the local workspace and the bot next to it, until Ctrl-C. Returns the exit code. */
async function demo(): Promise<number> {
  const claim = await claimPort(Number(process.env.PORT) || usualPort, webhookBeside);
  const webhookPort = claim.port + webhookBeside;
  const folder = await emptyFolder(claim.port);
  const database = await holdDatabase(folder);
  const config = `${folder}.yml`;
  await writeFile(config, demoConfig());
  const bots = `http://127.0.0.1:${webhookPort}`;
  const webhooks = { url: `${bots}/pagerduty/webhook`, secrets: [webhookSecret] };
  const sandbox = await startSandbox({
    slackMode: 'socket',
    claim,
    webhooks,
    alertsUrl: `${bots}/alerts/monitoring`,
    databaseServer: database.url,
    isLive: true,
  });
  const bot = startBot(sandbox, folder, { config, port: webhookPort });
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

/** The bot's own Postgres, started before the bot: it also has the shop's database. It stops when its input ends. */
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

/**
 * The bot's data folder. Slack, Jira and PagerDuty start empty each time, so a bot with old data would refer to
 * messages that are gone. One folder per port: the process with the port has the folder to itself.
 */
async function emptyFolder(port: number): Promise<string> {
  const folder = join(projectRoot, '.countersign', port === usualPort ? 'demo' : `demo-${port}`);
  await rm(folder, { recursive: true, force: true });
  return folder;
}

function startBot(
  sandbox: Sandbox,
  dataDir: string,
  { config, port }: { readonly config: string; readonly port: number },
): ChildProcess {
  const env = {
    DATA_DIR: dataDir,
    COUNTERSIGN_CONFIG: config,
    LOG_LEVEL: 'warn',
    ...process.env,
    ...sandbox.env,
    PORT: String(port),
    PAGERDUTY_WEBHOOK_SECRET: webhookSecret,
  };
  // In a separate process group: Ctrl-C reaches the bot once, through this process.
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

/** Resolves with true once the bot is connected to the local Slack, with false if it ends before. */
async function connected(sandbox: Sandbox, bot: ChildProcess): Promise<boolean> {
  while (bot.exitCode === null && bot.signalCode === null) {
    if (sandbox.slack.connections > 0) return true;
    await pause(50);
  }
  return false;
}

/** Asks the bot to end; npm and the terminal may both forward one Ctrl-C, so only the first one counts. */
function stop(bot: ChildProcess): void {
  if (bot.killed) return;
  bot.kill('SIGINT');
  setTimeout(() => {
    console.error('The bot did not end in time and was stopped.');
    bot.kill('SIGKILL');
  }, graceMs).unref();
}

/** 0 when the bot ended on request, otherwise its own exit code, after printing it. */
async function exitOf(bot: ChildProcess): Promise<number> {
  const [code, signal] = await once(bot, 'exit');
  if (code === 0 || bot.killed) return 0;
  console.error(`The bot ended with ${signal ?? `exit code ${code}`}, so the demo ends too.`);
  return typeof code === 'number' ? code : 1;
}

function welcome(address: string): string {
  return `
  Countersign demo: a local Slack, Jira, PagerDuty and monitoring, and the bot in them.

    Open  ${address}
    Type  /plan Check Jira ticket count, compare with SLA, and notify on-call engineer if breached
    Then  read the card and approve it as Ana Ruiz or Chiara Conti
    Or    fire CheckoutSlow in the Monitoring pane, propose the fix under the alert, and approve it
    Or    checkout is slow: /plan why is checkout failing, /plan errors of checkout in the last hour,
          /plan what is PAY-E-2201, /plan find the runbook for checkout latency

  Ctrl-C ends it.
`;
}

try {
  process.exitCode = await demo();
} catch (error) {
  console.error(`The demo cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
