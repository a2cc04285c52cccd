import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { argsOf, environmentOf, stagesOf } from '../../deploy/image/dockerfile.ts';
import { readEnv } from '../../src/config/env.ts';
import { envSchema } from '../../src/config/env-schema.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const settings = new Set(Object.keys(envSchema.shape));
/** Routing keys have names that the operator chooses. */
const isSetting = (name: string) => settings.has(name) || name.startsWith('PD_ROUTING_KEY_');

describe('the image', () => {
  const [build = [], final = []] = stagesOf(read('deploy/Dockerfile'));
  const copied = argsOf(build, 'COPY').flatMap((args) => args.split(/\s+/).slice(0, -1));

  test('has every folder that the bot needs, and nothing outside the build context', () => {
    const imported = execFileSync('git', ['grep', '-hoE', "from '(\\.\\./)+[a-z]+/", 'src', 'tools'], {
      encoding: 'utf8',
    });
    const folders = new Set(
      [...imported.matchAll(/\.\.\/(tools|manifests|playbooks|sandbox|test)\//g)].map((m) => m[1]),
    );
    for (const folder of [...folders, 'src', 'playbooks', 'slack-manifest.yml'])
      expect(copied).toContain(folder);
    expect(copied.filter((each) => !existsSync(each))).toEqual([]);
    const allowed = read('.dockerignore')
      .match(/^!.+$/gm)
      ?.map((line) => line.slice(1));
    expect(copied.filter((each) => !allowed?.includes(each))).toEqual([]);
    expect(allowed).not.toContain('.env');
  });

  test('runs as an unprivileged user, under an init, with a health check', () => {
    expect(argsOf(final, 'USER')).toEqual(['10001:10001']);
    expect(argsOf(final, 'ENTRYPOINT')).toEqual(['["tini", "--"]']);
    expect(argsOf(final, 'HEALTHCHECK').join()).toContain("process.env.OPS_PORT + '/healthz'");
    expect(Object.keys(environmentOf(final)).filter((name) => !isSetting(name))).toEqual([
      'PATH',
      'NODE_ENV',
    ]);
    const start = z
      .object({ scripts: z.object({ start: z.string() }) })
      .parse(JSON.parse(read('package.json')));
    const command: string[] = JSON.parse(argsOf(final, 'CMD')[0] ?? '[]');
    expect(start.scripts.start.replace('--env-file-if-exists=.env ', '')).toBe(command.join(' '));
  });
});

test('Compose: the bot waits for a healthy database, uses its own role, and has a read-only file system', () => {
  const service = z.object({
    image: z.string(),
    environment: z.record(z.string(), z.string()),
    restart: z.literal('unless-stopped'),
  });
  const bot = service.extend({
    build: z.object({ context: z.literal('..'), dockerfile: z.literal('deploy/Dockerfile') }),
    depends_on: z.object({ database: z.object({ condition: z.literal('service_healthy') }) }),
    read_only: z.literal(true),
    cap_drop: z.tuple([z.literal('ALL')]),
    ports: z.array(z.string().startsWith('127.0.0.1:')),
    // A missing file is an error, and no folder is created in its place.
    volumes: z.tuple([
      z.object({
        source: z.literal('../countersign.yml'),
        read_only: z.literal(true),
        bind: z.object({ create_host_path: z.literal(false) }),
      }),
    ]),
  });
  // The first start runs a server on its socket only, which then stops: healthy means reachable by others.
  const healthcheck = z.object({
    test: z.tuple([z.literal('CMD-SHELL'), z.string().includes('-h 127.0.0.1')]),
  });
  const database = service.extend({ healthcheck, volumes: z.array(z.string()) });
  const { services } = z
    .object({ services: z.object({ database, countersign: bot }) })
    .parse(parse(read('deploy/compose.yml')));
  const { environment } = services.countersign;
  expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
  const [, role] = /^create role (\w+) login/m.exec(read('deploy/database-role.sh')) ?? [];
  expect(new URL(environment.DATABASE_URL ?? '').username).toBe(role);
  expect(new URL(environment.DATABASE_OWNER_URL ?? '').username).toBe(
    services.database.environment.POSTGRES_USER,
  );
  for (const volume of services.database.volumes) {
    const [from = ''] = volume.split(':');
    if (from.startsWith('./')) expect(existsSync(`deploy/${from}`), volume).toBe(true);
  }
});

describe('Kubernetes', () => {
  const documents = readdirSync('deploy/kubernetes').flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((each): unknown => each.toJS()),
  );
  const kindOf = (kind: string) =>
    documents.filter((each) => z.object({ kind: z.string() }).parse(each).kind === kind);
  const labels = z.object({ app: z.literal('countersign') });
  const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('ops') }) });
  const container = z.object({
    image: z.string(),
    envFrom: z.tuple([z.object({ secretRef: z.object({ name: z.string() }) })]),
    ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
    startupProbe: probe,
    readinessProbe: probe,
    livenessProbe: probe,
    resources: z.object({ requests: z.object({}).loose(), limits: z.object({ memory: z.string() }) }),
    securityContext: z.object({
      readOnlyRootFilesystem: z.literal(true),
      allowPrivilegeEscalation: z.literal(false),
      capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
    }),
    volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
    terminationMessagePolicy: z.literal('FallbackToLogsOnError'),
    lifecycle: z
      .object({
        preStop: z.object({
          exec: z.object({ command: z.tuple([z.literal('sleep'), z.string().regex(/^\d+$/)]) }),
        }),
      })
      .optional(),
  });
  const deployment = z.object({
    apiVersion: z.literal('apps/v1'),
    spec: z.object({
      replicas: z.literal(2),
      strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0) }).loose() }),
      selector: z.object({ matchLabels: labels }),
      template: z.object({
        metadata: z.object({ labels }),
        spec: z.object({
          securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.number() }),
          enableServiceLinks: z.literal(false),
          terminationGracePeriodSeconds: z.number().min(15),
          containers: z.tuple([container]),
          volumes: z.array(z.object({ name: z.string() })),
        }),
      }),
    }),
  });

  test('two replicas with probes, limits and read-only file systems, one of which always stays up', () => {
    const { template } = deployment.parse(kindOf('Deployment')[0]).spec;
    const [bot] = template.spec.containers;
    // A process must start and keep running during a Slack outage, but get no traffic meanwhile.
    const restarting = kindOf('Deployment').flatMap((each) => {
      const [one] = deployment.parse(each).spec.template.spec.containers;
      return [one.startupProbe.httpGet.path, one.livenessProbe.httpGet.path];
    });
    expect(new Set(restarting)).toEqual(new Set(['/healthz']));
    expect(bot.livenessProbe.httpGet.path).toBe('/healthz');
    expect(bot.readinessProbe.httpGet.path).toBe('/readyz');
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
    expect(bot.image).toBe(`countersign:${version}`);
    const volumes = template.spec.volumes.map(({ name }) => name);
    expect(bot.volumeMounts.map(({ name }) => name)).toEqual(volumes);
    const [final = []] = stagesOf(read('deploy/Dockerfile')).slice(-1);
    expect(argsOf(final, 'USER')).toEqual([`${template.spec.securityContext.runAsUser}:10001`]);
    const config = environmentOf(final).COUNTERSIGN_CONFIG ?? '';
    expect(bot.volumeMounts.some(({ mountPath }) => config.startsWith(`${mountPath}/`))).toBe(true);
    const budget = z.object({
      spec: z.object({ minAvailable: z.literal(1), selector: z.object({ matchLabels: labels }) }),
    });
    budget.parse(kindOf('PodDisruptionBudget')[0]);
    const service = z.object({
      spec: z.object({ selector: labels, ports: z.tuple([z.object({ targetPort: z.string() })]) }),
    });
    const doors = kindOf('Service').map((each) => service.parse(each).spec.ports[0].targetPort);
    for (const door of doors) expect(bot.ports.map(({ name }) => name)).toContain(door);
    expect(new Set(doors)).toEqual(new Set(['ops', 'slack']));
  });

  test('a pod behind a Service keeps accepting for a moment, and still has time to stop after that', () => {
    const pods = kindOf('Deployment').map((each) => deployment.parse(each).spec.template.spec);
    const taking = pods.filter(({ containers: [one] }) => one.ports.some(({ name }) => name === 'slack'));
    expect(taking).toHaveLength(2);
    const [, grace = 'NaN'] = /^const graceMs = ([\d_]+);/m.exec(read('src/main.ts')) ?? [];
    for (const { containers, terminationGracePeriodSeconds } of taking) {
      const seconds = Number(containers[0].lifecycle?.preStop.exec.command[1]);
      expect(seconds).toBeGreaterThanOrEqual(5);
      expect(terminationGracePeriodSeconds - seconds).toBeGreaterThan(Number(grace.replace('_', '')) / 1_000);
    }
  });

  test('the example secret has the expected name, and only existing settings, all empty', () => {
    const secret = z
      .object({ metadata: z.object({ name: z.string() }), stringData: z.record(z.string(), z.literal('')) })
      .parse(kindOf('Secret')[0]);
    const [bot] = deployment.parse(kindOf('Deployment')[0]).spec.template.spec.containers;
    expect(bot.envFrom[0].secretRef.name).toBe(secret.metadata.name);
    expect(Object.keys(secret.stringData).filter((name) => !isSetting(name))).toEqual([]);
  });
});

describe('the split', () => {
  const roles = ['front', 'executor'] as const;
  const environmentSchema = z.record(z.string(), z.string());
  const secretSchema = z.object({ metadata: z.object({ name: z.string() }), stringData: environmentSchema });
  /** Every setting in a role's secret, with a value of the right shape. */
  const filled = (secret: z.infer<typeof secretSchema>) => {
    const values: Record<string, string> = {
      ...{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', JIRA_HOST: 'https://acme.atlassian.net' },
      ...{ JIRA_EMAIL: 'bot@acme.example', PAGERDUTY_FROM_EMAIL: 'bot@acme.example' },
      ...{
        DATABASE_URL: 'postgres://bot@db/x',
        DATABASE_OWNER_URL: 'postgres://own@db/x',
        AUDIT_KEY: 'k'.repeat(32),
        TOKEN_KEY: 'k'.repeat(32),
        PORT: '3000',
      },
    };
    return Object.fromEntries(Object.keys(secret.stringData).map((name) => [name, values[name] ?? 'value']));
  };

  const example = read('deploy/kubernetes/split-secrets.example.yml');
  /** The example as it is filled in for several workspaces. */
  const forSeveral = example
    .replace(/^ {2}SLACK_BOT_TOKEN: .*\n/gm, '')
    .replace(/^ {2}# (?=[A-Z_]+: )/gm, '  ');
  const secretsOf = (text: string) => parseAllDocuments(text).map((each) => secretSchema.parse(each.toJS()));

  test.each([
    ['one workspace', example, undefined],
    ['several workspaces', forSeveral, 'k'.repeat(32)],
  ])('in Kubernetes gives each role the settings that it accepts, for %s', (_case, text, tokenKey) => {
    for (const role of roles) {
      const secret = secretsOf(text).find(({ metadata }) => metadata.name.endsWith(role));
      if (secret === undefined) throw new Error(`no secret for ${role}`);
      const env = readEnv({ ...filled(secret), COUNTERSIGN_ROLE: role });
      expect([env.COUNTERSIGN_ROLE, env.TOKEN_KEY]).toEqual([role, tokenKey]);
      const holdsKeys = Object.keys(secret.stringData).some((name) => name.startsWith('PD_ROUTING_KEY_'));
      expect(holdsKeys).toBe(role === 'executor');
    }
  });

  test('in Kubernetes starts each role with its own secret, in the released version', () => {
    const manifests = read('deploy/kubernetes/split.yml');
    for (const { metadata } of secretsOf(example)) {
      expect(manifests).toContain(`secretRef: { name: ${metadata.name} }`);
      expect(manifests).toContain(
        `{ name: COUNTERSIGN_ROLE, value: ${metadata.name.replace('countersign-', '')} }`,
      );
    }
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
    expect(manifests.match(/image: .*/g)).toEqual([
      `image: countersign:${version}`,
      `image: countersign:${version}`,
    ]);
  });

  test('in Compose and systemd gives each role its own file of secrets', () => {
    const service = z.object({ env_file: z.string(), environment: environmentSchema });
    const compose = z
      .object({ services: z.object({ front: service, executor: service }) })
      .parse(parse(read('deploy/compose.split.yml'), { merge: true }));
    for (const role of roles) {
      const { env_file: file, environment } = compose.services[role];
      expect([file, environment.COUNTERSIGN_ROLE]).toEqual([`../${role}.env`, role]);
      expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
    }
    const unit = read('deploy/countersign@.service');
    for (const line of [
      'User=countersign-%i',
      'EnvironmentFile=/etc/countersign/%i.env',
      'COUNTERSIGN_ROLE=%i',
    ])
      expect(unit).toContain(line);
    expect(/^ExecStart=.*$/m.exec(unit)?.[0]).toBe(
      /^ExecStart=.*$/m.exec(read('deploy/countersign.service'))?.[0],
    );
  });
});

test('systemd: it restarts by itself, can write only its state folder, and can compile code', () => {
  const unit = new Map(
    [...read('deploy/countersign.service').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  expect(unit.get('Restart')).toBe('always');
  expect(unit.get('RestartPreventExitStatus')).toBe('78');
  expect(unit.get('ProtectSystem')).toBe('strict');
  expect(unit.has('MemoryDenyWriteExecute')).toBe(false);
  expect(read('deploy/countersign.service')).toContain(`DATA_DIR=/var/lib/${unit.get('StateDirectory')}`);
  const names = [...read('deploy/countersign.service').matchAll(/^Environment=(\w+)=/gm)].map(
    ([, name = '']) => name,
  );
  expect(names.filter((name) => !isSetting(name))).toEqual(['NODE_ENV']);
  expect(unit.get('ExecStart')).toMatch(
    /^\/opt\/countersign\/node_modules\/\.bin\/node --max-semi-space-size=8 src\/main\.ts$/,
  );
});
