import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as audit from '../audit/chain.ts';
import { type AuditHead, parseHeads, readNoted } from '../audit/head.ts';
import { type AuditKeys, keysOf } from '../audit/key.ts';
import { type ChainVerdict, exportedHash, verifyExport } from '../audit/line.ts';
import { type DatabaseEnv, readAuditEnv } from '../config/env.ts';
import { mayRewriteAudit } from '../store/database-roles.ts';
import { readAuditKeys, rewritable, stateFolder } from '../store/open.ts';
import type { Db } from '../store/tables.ts';
import { auditedTeams } from '../store/teams.ts';
import { showStory } from './audit-show.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { withDatabase } from './database.ts';

type HashAt = (head: AuditHead) => Promise<string | null>;

/**
 * `audit verify` checks the log in the database, or an export of it: every hash, the key, and what was noted or posted
 * of it elsewhere. `audit show` tells one plan with its proof. `audit export` prints the log, one line each. `audit
 * change-key` lets the first of the given keys sign from now on.
 */
export const auditCommand: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { witness: { type: 'string' }, lost: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [what, given] = positionals;
  const witness = values.witness === undefined ? [] : headsIn(values.witness);
  if (what === 'verify' && given !== undefined) return verifyFile(given, witness, context);
  if (what === 'verify') {
    return withDatabase(context.variables, (db, env) => verifyAll(db, env, witness, context.out));
  }
  if (what === 'change-key' && given === undefined) {
    return withDatabase(context.variables, (db) => changeKeys(db, { isLost: values.lost }, context.out));
  }
  if (what === 'show' && given !== undefined) {
    const id = positionals.slice(1).join(' ');
    return withDatabase(context.variables, (db) => showStory(db, id, context.out));
  }
  if (what !== 'export' || given === undefined) throw new UsageError();
  return withDatabase(context.variables, async (db) => {
    for await (const line of audit.exportLines(db, given)) context.out(line.trimEnd());
    return 0;
  });
};

async function changeKeys(
  db: Db,
  lost: { readonly isLost: boolean },
  out: (line: string) => void,
): Promise<number> {
  let changes = 0;
  for (const team of await auditedTeams(db)) {
    const change = await audit.changeKey(db, team, new Date(), lost);
    if (change === null) continue;
    changes += 1;
    const { from, to, seq } = change;
    const vouched =
      keysOf(db).find(from) === null ? `; ${from} has not signed that` : `, and ${from} has signed that too`;
    out(`${team} is signed with ${to} from line ${seq} on${vouched}`);
  }
  if (changes === 0) out('No log is signed with another key than the first one of AUDIT_KEY.');
  return 0;
}

function headsIn(given: string): AuditHead[] {
  const heads = parseHeads(existsSync(given) ? readFileSync(given, 'utf8') : given);
  if (heads.length === 0) throw new UsageError('There is no “countersign-audit …” line in that witness.');
  return heads;
}

async function verifyFile(
  file: string,
  witness: readonly AuditHead[],
  { variables, out }: CommandContext,
): Promise<number> {
  const text = readFileSync(file, 'utf8');
  const keys = await readAuditKeys(readAuditEnv(variables));
  const problems = tell('', verifyExport(text, keys), keys, out);
  const wrong = await tellWitness(witness, (head) => Promise.resolve(exportedHash(text, head)), out);
  return problems + wrong === 0 ? 0 : 1;
}

async function verifyAll(
  db: Db,
  env: DatabaseEnv,
  witness: readonly AuditHead[],
  out: (line: string) => void,
): Promise<number> {
  const teams = await auditedTeams(db);
  let problems = 0;
  for (const team of teams) problems += tell(`${team} `, await audit.verify(db, team), keysOf(db), out);
  if (teams.length === 0) out('the audit log is empty');
  const folder = stateFolder(env);
  const noted = folder === null ? [] : await readNoted(folder);
  const hashAt: HashAt = ({ team, count }) => audit.hashAt(db, team, count);
  for (const head of noted) {
    if ((await hashAt(head)) === head.head) continue;
    problems += 1;
    out(`${head.team} was cut or rewritten: at ${head.at} line ${head.count} had the hash ${head.head}`);
  }
  if (noted.length === 0 && witness.length === 0) {
    out('note: nothing here recorded where the log ended; compare it with a posted line (--witness)');
  }
  if (await mayRewriteAudit(db)) out(`note: ${rewritable}`);
  return problems + (await tellWitness(witness, hashAt, out)) === 0 ? 0 : 1;
}

/** Reports how far a chain can be trusted, and returns the number of problems. */
function tell(name: string, verdict: ChainVerdict, keys: AuditKeys, out: (line: string) => void): number {
  if (!verdict.ok) {
    out(`${name}broken at line ${verdict.seq}: ${verdict.why}`);
    return 1;
  }
  const { count, head, unkeyed, unproven } = verdict;
  const from = unkeyed === 0 ? '' : `, signed from line ${unkeyed + 1}`;
  const problems = Object.entries(unproven).map(
    ([key, lines]) => `${lines} lines are signed with the key ${key}, which is not given: linked, not proven`,
  );
  if (unkeyed === count && count > 0 && keys.current !== null) {
    problems.push('no line is signed: start the bot once with the key, or somebody rewrote the log');
  }
  const signed = unkeyed < count ? from : ', not signed';
  if (problems.length === 0) out(`${name}ok, ${count} lines${signed}, head ${head}`);
  else for (const problem of problems) out(`${name}not proven, ${count} lines, head ${head}: ${problem}`);
  return problems.length;
}

async function tellWitness(
  witness: readonly AuditHead[],
  hashAt: HashAt,
  out: (line: string) => void,
): Promise<number> {
  let wrong = 0;
  for (const head of witness) {
    const found = await hashAt(head);
    const about = `${head.team} as posted at ${head.at}`;
    if (found === head.head) out(`${about}: is line ${head.count} of the log`);
    else {
      wrong += 1;
      const now = found === null ? 'there is no such line' : `that line now has the hash ${found}`;
      out(`${about}: is NOT in the log; line ${head.count} was ${head.head}, ${now}`);
    }
  }
  return wrong;
}
