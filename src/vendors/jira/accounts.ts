import { cut, oneLine } from '../../core/clean-text.ts';
import type { ArgumentNeeded } from '../../core/errors.ts';
import { needed } from './argument-error.ts';
import { findUsers } from './jira-types.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

/** Data about people from outside Jira. */
export interface JiraPeople {
  /** Slack user id of a handle, without @; null when the operator's file does not list it. */
  idOf(handle: string): string | null;
  /** E-mail address of a Slack user, or null. */
  emailOf(userId: string): Promise<string | null>;
}

export interface JiraAccount {
  readonly accountId: string;
  readonly name: string;
}

const maxMatches = 50;
/** Maximum names in an error. */
const maxShown = 5;

/**
 * A person's Jira account: of the requester (`me`), of a handle in the operator's file by its e-mail address in Slack,
 * or else of a name. If there is none, or more than one, an ArgumentNeeded asks for the person.
 */
export async function accountOf(
  access: JiraAccess & { readonly people: JiraPeople },
  who: {
    readonly name: string;
    readonly asker: string | undefined;
    readonly argument: string;
    /** In an argument with lines such as `Reviewer: Ana`, the name before the colon. */
    readonly item?: string;
  },
  signal: AbortSignal,
): Promise<JiraAccount> {
  const bare = who.name.trim().replace(/^@/, '');
  const isAsker = bare.toLowerCase() === 'me';
  const userId = isAsker ? (who.asker ?? null) : access.people.idOf(bare.toLowerCase());
  const email = userId === null ? null : await access.people.emailOf(userId);
  if (isAsker && email === null) {
    const message = `The argument ${who.argument} is "me", but your e-mail address in Slack is not known.`;
    throw unclear('no_account', `${message} Use your name in Jira.`, who);
  }
  const found = await search(access, email ?? bare, signal);
  const [account, ...others] = email === null ? called(bare, found) : found;
  if (account !== undefined && others.length === 0) return account;
  const said = `“${cut(oneLine(isAsker ? 'me' : bare), 60)}”`;
  if (account === undefined) {
    const looked = email === null ? '' : ` It was looked up by the e-mail address in Slack.`;
    const message = `The argument ${who.argument} is ${said}, but Jira knows nobody by that name.${looked}`;
    throw unclear('no_account', message, who);
  }
  const names = [account, ...others].slice(0, maxShown).map(({ name }) => cut(oneLine(name), 60));
  const message = `The argument ${who.argument} is ${said}, which fits several people in Jira: ${names.join(', ')}. Use the full name.`;
  throw unclear('several_accounts', message, who, names);
}

function unclear(
  code: string,
  message: string,
  { argument, item }: { readonly argument: string; readonly item?: string },
  choices: readonly string[] = [],
): ArgumentNeeded {
  const question = `${message} Who should it be?`;
  return needed(code, message, { arg: argument, ...(item === undefined ? {} : { item }), question, choices });
}

/** Jira also matches prefixes of names, and "a" must not mean Ana. */
function called(said: string, found: readonly JiraAccount[]): readonly JiraAccount[] {
  const words = (text: string) => text.toLowerCase().split(/\s+/);
  const full = found.filter(({ name }) => words(name).join(' ') === words(said).join(' '));
  if (full.length > 0) return full;
  return found.filter(({ name }) => words(said).every((word) => words(name).includes(word)));
}

/** Apps have accounts, too; nobody means them. */
async function search(access: JiraAccess, query: string, signal: AbortSignal): Promise<JiraAccount[]> {
  const users = await findUsers(jiraTransport(access, signal), { query, maxResults: maxMatches });
  return users.flatMap(({ accountId, accountType, active, displayName = '' }) =>
    accountId === undefined || active === false || accountType === 'app'
      ? []
      : [{ accountId, name: displayName }],
  );
}
