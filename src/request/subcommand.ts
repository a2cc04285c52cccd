import { visibleText } from '../core/clean-text.ts';
import { type PlanId, readPlanId } from '../core/plan-id.ts';
import { isOver } from '../core/request.ts';
import { cleanText } from './clean-input.ts';

/** `/plan` commands other than a goal. */
export type Subcommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'greeting' | 'thanks' }
  | { readonly kind: 'list' }
  | { readonly kind: 'saved' }
  /** `name` is null if absent, or not a valid playbook name. */
  | { readonly kind: 'save'; readonly name: string | null }
  | { readonly kind: 'status' }
  | { readonly kind: 'mine' }
  /** About the thread in which it is said. */
  | { readonly kind: 'catch_up' }
  | { readonly kind: 'watches' }
  /** `hours`: length of the ending shift. `isCapped`: more were requested. */
  | { readonly kind: 'handover'; readonly hours: number; readonly isCapped?: true }
  /** `days`: length of the period. */
  | { readonly kind: 'report'; readonly days: number }
  /** `incident`: its number or id in PagerDuty, as typed; `LAST` for the newest. */
  | { readonly kind: 'timeline' | 'review'; readonly incident: string }
  | { readonly kind: 'approvals' }
  /** `of`: a service, project, channel, ticket or person as typed; null for everything. */
  | { readonly kind: 'history'; readonly of: string | null }
  /** `id` as returned by `readPlanId`; null for the person's newest plan. `asJson`: for a program. */
  | { readonly kind: 'show'; readonly id: PlanId | null; readonly asJson?: true }
  /** `id` is null for all that is open, as for “never mind” where nothing was asked. */
  | { readonly kind: 'stop'; readonly id: PlanId | null }
  /** `goal` is null for all rules. */
  | { readonly kind: 'policy'; readonly goal: string | null }
  /** `id` is null for the only plan waiting in that channel. */
  | { readonly kind: 'break_glass'; readonly id: PlanId | null }
  | { readonly kind: 'stop_all'; readonly reason: string }
  | { readonly kind: 'resume'; readonly reason: string };

const help =
  /^(?:help(?: me)?|\?|usage|commands|what (?:can|do) you do|how does (?:this|it) work)\s*[?!.]*$/i;
/** `run` without a name asks for the list. */
const list = /^(?:list(?: playbooks)?|run(?: (?:a|the) playbook)?|playbooks)$/i;
const listSaved = /^(?:(?:list |my )?saved(?: playbooks| plans)?|list saved)$/i;
/** A name may be typed as words: "save my check" is my-check. "Save it" and "save this plan" give no name. */
const save =
  /^save(?:\s+(?:(?:(?:this|that|the|my)\s+)?(?:last\s+)?plan|it|this|that)(?=\s|$))?(?:\s+as(?=\s))?((?:\s+\S+)?|(?:\s+[\w-]+){2,3})$/i;
const name = /^[a-z][a-z0-9-]{1,60}$/;
const status =
  /^(?:status|are you (?:ok(?:ay)?|alive|there|up|working|awake)|what is (?:running|waiting)|what's (?:running|waiting))\s*[?!.]*$/i;
/** Courtesies, which ask for nothing. */
const greeting = /^(?:hi|hello|hey|good (?:morning|evening)|hallo|hola|salut)(?: (?:there|bot))?\s*[!.?]*$/i;
const thanks =
  /^(?:thanks?|thank you|thx|ty|cheers|danke|merci|gracias)(?: (?:a lot|so much|very much|you|bot))?\s*[!.]*$/i;
const catchUp = /^(?:please )?catch me up(?: please)?\s*[?!.]*$/i;
const mine = /^(?:mine|my plans)\s*[?!.]*$/i;
const approvals = /^(?:(?:list |my |the )?(?:standing )?approvals)\s*[?!.]*$/i;
/** To end one is a button in their list. */
const watches =
  /^(?:(?:(?:list |my |the )?watches|what is (?:being )?watched)\s*[?!.]*|(?:stop|end|cancel) (?:(?:the|my|that|this|all) ){0,2}(?:\S{1,80} )?watch(?:es)?(?: (?:on|of|for) .*)?|stop watching(?: .*)?)$/is;
const handover =
  /^hand[ -]?over(?:\s+(?:since\s+|for\s+|of\s+)?(?:the\s+)?(?:last\s+)?(\d{1,3})\s*(h|hours?|d|days?)?)?$/i;
const report = /^report(?:\s+(?:since\s+|for\s+|of\s+)?(?:the\s+)?(?:last\s+)?(\d{1,3})\s*(?:d|days?)?)?$/i;
/** "review OPS-7" is a goal. */
const review =
  /^(timeline|review)\s+(?:(?:of|for)\s+)?(?:(?:the\s+)?incident\s+)?#?(\d{1,9}|[PQR][A-Z0-9]{6,20}|last|latest|newest)(?: incident)?$/i;
/** At most one word may follow: more words are a goal ("history of P1 tickets in OPS"). */
const history = /^history(?:\s+(?:(?:of|for)\s+)?(\S+))?$/i;
const show = /^show(?:\s+(?:plan\s+)?(\S+(?:\s[0-9a-f]{4})?))?$/i;
const policy =
  /^(?:policy|who (?:(?:may|can|could|should|must|has to|is allowed to) )?approves?|(?:can|may|could) (?!you\b)\S{1,80} approve(?=\s+(?!it\b|this\b|that\b)))(?:\s+(?:for\s+)?(.+))?$/is;
const glass = /^break[ -]?glass(?:\s+(?:for\s+)?(\S+(?:\s[0-9a-f]{4})?))?$/i;
/** The reason follows a punctuation mark or "because": "stop all alerts for checkout" is a goal. */
const stopAll =
  /^stop (?:all(?: (?:writes|plans|runs))?|everything)(?:(?:\s*[:,-]\s*|\s+because\s+)(.*))?$/is;
const stop = /^(?:stop|cancel)(?:\s+(?:plan\s+|run\s+)?(\S+(?:\s[0-9a-f]{4})?))?$/i;
const resume =
  /^(?:resume(?: (?:all )?writes)?|allow (?:all )?writes)(?:(?:\s*[:,-]\s*|\s+because\s+)(.*))?$/is;

/** Only these exact words; anything else is a goal. */
export function readSubcommand(text: string): Subcommand | null {
  const words = visibleText(text).trim();
  if (help.test(words)) return { kind: 'help' };
  if (greeting.test(words)) return { kind: 'greeting' };
  if (thanks.test(words)) return { kind: 'thanks' };
  if (list.test(words)) return { kind: 'list' };
  if (listSaved.test(words)) return { kind: 'saved' };
  if (status.test(words)) return { kind: 'status' };
  if (mine.test(words)) return { kind: 'mine' };
  if (catchUp.test(words)) return { kind: 'catch_up' };
  if (watches.test(words)) return { kind: 'watches' };
  const shift = handover.exec(words);
  if (shift !== null) return { kind: 'handover', ...hoursOf(shift) };
  const period = report.exec(words);
  if (period !== null) return { kind: 'report', days: Math.max(1, Number(period[1] ?? reportDays)) };
  const about = review.exec(words);
  if (about !== null) return reviewed(about);
  if (approvals.test(words)) return { kind: 'approvals' };
  const past = history.exec(words);
  if (past !== null) return { kind: 'history', of: past[1] ?? null };
  const asked = policy.exec(words);
  if (asked !== null) return { kind: 'policy', goal: asked[1]?.replace(/\?$/, '').trim() ?? null };
  return readSave(words) ?? readStop(words) ?? readShow(words);
}

/** True for a goal, an answer or a change, but not for words that stop something, ask about the bot or open its form. */
export function wordsMayWait(text: string): boolean {
  const words = cleanText(text);
  return words !== '' && readSubcommand(words) === null;
}

/** Default shift length in hours. */
const shiftHours = 12;
const maxHours = 7 * 24;
/** Default period of a report in days. */
const reportDays = 7;

function hoursOf([, count, unit = 'h']: RegExpExecArray): { hours: number; isCapped?: true } {
  const hours =
    count === undefined ? shiftHours : Number(count) * (unit.toLowerCase().startsWith('d') ? 24 : 1);
  return hours > maxHours ? { hours: maxHours, isCapped: true } : { hours: Math.max(hours, 1) };
}

function reviewed([, word = '', incident = '']: RegExpExecArray): Subcommand {
  const named = /^(?:last|latest|newest)$/i.test(incident) ? 'LAST' : incident.toUpperCase();
  return { kind: word.toLowerCase() === 'review' ? 'review' : 'timeline', incident: named };
}

function readSave(words: string): Subcommand | null {
  const saved = save.exec(words);
  if (saved === null) return null;
  const given = (saved[1] ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return { kind: 'save', name: name.test(given) ? given : null };
}

function readStop(words: string): Subcommand | null {
  const all = stopAll.exec(words);
  if (all !== null) return { kind: 'stop_all', reason: (all[1] ?? '').trim() };
  const again = resume.exec(words);
  if (again !== null) return { kind: 'resume', reason: (again[1] ?? '').trim() };
  if (isOver(words)) return { kind: 'stop', id: null };
  return withId('break_glass', glass.exec(words)) ?? withId('stop', stop.exec(words));
}

/** Phones turn two hyphens into a dash. */
const asJson = / (?:--|—|–)json$/i;

function readShow(words: string): Subcommand | null {
  const asked = withId('show', show.exec(words.replace(asJson, '')));
  return asked?.kind === 'show' && asJson.test(words) ? { ...asked, asJson: true } : asked;
}

/** Words that name no plan are a goal: "show OPS-7", "stop the deploy". */
function withId(kind: 'show' | 'stop' | 'break_glass', found: RegExpExecArray | null): Subcommand | null {
  if (found === null) return null;
  if (found[1] === undefined) return { kind, id: null };
  const id = readPlanId(found[1]);
  return id === null ? null : { kind, id };
}
