import { execFileSync, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { argsOf, environmentOf, type Instruction } from './dockerfile.ts';
import { type Image, startProcess } from './image.ts';

const tag = 'countersign-check';
/** As compose.yml and the Kubernetes manifests start it; the host's network, because the local vendors are there. */
const confined = [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--network', 'host', '--no-healthcheck', '--rm'],
];

type Tool = 'docker' | 'podman';
const names: Readonly<Record<Tool, string>> = { docker: 'Docker', podman: 'Podman' };
/** Milliseconds to get a base image; a network that swallows everything answers never. */
const pullMs = 300_000;

/** The first container tool that works here and has, or gets, what the image stands on; else why there is none. */
export function containerTool(
  stages: readonly (readonly Instruction[])[],
): { readonly tool: Tool } | { readonly tool: null; readonly why: string } {
  const works = (tool: Tool) => spawnSync(tool, ['info'], { stdio: 'ignore' }).status === 0;
  const working = (['docker', 'podman'] as const).filter(works);
  const lacking = working.map((tool) => {
    const why = lacksBase(tool, stages);
    return why === null ? { tool } : { tool: null, why };
  });
  const usable = lacking.find(({ tool }) => tool !== null);
  return usable ?? lacking[0] ?? { tool: null, why: 'neither Docker nor Podman works here' };
}

/** Why a base image cannot be had; null when all are there. */
function lacksBase(tool: Tool, stages: readonly (readonly Instruction[])[]): string | null {
  const bases = stages
    .flatMap((stage) => argsOf(stage, 'FROM'))
    .flatMap((args) => args.split(/\s+/)[0] ?? []);
  for (const base of bases) {
    if (spawnSync(tool, ['image', 'inspect', base], { stdio: 'ignore' }).status === 0) continue;
    const pulled = spawnSync(tool, ['pull', '--quiet', base], { encoding: 'utf8', timeout: pullMs });
    const said = pulled.stderr?.trim().split('\n').at(-1) || 'no answer';
    if (pulled.status !== 0) return `${names[tool]} cannot pull ${base} (${said})`;
  }
  return null;
}

/** Builds deploy/Dockerfile; `final` is its last stage. */
export function buildContainer(tool: string, final: readonly Instruction[]): Image {
  execFileSync(tool, ['build', '-f', 'deploy/Dockerfile', '-t', tag, '.'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const size = execFileSync(tool, ['image', 'inspect', '--format', '{{.Size}}', tag], { encoding: 'utf8' });
  const [health = '[]'] = argsOf(final, 'HEALTHCHECK').map((line) => line.slice(line.indexOf('[')));
  const settingsAt = dirname(environmentOf(final).COUNTERSIGN_CONFIG ?? '');
  return {
    madeBy: tool,
    megabytes: Math.round(Number(size) / 1e6),
    start(env, settings) {
      const name = `${tag}-${process.pid}`;
      const own = { ...env, NODE_EXTRA_CA_CERTS: `${settingsAt}/ca.pem` };
      // By name alone: values stand in no list of processes.
      const given = Object.keys(own).flatMap((each) => ['--env', each]);
      const volume = ['--volume', `${settings}:${settingsAt}:ro`];
      return startProcess(
        tool,
        ['run', '--name', name, ...confined, ...volume, ...given, tag],
        { env: { ...process.env, ...own } },
        () => execFileSync(tool, ['exec', name, ...JSON.parse(health)]),
      );
    },
    remove: () => void spawnSync(tool, ['rmi', tag], { stdio: 'ignore' }),
  };
}
