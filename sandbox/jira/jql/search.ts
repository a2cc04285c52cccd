import { badRequest } from '../errors.ts';
import type { JiraIssue } from '../model.ts';
import { dateFunction, dateLiteral } from './dates.ts';
import { type FieldRule, fieldRule, type JqlScope, nothing } from './fields.ts';
import { type Clause, type Condition, type Operand, type Operator, parseJql, type Query } from './parse.ts';

type Test = (issue: JiraIssue) => boolean;

/** Sorts issues without a date last. */
const never = Number.MAX_SAFE_INTEGER;

/**
 * The issues matching a query, in its order (newest key first without ORDER BY).
 * Throws JiraRefusal for a query that Jira would refuse, including one without a restriction.
 */
export function searchIssues(jql: string, scope: JqlScope): readonly JiraIssue[] {
  const query = parseJql(jql);
  if (query.where === undefined) {
    throw badRequest(
      'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
    );
  }
  const test = condition(query.where, scope);
  return sorted(scope.issues.filter(test), query);
}

function condition(where: Condition, scope: JqlScope): Test {
  switch (where.kind) {
    case 'clause':
      return clauseTest(where, scope);
    case 'not': {
      const inner = condition(where.part, scope);
      return (issue) => !inner(issue);
    }
    case 'and': {
      const parts = where.parts.map((part) => condition(part, scope));
      return (issue) => parts.every((part) => part(issue));
    }
    case 'or': {
      const parts = where.parts.map((part) => condition(part, scope));
      return (issue) => parts.some((part) => part(issue));
    }
  }
}

function clauseTest(clause: Clause, scope: JqlScope): Test {
  const { field, operator, operand } = clause;
  const rule = known(field);
  if (!rule.operators.includes(operator)) {
    throw badRequest(`The operator '${operator}' is not supported by the '${field}' field.`);
  }
  checkOperand(clause);
  if (operand.kind === 'empty') {
    const wantsEmpty = operator === 'is' || operator === '=';
    return (issue) => isEmpty(rule, issue) === wantsEmpty;
  }
  switch (rule.kind) {
    case 'text':
      return textTest(rule.read, operator, plainText(clause));
    case 'moment':
      return momentTest(rule.read, operator, moments(operand, field, scope));
    case 'option':
      return optionTest(rule, operator, options(operand, field, rule, scope));
  }
}

function known(field: string): FieldRule {
  const rule = fieldRule(field);
  if (rule === undefined) {
    throw badRequest(`Field '${field}' does not exist or you do not have permission to view it.`);
  }
  return rule;
}

function checkOperand({ field, operator, operand }: Clause): void {
  const wantsList = operator === 'in' || operator === 'not in';
  if (wantsList && operand.kind !== 'list' && operand.kind !== 'call') {
    throw badRequest(`Operator '${operator}' does not support the non-list value for field '${field}'.`);
  }
  if (!wantsList && operand.kind === 'list') {
    throw badRequest(`Operator '${operator}' does not support the list value for field '${field}'.`);
  }
  if (operand.kind === 'empty' && !['=', '!=', 'is', 'is not'].includes(operator)) {
    throw badRequest(`The operator '${operator}' does not support searching for EMPTY values.`);
  }
  if (operator.startsWith('is') && operand.kind !== 'empty') {
    const typed = operand.kind === 'value' ? operand.text : operand.kind;
    throw badRequest(
      `The operator '${operator}' does not support searching for the value '${typed}'. Use EMPTY.`,
    );
  }
}

function isEmpty(rule: FieldRule, issue: JiraIssue): boolean {
  const value = rule.read(issue);
  return value === null || (typeof value !== 'number' && value.length === 0);
}

function items(operand: Operand): readonly Operand[] {
  return operand.kind === 'list' ? operand.items.flatMap(items) : [operand];
}

function moments(operand: Operand, field: string, scope: JqlScope): readonly number[] {
  return items(operand).flatMap((item) => {
    if (item.kind === 'value') return [dateLiteral(item.text, field, scope.now)];
    if (item.kind !== 'call') return [];
    const value = dateFunction(item.name, item.args, scope.now);
    if (value === undefined)
      throw badRequest(`Unable to find JQL function '${item.name}(${item.args.join(', ')})'.`);
    return [value];
  });
}

type OptionRule = Extract<FieldRule, { kind: 'option' }>;

/** An unknown value is an error, as in Jira, not an empty result: a misspelt project must not count as 0. */
function options(operand: Operand, field: string, rule: OptionRule, scope: JqlScope): readonly string[] {
  return items(operand).flatMap((item) => {
    if (item.kind === 'call') {
      if (item.name.toLowerCase() === 'currentuser') return [scope.currentUser.accountId];
      throw badRequest(`Unable to find JQL function '${item.name}(${item.args.join(', ')})'.`);
    }
    if (item.kind !== 'value') return [nothing];
    const value = rule.resolve(item.text, scope);
    if (value !== undefined) return [value];
    const isKey = ['key', 'issuekey', 'issue', 'id'].includes(field.toLowerCase());
    throw badRequest(
      isKey
        ? `An issue with key '${item.text}' does not exist for field '${field}'.`
        : `The value '${item.text}' does not exist for the field '${field}'.`,
    );
  });
}

function optionTest(rule: OptionRule, operator: Operator, wanted: readonly string[]): Test {
  const { read, rank } = rule;
  const holds: Test = (issue) => {
    const values = read(issue);
    return wanted.some((one) => (one === nothing ? values.length === 0 : values.includes(one)));
  };
  switch (operator) {
    case '=':
    case 'in':
      return holds;
    case '!=':
    case 'not in':
      // Jira leaves out issues whose field is empty: "assignee != ana" does not find unassigned ones.
      return (issue) => read(issue).length > 0 && !holds(issue);
    default: {
      const order = rank ?? (() => 0);
      return (issue) =>
        read(issue).some((value) => wanted.some((one) => compares(order(value), operator, order(one))));
    }
  }
}

function momentTest(
  read: (issue: JiraIssue) => number | null,
  operator: Operator,
  wanted: readonly number[],
): Test {
  return (issue) => {
    const value = read(issue);
    if (value === null) return false;
    if (operator === 'in') return wanted.includes(value);
    if (operator === 'not in') return !wanted.includes(value);
    return wanted.some((one) => compares(value, operator, one));
  };
}

function compares(value: number, operator: Operator, other: number): boolean {
  switch (operator) {
    case '<':
      return value < other;
    case '>':
      return value > other;
    case '<=':
      return value <= other;
    case '>=':
      return value >= other;
    case '!=':
      return value !== other;
    default:
      return value === other;
  }
}

function plainText({ field, operand }: Clause): string {
  if (operand.kind === 'value') return operand.text;
  throw badRequest(`The field '${field}' can only be searched for a text.`);
}

/** All words must occur; "\"two words\"" is a phrase; a trailing * matches the rest of a word. */
function textTest(read: (issue: JiraIssue) => string, operator: Operator, wanted: string): Test {
  const phrase = /^"(.*)"$/s.exec(wanted)?.[1];
  const needles = phrase === undefined ? wordsOf(wanted) : [wordsOf(phrase).join(' ')];
  const finds = (issue: JiraIssue): boolean => {
    const haystack = wordsOf(read(issue));
    return needles.every((needle) =>
      needle.endsWith('*')
        ? haystack.some((word) => word.startsWith(needle.slice(0, -1)))
        : ` ${haystack.join(' ')} `.includes(` ${needle} `),
    );
  };
  return operator === '~' ? finds : (issue) => !finds(issue);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_-]+\*?/gu) ?? [];
}

function sorted(issues: readonly JiraIssue[], query: Query): readonly JiraIssue[] {
  const orders = query.orderBy.map(({ field, descending }) => ({ rule: known(field), descending }));
  return issues.toSorted((one, other) => {
    for (const { rule, descending } of orders) {
      const difference = compareBy(rule, one, other);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return Number(other.id) - Number(one.id);
  });
}

function compareBy(rule: FieldRule, one: JiraIssue, other: JiraIssue): number {
  if (rule.kind === 'moment') return (rule.read(one) ?? never) - (rule.read(other) ?? never);
  if (rule.kind === 'text') return rule.read(one).localeCompare(rule.read(other));
  const [left, right] = [rule.read(one)[0] ?? '', rule.read(other)[0] ?? ''];
  return rule.rank === undefined ? left.localeCompare(right) : rule.rank(left) - rule.rank(right);
}
