import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '../sandbox/start.ts';
import { startEmbeddedPostgres } from '../src/store/embedded/supervisor.ts';
import { argsOf, environmentOf, type Instruction, stagesOf } from './dockerfile.ts';

/**
 * Runs the steps of deploy/Dockerfile without a container: what it installs and copies goes into a folder of root's
 * that nobody may write to, and the bot is started there as its CMD says, as its USER, against a local workspace.
 * Ends with 0 when /readyz says yes, a stop is clean and the size is within bounds. Has to be started as root.
 */

/** Megabytes of debian:bookworm-slim with ca-certificates, libatomic1 and tini, unpacked. */
const baseMb = 80;
const maxMb = 400;
const quiet = { info() {}, warn() {}, error() {} };

async function buildIn(folder: string, stage: readonly Instruction[]): Promise<void> {
  for (const { name, args } of stage) {
    if (name === 'COPY') await copy(args, folder);
    if (name === 'RUN') {
      console.log(`RUN ${args}`);
      execFileSync('sh', ['-c', args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    }
  }
}

async function copy(args: string, folder: string): Promise<void> {
  const words = args.split(/\s+/);
  const to = words.pop() ?? '.';
  for (const from of words) {
    const target = to.endsWith('/') ? join(folder, to, from) : join(folder, to);
    await cp(from, target, { recursive: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Resolves once it is ready; throws with what it said when it ends before. */
async function readyAt(port: number, bot: ChildProcess, said: () => string): Promise<string> {
  for (;;) {
    if (bot.exitCode !== null) throw new Error(`the bot ended:\n${said()}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return answer.text();
    await pause(100);
  }
}

async function start(
  folder: string,
  stage: readonly Instruction[],
  env: Record<string, string>,
): Promise<void> {
  const port = await freePort();
  const [command = '', ...args]: string[] = JSON.parse(argsOf(stage, 'CMD')[0] ?? '[]');
  const [uid = 0, gid = 0] = (argsOf(stage, 'USER')[0] ?? '').split(':').map(Number);
  const own = environmentOf(stage);
  const path = (own.PATH ?? '').replaceAll('/app/', `${folder}/`);
  const began = performance.now();
  const bot = spawn(join(folder, 'node_modules/.bin', command), args, {
    ...{ cwd: folder, uid, gid, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...own, ...env, PATH: path, OPS_PORT: String(port), HOME: '/nonexistent' },
  });
  let said = '';
  for (const stream of [bot.stdout, bot.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
  const ready = await readyAt(port, bot, () => said);
  console.log(`ready after ${Math.round(performance.now() - began)} ms as ${uid}:${gid}: ${ready.trim()}`);
  bot.kill('SIGTERM');
  await once(bot, 'exit');
  if (bot.exitCode !== 0) throw new Error(`the stop was not clean (${bot.exitCode}):\n${said}`);
}

async function sizeMb(folder: string): Promise<number> {
  const [size = ''] = execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t');
  return Number(size);
}

async function check(folder: string): Promise<number> {
  const [build = [], final = []] = stagesOf(await readFile('deploy/Dockerfile', 'utf8'));
  const app = join(folder, 'app');
  await mkdir(app);
  await buildIn(app, build);
  execFileSync('chmod', ['-R', 'a-w', app]);
  const size = (await sizeMb(app)) + baseMb;
  console.log(`${size} MB with ${baseMb} MB for the base; at most ${maxMb}`);
  const sandbox = await startSandbox();
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: quiet });
  try {
    // Copies, because the user of the image may not be able to pass through to where this lies.
    const settings = join(folder, 'settings');
    await cp('sandbox', settings, { recursive: true });
    const ca = join(folder, 'ca.pem');
    await cp(sandbox.env.NODE_EXTRA_CA_CERTS ?? '', ca);
    await chmod(ca, 0o644);
    const config = join(settings, 'countersign.yml');
    const own = { DATABASE_URL: server.url, DATABASE_OWNER_URL: server.ownerUrl, AUDIT_KEY: 'k'.repeat(32) };
    await start(app, final, { ...sandbox.env, ...own, COUNTERSIGN_CONFIG: config, NODE_EXTRA_CA_CERTS: ca });
  } finally {
    await server.stop();
    await sandbox.close();
  }
  return size <= maxMb ? 0 : 1;
}

if (process.getuid?.() !== 0) throw new Error('start it as root: it changes to the user of the image');
const folder = await mkdtemp(join(tmpdir(), 'countersign-image-'));
try {
  // Another user has to pass through.
  await chmod(folder, 0o755);
  process.exitCode = await check(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
