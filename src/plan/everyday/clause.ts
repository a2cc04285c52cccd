import { cut, oneLine } from '../../core/clean-text.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { DraftStep } from './draft.ts';
import type { Heard } from './heard.ts';
import { stem } from './negations.ts';
import type { Token } from './tokens.ts';

/** Words that join what is asked for, in the languages that are read. */
const joins = /^(?:and|then|und|dann|et|puis|y|luego|e)$/u;
const marks = /^[,;.:?!—–]$/u;
/** A shorter piece is part of a list, as the last one of "OPS and PAY". */
const minWords = 3;
const maxReason = 160;

/** True for a token between two clauses; a change and the plan that it changes are none of the same one. */
function endsClause({ kind, low }: Token): boolean {
  if (kind === 'section' || kind === 'old') return true;
  return kind === 'mark' ? marks.test(low) : joins.test(low);
}

interface Clause {
  readonly from: number;
  /** Behind its last token. */
  readonly to: number;
}

/** The reason of a step: the clause of the request that asked for it, by the verbs of its tool and what it took from there. */
export function clauseFor({ args }: DraftStep, tool: Manifest, { text, tokens }: Heard): string {
  const verbs = new Set((tool.asked?.verbs ?? []).map(stem));
  const taken = [...args.values()].flatMap((parts) =>
    (parts ?? []).flatMap((part) => ('said' in part ? [part.from] : [])),
  );
  const scored = clausesOf(tokens).map((clause) => {
    const within = (at: number) => at >= clause.from && at < clause.to;
    const isAsked = tokens.slice(clause.from, clause.to).some(({ low }) => verbs.has(stem(low)));
    return { clause, score: (isAsked ? 2 : 0) + taken.filter(within).length };
  });
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const found = scored.find(({ score }) => score === best)?.clause;
  const [first, last] = [tokens[found?.from ?? 0], tokens[(found?.to ?? 0) - 1]];
  return (
    cut(oneLine(text.slice(first?.start ?? 0, last?.end ?? text.length)).trim(), maxReason) || 'Asked for.'
  );
}

function clausesOf(tokens: readonly Token[]): Clause[] {
  const found: Clause[] = [];
  let from = 0;
  for (let to = 0; to <= tokens.length; to += 1) {
    const token = tokens[to];
    if (token !== undefined && !endsClause(token)) continue;
    const before = found.at(-1);
    if (to - from >= minWords || before === undefined) found.push({ from, to });
    else if (to > from) found[found.length - 1] = { from: before.from, to };
    from = to + 1;
  }
  return found.filter(({ from: start, to }) => to > start);
}
