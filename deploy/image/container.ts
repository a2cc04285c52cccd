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

/** The first container tool that works here, or null. */
export function containerTool(): 'docker' | 'podman' | null {
  const works = (tool: string) => spawnSync(tool, ['info'], { stdio: 'ignore' }).status === 0;
  return (['docker', 'podman'] as const).find(works) ?? null;
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
