import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { argsOf, environmentOf, type Instruction } from './dockerfile.ts';
import { type Image, startProcess } from './image.ts';

/** Megabytes of debian:bookworm-slim with ca-certificates, libatomic1 and tini, unpacked. */
const baseMegabytes = 90;

/** Runs what the Dockerfile installs and copies, in a folder of root's that nobody may write to. */
export function buildBySteps(stages: readonly (readonly Instruction[])[], folder: string): Image {
  if (process.getuid?.() !== 0) throw new Error('start it as root: it changes to the user of the image');
  const [build = [], final = []] = stages;
  const app = join(folder, 'app');
  mkdirSync(app);
  for (const { name, args } of build) {
    if (name === 'COPY') copy(args, app);
    if (name === 'RUN') run(args, app);
  }
  execFileSync('chmod', ['-R', 'a-w', app]);
  const [bytes = ''] = execFileSync('du', ['-sb', app], { encoding: 'utf8' }).split('\t');
  return {
    madeBy: 'its steps, without a container',
    megabytes: Math.round(Number(bytes) / 1e6) + baseMegabytes,
    start: (env, settings) => start(app, final, env, settings),
    remove: () => undefined,
  };
}

function copy(args: string, folder: string): void {
  const words = args.split(/\s+/);
  const to = words.pop() ?? '.';
  for (const from of words) {
    const target = to.endsWith('/') ? join(folder, to, from) : join(folder, to);
    cpSync(from, target, { recursive: true });
  }
}

function run(command: string, folder: string): void {
  console.log(`RUN ${command}`);
  execFileSync('sh', ['-c', command], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

function start(
  app: string,
  final: readonly Instruction[],
  env: Readonly<Record<string, string>>,
  settings: string,
) {
  const [command = '', ...args]: string[] = JSON.parse(argsOf(final, 'CMD')[0] ?? '[]');
  const [uid = 0, gid = 0] = (argsOf(final, 'USER')[0] ?? '').split(':').map(Number);
  const [health = '[]'] = argsOf(final, 'HEALTHCHECK').map((line) => line.slice(line.indexOf('[')));
  const own = environmentOf(final);
  const path = (own.PATH ?? '').replaceAll('/app/', `${app}/`);
  const files = {
    COUNTERSIGN_CONFIG: join(settings, 'countersign.yml'),
    NODE_EXTRA_CA_CERTS: join(settings, 'ca.pem'),
  };
  const options = { cwd: app, uid, gid, env: { ...own, ...env, ...files, PATH: path, HOME: '/nonexistent' } };
  const [checker = '', ...checkerArgs]: string[] = JSON.parse(health);
  const node = (name: string) => join(app, 'node_modules/.bin', name);
  return startProcess(node(command), args, options, () => execFileSync(node(checker), checkerArgs, options));
}
