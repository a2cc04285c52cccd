import { commands } from '../../../src/commands/all.ts';
import { ways } from '../../../src/request/help.ts';
import { code, page, table } from './markdown.ts';

/** Every command of the command line. */
export function commandsPage(): string {
  const rows = Object.values(commands).flatMap((command) =>
    Object.entries(command.ways).map(([typed, about]) => [code(typed), about]),
  );
  return page(
    'Commands of the command line',
    'Each is typed behind `npm run -s cli --`, such as `npm run -s cli -- doctor`. In a container: `node src/cli.ts doctor`. `--help` behind a command says how it is typed, `--version` alone which version this is.',
    table(['command', 'what it does'], rows),
    'A command ends with 0 when all is well, with 1 when it found something wrong, and with 2 when it was mistyped or could not begin.',
  );
}

/** Everything that `/plan` takes. */
export function planCommandsPage(): string {
  const rows = ways.map(({ typed, about }) => [typed.map(code).join(', '), about]);
  return page(
    'What `/plan` takes',
    'The same words work in a mention and in a direct message, without `/plan`. The id of a plan stands on its card.',
    table(['in Slack', 'what comes of it'], rows),
  );
}
