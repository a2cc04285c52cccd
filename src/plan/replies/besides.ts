import type { Catalogue } from '../../core/catalogue.ts';
import type { Plan } from '../../core/plan.ts';
import { withoutQuotes } from '../quotations.ts';
import { actsOf, namedIn } from './fewer.ts';

/** How a reply says that steps come besides those of the plan, or in their place, and when they are due. */

const begins =
  /^(?:(?:and|also|plus|add|then|with|now|please|pls|und|auch|noch|et|aussi|y|también|e|também|otherwise|else|if not|sonst|sinon|si no|senão)(?!\p{L})[\s,:]*|[+&]\s*)+/iu;
const ends = /[\s,]{1,2}(?:too|as ?well|also|auch|aussi|también|também)[\s.!]{0,3}$/iu;
const inPlaceOf =
  /^(?<more>.+?)[\s,]{1,2}(?:instead of|in place of|rather than|statt|anstelle von|au lieu d[eu]|en vez de|em vez de) (?<less>[\s\S]+)$/iu;
const thenInstead =
  /^(?<less>[^,;.:–—]+?)(?:[,;.:–—]| but | sondern | mais | sino | mas )\s{0,3}(?<more>[\s\S]+)$/iu;
/** It stands at a place of its own among the steps. */
const elsewhere = /(?<!\p{L})(?:before|first)(?!\p{L})/iu;
/** It is due where the condition of the others does not hold. */
const otherwise = /(?<!\p{L})(?:otherwise|else|if not|sonst|sinon|si no|senão)(?!\p{L})/iu;
/** It is due whatever the condition of the others says. */
const inAnyCase =
  /[\s,]{0,2}(?<!\p{L})(?:regardless|anyway|either way|in any case|always|no matter what|auf jeden Fall|en tout cas|en todo caso|em todo caso)(?!\p{L})/giu;
const conditional =
  /(?<!\p{L})(?:if|when|unless|while|once(?= \p{L})|as (?:soon|long) as|in case|provided|falls|wenn|sobald|solange|si|quand|cuando|quando)(?!\p{L})/iu;
const only =
  /^(?:(?:only|just|rather|instead|lieber|nur|plutôt|mejor|solo)(?!\p{L})\s*)+|[\s,]{1,2}instead[\s.!]{0,3}$/giu;

interface Said {
  /** The order to do more, as a request of its own. */
  readonly more: string;
  /** Ids of the steps that it replaces. */
  readonly gone: ReadonlySet<string>;
  readonly due: Due;
}

/** When steps that are added are due: as those of the plan are, where those are not, in any case, or by their own condition. */
export type Due = 'same' | 'otherwise' | 'always' | 'own';

/** When the steps of a reply come that says that they come besides those of the plan; null for any other reply. */
export function dueBesides(words: string): Due | null {
  const order = words.replaceAll(inAnyCase, '');
  return (begins.test(order) || ends.test(order)) && !thenInstead.test(order.replace(begins, ''))
    ? dueIn(words)
    : null;
}

/** A text behind a colon says nothing of when it is due. */
function dueIn(words: string): Due {
  const order = withoutQuotes(words).replace(/:[\s\S]*$/u, '');
  if (order.search(inAnyCase) >= 0) return 'always';
  if (otherwise.test(order)) return 'otherwise';
  return conditional.test(order) ? 'own' : 'same';
}

/** The order to do more in a reply; null where it says none. */
export function saidIn(words: string, plan: Plan, catalogue: Catalogue): Said | null {
  const acts = actsOf(plan, catalogue);
  for (const form of [inPlaceOf, thenInstead]) {
    const { more = '', less = '' } = form.exec(words)?.groups ?? {};
    const gone = less === '' ? null : namedIn(form === inPlaceOf ? `not ${less}` : less, acts, catalogue);
    if (gone !== null && gone.size > 0)
      return { more: more.replaceAll(only, '').replace(begins, ''), gone, due: dueIn(more) };
  }
  if (elsewhere.test(words)) return null;
  const due = dueIn(words);
  const [, head = '', text = ''] = /^([^:]*)([\s\S]*)$/u.exec(words) ?? [];
  const order = (due === 'always' ? head.replaceAll(inAnyCase, '') : head) + text;
  const more = order.replace(begins, '').replace(ends, '');
  return more === order || more === '' ? null : { more, gone: new Set(), due };
}
