import { commandLine } from './commands/command-line.ts';
import { processVariables } from './config/env.ts';
import { installProxy } from './vendors/http/proxy.ts';

// `| head` closes our output when it has enough; that is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const variables = processVariables();
installProxy(variables);
process.exitCode = await commandLine(process.argv.slice(2), {
  variables,
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
});
