import { type Command, type CommandContext, UsageError } from './commands/command.ts';
import { processVariables } from './config/env.ts';
import { CountersignError } from './core/errors.ts';
import { own } from './core/own.ts';

/** A command is loaded when it is called for: help need not wait for all that the others stand on. */
const commands: Readonly<Record<string, { load: () => Promise<Command>; about: string }>> = {
  check: {
    load: async () => (await import('./commands/check.ts')).check,
    about:
      'check FILE                           findings of a plan (JSON or notation), or ok with its digest',
  },
  plan: {
    load: async () => (await import('./commands/plan.ts')).plan,
    about: 'plan [--json] "<goal>"               what a planner makes of a goal',
  },
  config: {
    load: async () => (await import('./commands/config.ts')).configCommand,
    about: 'config check [file] | config schema  countersign.yml, explained by line',
  },
  mcp: {
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
    about: 'mcp pin <server> [tool …] | mcp check  tools of MCP servers',
  },
  doctor: {
    load: async () => (await import('./commands/doctor.ts')).doctor,
    about: 'doctor                               tries every configured system, and says what is missing',
  },
  eval: {
    load: async () => (await import('./commands/eval.ts')).evalCommand,
    about: 'eval --cases FILE [--planner offline|model] [--out FILE]',
  },
  playbooks: {
    load: async () => (await import('./commands/playbooks.ts')).playbooksCommand,
    about: 'playbooks check | playbooks list     the vetted plans',
  },
  audit: {
    load: async () => (await import('./commands/audit.ts')).auditCommand,
    about: 'audit verify [file] [--witness <line or file>] | audit show <id> | audit export <team id>',
  },
  policy: {
    load: async () => (await import('./commands/policy.ts')).policyCommand,
    about: 'policy explain [FILE]                who may approve a plan and why; without one, all rules',
  },
  tool: {
    load: async () => (await import('./commands/tool.ts')).toolCommand,
    about: 'tool new <system>.<verb> --effect read|write   a new tool, ready to be changed',
  },
  database: {
    load: async () => (await import('./commands/database.ts')).databaseCommand,
    about: 'database hold                        the embedded database, kept up; prints its address',
  },
  backup: {
    load: async () => (await import('./commands/backup.ts')).backupCommand,
    about: 'backup FILE                          everything but the audit key, while the bot goes on',
  },
  restore: {
    load: async () => (await import('./commands/backup.ts')).restoreCommand,
    about: 'restore FILE [--go-on]               into a new database; verifies the audit log',
  },
  export: {
    load: async () => (await import('./commands/data.ts')).exportCommand,
    about: 'export [--since DATE]                requests and what became of them, as JSON lines',
  },
  prune: {
    load: async () => (await import('./commands/data.ts')).pruneCommand,
    about: 'prune --days N                       removes now what is older',
  },
  writes: {
    load: async () => (await import('./commands/writes.ts')).writesCommand,
    about: 'writes stop <team id> "<reason>" | writes allow <team id>',
  },
};

async function main(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name = '', ...args] = argv;
  const command = own(commands, name);
  if (!command) {
    const asked = /^(--help|-h|help)$/.test(name);
    for (const line of usage()) (asked ? context.out : context.error)(line);
    return asked ? 0 : 2;
  }
  try {
    const run = await command.load();
    return await run(args, context);
  } catch (error) {
    if (error instanceof UsageError) context.error(`usage: npm run -s cli -- ${error.message}`);
    else if (error instanceof CountersignError) context.error(error.message);
    else if (isPlainMistake(error)) context.error(inWords(error));
    else throw error;
    return 2;
  }
}

function usage(): string[] {
  return ['npm run -s cli -- <command>', '', ...Object.values(commands).map(({ about }) => `  ${about}`)];
}

/** A mistake without the name of a system call. */
function inWords(error: Error): string {
  if (error instanceof SyntaxError) return `That is not JSON: ${error.message}`;
  const path = 'path' in error ? String(error.path) : '';
  if (error.message.startsWith('ENOENT')) {
    const example = path.endsWith('countersign.yml') ? ' Copy countersign.example.yml and fill it in.' : '';
    return `${path} does not exist.${example}`;
  }
  if (error.message.startsWith('EISDIR')) return 'That is a folder, not a file.';
  return error.message.startsWith('EACCES') ? `${path} may not be read.` : error.message;
}

/** What a person mistyped: a file that is not there, JSON that is none, an option that does not exist. */
function isPlainMistake(error: unknown): error is Error {
  if (error instanceof SyntaxError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ENOENT|EISDIR|EACCES|ERR_PARSE_ARGS)/.test(String(error.code))
  );
}

// `| head` closes our output when it has seen enough; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await main(process.argv.slice(2), {
  variables: processVariables(),
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
});
