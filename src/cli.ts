import { auditCommand } from './commands/audit.ts';
import { check } from './commands/check.ts';
import { type Command, type CommandContext, UsageError } from './commands/command.ts';
import { configCommand } from './commands/config.ts';
import { evalCommand } from './commands/eval.ts';
import { plan } from './commands/plan.ts';
import { playbooksCommand } from './commands/playbooks.ts';
import { writesCommand } from './commands/writes.ts';
import { processVariables } from './config/env.ts';
import { CountersignError } from './core/errors.ts';

const commands: Readonly<Record<string, { run: Command; about: string }>> = {
  check: {
    run: check,
    about: 'check plan.json                      findings of a plan, or ok with its digest',
  },
  plan: { run: plan, about: 'plan [--json] "<goal>"               what a planner makes of a goal' },
  config: {
    run: configCommand,
    about: 'config check [file] | config schema  countersign.yml, explained by line',
  },
  eval: { run: evalCommand, about: 'eval --cases FILE [--planner offline|model] [--out FILE]' },
  playbooks: { run: playbooksCommand, about: 'playbooks check | playbooks list     the vetted plans' },
  audit: { run: auditCommand, about: 'audit verify [file] | audit export <team id>' },
  writes: { run: writesCommand, about: 'writes stop <team id> "<reason>" | writes allow <team id>' },
};

async function main(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name = '', ...args] = argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const usage = [
      'npm run -s cli -- <command>',
      '',
      ...Object.values(commands).map(({ about }) => `  ${about}`),
    ];
    for (const line of usage) context.error(line);
    return 2;
  }
  try {
    return await command.run(args, context);
  } catch (error) {
    if (error instanceof UsageError) context.error(`usage: npm run -s cli -- ${error.message}`);
    else if (error instanceof CountersignError || isPlainMistake(error)) context.error(error.message);
    else throw error;
    return 2;
  }
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
