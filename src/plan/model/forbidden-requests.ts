import { type Finding, finding } from '../../core/finding.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Step } from '../../core/plan.ts';
import { stem, wordsOf } from './mentions.ts';

/** Requests that rule out every write. */
const readsOnly = /\b(read[ -]only|reads only|no writes|without writing|look but don'?t touch|nur lesen)\b/i;

/** Words between a "not" and its verb: "please do not actually page". */
const fillers = new Set([
  'please',
  'yet',
  'actually',
  'ever',
  'even',
  'just',
  'also',
  'any',
  'more',
  'further',
  'to',
  'you',
  'dare',
  'or',
  'and',
  'a',
  'an',
  'the',
]);
const notWords = /^(don['’]?t|dont|never|without|no|nicht|kein|keine|keinen|sin|sans|senza|sem)$/;
/** General words for notifications, each standing for the tools that send them. */
const notices = new Set(['notification', 'notify', 'notifi', 'notific', 'alert']);

interface Ban {
  readonly stems: ReadonlySet<string>;
  /** "Don't page unless …": a condition follows, so a conditional step may stay. */
  readonly conditional: boolean;
}

/** The verbs that one sentence forbids: those after a "not", as stems. */
function bansIn(sentence: string): Ban[] {
  const words = wordsOf(sentence);
  const bans: Ban[] = [];
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? '';
    const doNot = (word === 'do' && next === 'not') || (word === 'not' && /^an?$/.test(next));
    if (!doNot && !notWords.test(word)) continue;
    const stems = new Set<string>();
    let free = 1;
    let seen = 0;
    for (const verb of words.slice(doNot ? at + 2 : at + 1)) {
      if (verb === 'or' || verb === 'and') free += 1;
      else if (fillers.has(verb)) continue;
      else if (free === 0) break;
      else {
        stems.add(stem(verb));
        free -= 1;
        seen += 1;
      }
      if (seen > 3) break;
    }
    const rest = words.slice(at).join(' ');
    bans.push({ stems, conditional: /\b(unless|until|except|if|when|before|außer|wenn)\b/.test(rest) });
  }
  return bans;
}

function verbsOf(manifest: Manifest): Set<string> {
  const verb = manifest.name.split('.')[1] ?? '';
  const words = [...manifest.keywords.flatMap(wordsOf), verb, ...verb.split('_')];
  return new Set(words.map(stem).filter((word) => word.length >= 3 || words.includes(word)));
}

/**
 * "Don't page", "no notifications", "read only" rule out the writes concerned. English and the most common words of a
 * few other languages; if a verb is forbidden in one place and requested in another, the target decides.
 */
export function forbidden(step: Step, manifest: Manifest, said: string): Finding[] {
  const ban = (message: string) => [finding('forbidden_by_request', step.id, 'tool', message)];
  if (readsOnly.test(said)) return ban('the request allows reads only; leave every write out');
  const verbs = verbsOf(manifest);
  const tells = manifest.system === 'slack' || manifest.name === 'pagerduty.page';
  for (const sentence of said.split(/[.;!?\n]|,(?=\s)/)) {
    for (const { stems, conditional } of bansIn(sentence)) {
      const hit = [...stems].filter((word) => verbs.has(word) || (tells && notices.has(word)));
      if (hit.length === 0 || (conditional && step.when !== undefined)) continue;
      const elsewhere = said.replace(sentence, ' ');
      if (wordsOf(elsewhere).some((word) => hit.includes(stem(word)))) continue;
      return ban(`the request says not to "${hit.join(', ')}"; leave ${step.tool} out`);
    }
  }
  return [];
}
