import type { Catalogue } from '../../core/catalogue.ts';
import { manifestOf } from '../../core/code-step.ts';
import type { Plan } from '../../core/plan.ts';
import { nameIndex, withNames } from '../everyday/names.ts';
import { stem } from '../everyday/negations.ts';
import { type Token, tokenize } from '../everyday/tokens.ts';

/** Words around a value that ask the same again, in five languages. */
const around = words(
  'and also too what how about on at the same then now please pls with as well but those them these one ones',
  'project service priority prio person channel time first',
  'und auch für im am die den der was ist mit bitte et aussi pour dans le la les y también para en el los e também para em os',
);
/** Nothing else is meant. */
export const keeping = words(
  'only just keep nur bloß seulement uniquement solo sólo solamente só apenas somente',
);
/** The ones that narrow an answer down, and the ones before a time. */
const narrowing = keeping.union(words('in of for assigned to'));
export const joining = words('and or nor und oder et ou y o e n + &');
const sinces = words('since from after seit ab depuis desde');
const untils = words('until till bis hasta até');
const lasting = words(
  'last past letzte letzten letzter dernière dernières derniers últimas últimos última último',
);
/** Words that take something back. */
const correcting = words(
  'no nope nah not sorry oops actually rather instead meant mean wrong use make change switch',
  'nein nicht sondern lieber meinte stattdessen non pas plutôt sino mejor quería não',
);
/** The words between those and a value. */
const betweens = words("i i'm it it's its should be is was ich es j'ai je digo quis");
const denying = words('not nicht pas without except minus ohne außer sans sauf sin salvo sem exceto');
const dividing = /^(?:[,.;:–—-]|but|sondern|sino|mais)$/u;

export function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** A value in a reply, with the word before it that says how a time is meant. */
export interface SaidValue {
  readonly token: Token;
  readonly relation: 'since' | 'until' | 'last' | null;
}

/** A reply that says nothing but values. */
export interface SaidValues {
  readonly wanted: readonly SaidValue[];
  /** Values that the reply takes back: “not P1, P2”. */
  readonly denied: readonly Token[];
  readonly isCorrection: boolean;
  /** It narrows an answer down: “only P1”. */
  readonly isNarrower: boolean;
  /** It asks for more than before: “closed ones too”. */
  readonly isMore: boolean;
  /** It has other words than its values, so it is about the answer above and no remark. */
  readonly isLed: boolean;
}

/** The values of a reply; null where it has any word that is neither a value nor one around it. */
export function valuesIn(
  said: string,
  plan: Pick<Plan, 'steps'>,
  catalogue: Catalogue,
  isValue: (token: Token) => boolean,
): SaidValues | null {
  const tokens = withNames(said, tokenize(said), nameIndex(catalogue));
  const nouns = nounsOf(plan, catalogue);
  const wanted: SaidValue[] = [];
  const denied: Token[] = [];
  let [isDenial, wasDenied] = [false, false];
  let relation: SaidValue['relation'] = null;
  for (const token of tokens) {
    const { low } = token;
    // “not P1 and P2” denies both, or one of them.
    if (wasDenied && joining.has(low)) return null;
    if (denying.has(low)) isDenial = true;
    else if (sinces.has(low)) relation = 'since';
    else if (untils.has(low)) relation = 'until';
    else if (lasting.has(low)) relation = 'last';
    else if (isValue(token)) {
      if (isDenial) denied.push(token);
      else wanted.push({ token, relation });
      [isDenial, wasDenied, relation] = [false, isDenial, null];
      continue;
    } else if (!isAround(token) && !nouns.has(stem(low))) return null;
    if (dividing.test(low)) isDenial = false;
    wasDenied &&= !dividing.test(low);
  }
  const lows = new Set(tokens.map(({ low }) => low));
  const isCorrection = !lows.isDisjointFrom(correcting);
  const isPlain = lows.isDisjointFrom(betweens) || isCorrection;
  if (!isPlain) return null;
  return {
    ...{ wanted, denied, isCorrection },
    isNarrower: !lows.isDisjointFrom(narrowing),
    isMore: !lows.isDisjointFrom(words('too also well auch aussi también também')),
    isLed:
      tokens.some(({ kind, low }) => kind !== 'mark' && (around.has(low) || narrowing.has(low))) ||
      isCorrection,
  };
}

export const isAround = ({ kind, low }: Token): boolean =>
  kind === 'mark'
    ? /^[,.?!:;–—-]$/u.test(low)
    : around.has(low) || narrowing.has(low) || correcting.has(low) || betweens.has(low);

/** Words for what the plan's steps look up: “only P1 tickets”. */
function nounsOf({ steps }: Pick<Plan, 'steps'>, { manifests }: Catalogue): ReadonlySet<string> {
  const nouns = steps.flatMap((step) => manifestOf(step, manifests)?.asked?.nouns ?? []);
  return new Set(nouns.flatMap((noun) => noun.split(' ')).map(stem));
}
