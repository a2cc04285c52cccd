import { allManifests } from '../../manifests/all.ts';
import { playbookFolder } from '../app/installed.ts';
import { checkPlaybooks, problemLine } from '../plan/playbooks/lint.ts';
import { readPlaybookFiles } from '../plan/playbooks/load.ts';
import { type Command, UsageError } from './command.ts';

/** `playbooks check [folder]`: problems by file and line. `playbooks list`: names, summaries and inputs. */
export const playbooksCommand: Command = async ([what, folder = playbookFolder], context) => {
  if (what !== 'check' && what !== 'list') throw new UsageError();
  const { playbooks, problems } = checkPlaybooks(readPlaybookFiles(folder), allManifests);
  for (const problem of problems) context.out(problemLine(problem));
  if (problems.length > 0) return 1;
  for (const { name, summary, owner, inputs } of playbooks) {
    const given = Object.keys(inputs).map((input) => `${input}=…`);
    context.out(what === 'check' ? `${name} ok` : `${[name, ...given].join(' ')}\n    ${summary} (${owner})`);
  }
  return 0;
};
