import { readFileSync } from 'node:fs';
import * as audit from '../store/audit.ts';
import { type ChainVerdict, verifyExport } from '../store/audit-line.ts';
import type { Db } from '../store/tables.ts';
import { auditedTeams } from '../store/teams.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './database.ts';

const usage = 'audit verify [<export file>] | audit export <team id>';

/** `audit verify` checks the hash chain in the database or in an export; `audit export` prints it, one line each. */
export const auditCommand: Command = async ([what, given], context) => {
  if (what === 'verify' && given !== undefined) {
    const verdict = verifyExport(readFileSync(given, 'utf8'));
    context.out(verdictLine(verdict));
    return verdict.ok ? 0 : 1;
  }
  if (what === 'verify') return withDatabase(context.variables, (db) => verifyAll(db, context.out));
  if (what !== 'export' || given === undefined) throw new UsageError(usage);
  return withDatabase(context.variables, async (db) => {
    for await (const line of audit.exportLines(db, given)) context.out(line.trimEnd());
    return 0;
  });
};

async function verifyAll(db: Db, out: (line: string) => void): Promise<number> {
  const teams = await auditedTeams(db);
  let broken = 0;
  for (const teamId of teams) {
    const verdict = await audit.verify(db, teamId);
    if (!verdict.ok) broken += 1;
    out(`${teamId} ${verdictLine(verdict)}`);
  }
  if (teams.length === 0) out('the audit log is empty');
  return broken === 0 ? 0 : 1;
}

function verdictLine(verdict: ChainVerdict): string {
  return verdict.ok ? `ok, ${verdict.count} lines` : `broken at line ${verdict.seq}: ${verdict.why}`;
}
