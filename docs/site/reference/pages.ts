import { commandsPage, planCommandsPage } from './commands.ts';
import { environmentPage, settingsPage } from './settings.ts';
import { toolsPage } from './tools.ts';

/** The pages that are made from schemas and tables of the code, by their file. */
export function referencePages(): Record<string, string> {
  return {
    'docs/reference/plan-commands.md': planCommandsPage(),
    'docs/reference/commands.md': commandsPage(),
    'docs/reference/settings.md': settingsPage(),
    'docs/reference/environment.md': environmentPage(),
    'docs/reference/tools.md': toolsPage(),
  };
}
