import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import type { Token } from './tokens.ts';

/** Objects of a verb for which no step stands, although each word alone is known. */

/** Roles above an on-call: a page reaches whoever is on call for a service, and nobody else. */
export const roles =
  /^(?:boss|chef|jefe|manager|lead|leader|director|head|chief|supervisor|president|founder|vp|cto|ceo|cfo|coo|ciso)s?$/iu;
const determiner = /^(?:the|my|our|your|their|a|an|all|both|team|engineering|den|die|le|la|el)$/iu;

/** “page the boss of ops”: the person between the verb of a page and its service. */
export function rolesPaged(
  { steps }: Plan,
  spoken: readonly Token[],
  tools: ReadonlyMap<string, Manifest>,
): Token[] {
  const verbs = new Set(
    steps.flatMap(({ tool }) => {
      const { asked } = tools.get(tool) ?? {};
      return asked?.role === 'page' ? asked.verbs : [];
    }),
  );
  return spoken.filter(({ low }, at) => {
    if (!roles.test(low)) return false;
    let before = at - 1;
    while (determiner.test(spoken[before]?.low ?? '') || spoken[before]?.names.service !== undefined)
      before -= 1;
    return verbs.has(spoken[before]?.low ?? '');
  });
}
