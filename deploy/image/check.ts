import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/supervisor.ts';
import { buildContainer, containerTool } from './container.ts';
import { stagesOf } from './dockerfile.ts';
import type { Image, StartedImage } from './image.ts';
import { buildBySteps } from './steps.ts';

/**
 * Builds deploy/Dockerfile with Docker or Podman, or goes through its steps where neither works or gets the base images
 * (or with `--steps`, as root), and starts it as it is deployed, against a local workspace. Ends with 0 when it is ready and healthy, answers a
 * signed /plan, stops cleanly and is small enough.
 */

const maxMegabytes = 400;
const maxMs = 60_000;
const goal = 'how many open P1 tickets in OPS';
const quiet = { info() {}, warn() {}, error() {} };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Asks until there is an answer; throws with what the bot said when it ends before, or takes too long. */
async function until<T>(
  bot: StartedImage,
  what: string,
  ask: () => Promise<T | null> | T | null,
): Promise<T> {
  for (const end = Date.now() + maxMs; Date.now() < end; await pause(100)) {
    if (bot.process.exitCode !== null) throw new Error(`the bot ended:\n${bot.said()}`);
    const answer = await ask();
    if (answer !== null) return answer;
  }
  throw new Error(`it was not ${what} in time:\n${bot.said()}`);
}

async function readiness(port: string): Promise<string | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  return answer?.ok ? answer.text() : null;
}

function answerIn(sandbox: Sandbox): string | null {
  const messages = sandbox.slack.state().channels.find(({ name }) => name === 'ops')?.messages ?? [];
  return messages.find(({ isBot, text }) => isBot && text.includes('open P1'))?.text ?? null;
}

async function tryOut(image: Image, sandbox: Sandbox, env: Record<string, string>, settings: string) {
  const began = performance.now();
  const bot = image.start(env, settings);
  try {
    const ready = await until(bot, 'ready', () => readiness(env.OPS_PORT ?? ''));
    console.log(`ready after ${Math.round(performance.now() - began)} ms: ${ready.trim()}`);
    bot.checkHealth();
    const taken = await sandbox.slack.command({ as: 'ben', channel: 'ops', text: goal });
    if (!taken.acknowledged) throw new Error(`/plan was not acknowledged: ${taken.error}\n${bot.said()}`);
    console.log(`/plan ${goal}: ${await until(bot, 'answered', () => answerIn(sandbox))}`);
  } finally {
    const code = await bot.stop();
    if (code !== 0) process.exitCode = 1;
    console.log(code === 0 ? 'stopped cleanly' : `the stop was not clean (${code}):\n${bot.said()}`);
  }
}

async function check(folder: string): Promise<void> {
  const stages = stagesOf(await readFile('deploy/Dockerfile', 'utf8'));
  const { tool, ...no } = process.argv.includes('--steps') ? { tool: null } : containerTool(stages);
  if ('why' in no) console.log(`${no.why}: going through the steps of deploy/Dockerfile instead`);
  const image = tool === null ? buildBySteps(stages, folder) : buildContainer(tool, stages.at(-1) ?? []);
  console.log(`${image.megabytes} MB, made by ${image.madeBy}; at most ${maxMegabytes}`);
  if (image.megabytes > maxMegabytes) process.exitCode = 1;
  const [port, opsPort] = await Promise.all([freePort(), freePort()]);
  const sandbox = await startSandbox({ slackMode: 'http', botUrl: `http://127.0.0.1:${port}` });
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: quiet });
  try {
    // Copies, because the user of the image may not be able to pass through to where these lie.
    const settings = join(folder, 'settings');
    await cp('sandbox', settings, { recursive: true });
    await cp(sandbox.env.NODE_EXTRA_CA_CERTS ?? '', join(settings, 'ca.pem'));
    await chmod(join(settings, 'ca.pem'), 0o644);
    const database = { DATABASE_URL: server.url, DATABASE_OWNER_URL: server.ownerUrl };
    const own = { PORT: String(port), OPS_PORT: String(opsPort), AUDIT_KEY: 'k'.repeat(32) };
    await tryOut(image, sandbox, { ...sandbox.env, ...database, ...own }, settings);
  } finally {
    await server.stop();
    await sandbox.close();
    image.remove();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'countersign-image-'));
try {
  // Another user has to pass through.
  await chmod(folder, 0o755);
  await check(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
