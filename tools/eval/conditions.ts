import type { CaseCompare, CaseCondition } from './cases.ts';

const minutes = /minutes/;

/** Minutes as an ISO 8601 duration, in the unit used in the goal. */
function duration(count: number, goal: string): string {
  const speaksOf = (unit: RegExp): boolean => unit.test(goal);
  if (
    count % 1440 === 0 &&
    speaksOf(/\bdays?\b|\d\s?d\b|\btag|\bdías?|\bjours?|\bweeks?|\bdias?\b|\bgiorni/i)
  )
    return `P${count / 1440}D`;
  if (count % 60 === 0 && !speaksOf(/\d\s?-?(?:m|min|mins|minutes)\b/i)) return `PT${count / 60}H`;
  return `PT${count}M`;
}

function compareOf(source: string, ids: ReadonlyMap<string, string>, goal: string): CaseCompare | null {
  const match = source.match(/^(.+?)\s*(>=|<=|==|!=|>|<)\s*(.+)$/);
  if (!match) return null;
  const [, leftText = '', op = '==', rightText = ''] = match;
  const lefts = leftText.split('+').map((part) => part.trim());
  const known = lefts.map((part) => ids.get(part.split('.')[0] ?? '') ?? part);
  const left = known.length === 1 ? (known[0] ?? '') : known;
  const text = rightText.match(/^["'](.*)["']$/)?.[1];
  if (text !== undefined) return { left, op: op === '==' ? 'is' : (op as CaseCompare['op']), right: text };
  const number = Number(rightText);
  if (!Number.isNaN(number)) {
    return {
      left,
      op: op as CaseCompare['op'],
      right: minutes.test(leftText) ? duration(number, goal) : number,
    };
  }
  if (/^(true|false)$/.test(rightText))
    return stateOf(leftText, left, (op === '==') === (rightText === 'true'));
  return { left, op: op as CaseCompare['op'], right: ids.get(rightText.split('.')[0] ?? '') ?? rightText };
}

/** A boolean property of a ticket: it is done, or somebody is assigned. */
function stateOf(field: string, left: CaseCompare['left'], is: boolean): CaseCompare {
  if (/\.done$/.test(field)) return { left, op: is ? 'is' : '!=', right: 'done' };
  return { left, op: is ? '!=' : 'is', right: 'unassigned' };
}

/** A plan's CEL as a condition of the cases; null for what their vocabulary cannot express. */
export function conditionFrom(
  cel: string,
  ids: ReadonlyMap<string, string>,
  goal: string,
): CaseCondition | null {
  const flat = cel.replace(/[()]/g, '');
  const word = cel.includes('||') ? 'any' : cel.includes('&&') ? 'all' : null;
  if (word === null) return compareOf(flat, ids, goal);
  const parts = flat.split(/\s*(?:\|\||&&)\s*/).map((part) => compareOf(part, ids, goal));
  const found = parts.filter((part) => part !== null);
  if (found.length < parts.length) return null;
  return word === 'any' ? { any: found } : { all: found };
}

const opposites = { '>': '<=', '>=': '<', '<': '>=', '<=': '>', '==': '!=', '!=': '==', is: '!=' } as const;

/** The condition that holds exactly when this one does not. */
export function opposite(condition: CaseCondition): CaseCondition {
  const turned = (part: CaseCompare): CaseCompare => ({ ...part, op: opposites[part.op] });
  if ('left' in condition) return turned(condition);
  return 'all' in condition ? { any: condition.all.map(turned) } : { all: condition.any.map(turned) };
}
