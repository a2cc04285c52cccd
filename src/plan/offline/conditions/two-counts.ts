import { type DraftCondition, type DraftStep, numberOf } from '../draft/draft.ts';
import { addRead, knownOf, type Work } from '../draft/work.ts';
import { readsIn } from '../reads/reads.ts';
import { ofKind, type Token } from '../words/token.ts';
import { withProject } from './subjects.ts';

/** "the P1s in PAY exceed those in ORD": the comparison stands between the two. */
function outnumber(tokens: readonly Token[], projects: readonly Token[]): boolean {
  const [left, right] = projects.map((token) => tokens.indexOf(token));
  const at = tokens.findIndex((token) => /^(more-than|less-than)$/.test(token.word));
  return (
    left !== undefined &&
    right !== undefined &&
    left < at &&
    at < right &&
    ofKind(tokens, 'number', 'duration').length === 0
  );
}

/** The words with one service only, and without the comparison. */
function without(tokens: readonly Token[], service: Token): Token[] {
  return tokens.filter(
    (token) =>
      (token.kind !== 'service' || token === service) &&
      !(
        token.kind === 'word' &&
        /^(more-than|less-than|twice|more|fewer|less|than|as|many|over)$/.test(token.word)
      ),
  );
}

/** "if TRK has more", "if splunk has more": one of two counts that were made before against the other. */
export function moreThanTheOther(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const op = /\b(more|more-than|higher|bigger|exceeds|leads|worse)\b/.test(line)
    ? '>'
    : /\b(fewer|less|less-than)\b/.test(line)
      ? '<'
      : null;
  const counts = work.steps.filter((step) =>
    /^(jira\.count|jira\.search|logs\.\w+|pagerduty\.incidents)$/.test(step.tool),
  );
  const [one, two] = counts;
  const counted =
    ofKind(tokens, 'number', 'duration').length > 0 || /\b(sla|threshold|breached)\b/.test(line);
  if (op === null || counts.length !== 2 || !one || !two || counted) return null;
  const named = (step: DraftStep): boolean =>
    tokens.some(
      (token) =>
        (token.kind === 'project' && step.args.project === token.word) ||
        (token.kind === 'service' && step.args.service === token.word) ||
        (token.word === 'splunk' && step.tool === 'logs.spl') ||
        (token.word === 'kql' && step.tool === 'logs.kql'),
    );
  const first = named(one) ? one : named(two) ? two : /\b(first|former)\b/.test(line) ? one : null;
  if (first === null || (named(one) && named(two) && !/\bthan\b/.test(line))) return null;
  const other = first === one ? two : one;
  for (const step of [first, other]) if (step.tool === 'jira.search' && step.open) step.tool = 'jira.count';
  return { left: [numberOf(first)], op, right: numberOf(other) };
}

/** "MIG has more open bugs than tasks": two kinds of tickets of one project. */
function twoKinds(tokens: readonly Token[], than: number, work: Work): DraftCondition | null {
  const kinds = (part: readonly Token[]) =>
    part.filter((token) => token.kind === 'priority' || /^(bug|story|task|epic)$/.test(token.word));
  const before = tokens.slice(0, Math.max(than, 0));
  const after = tokens.slice(than + 1);
  const [one, two] = [kinds(before), kinds(after)];
  const [project] = ofKind(tokens, 'project');
  const op = before.some((token) => /^(more|more-than)$/.test(token.word))
    ? '>'
    : before.some((token) => /^(fewer|less|less-than)$/.test(token.word))
      ? '<'
      : null;
  if (
    than < 0 ||
    op === null ||
    one.length !== 1 ||
    two.length !== 1 ||
    ofKind(tokens, 'number', 'duration').length > 0
  )
    return null;
  const counted = (part: readonly Token[]): DraftStep | null => {
    const own = part.filter(
      (token) => token.kind !== 'project' && !/^(more|more-than|fewer|less|less-than|has)$/.test(token.word),
    );
    const [spec] = readsIn(project ? [...own, project] : own, 'count', knownOf(work));
    return spec?.tool === 'jira.count' ? addRead(work, withProject(spec, work)) : null;
  };
  const [left, right] = [counted(before), counted(after)];
  return left && right ? { left: [numberOf(left)], op, right: numberOf(right) } : null;
}

/** "PAY has more P1s than CHK": two counts against each other. */
export function twoCounts(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const than = tokens.findIndex(
    (token) =>
      token.kind === 'word' && (token.word === 'than' || (token.word === 'as' && /\btwice\b/.test(line))),
  );
  const projects = ofKind(tokens, 'project');
  const kinds = projects.length < 2 ? twoKinds(tokens, than, work) : null;
  if (kinds) return kinds;
  const services = ofKind(tokens, 'service');
  const versus = projects.length !== 2 && services.length === 2;
  const outnumbers = outnumber(tokens, projects);
  if (
    (projects.length !== 2 && !versus) ||
    !/\b(more-than|less-than|twice|more|fewer|less)\b/.test(line) ||
    (than < 0 && !outnumbers)
  )
    return null;
  const args =
    readsIn(
      tokens.filter((token) => token.kind !== 'project'),
      'count',
      knownOf(work),
    )[0]?.args ?? {};
  const [left, right] = versus
    ? services
        .flatMap((service) => readsIn(without(tokens, service), 'count', knownOf(work)).slice(0, 1))
        .map((spec) => addRead(work, spec))
    : projects.map((token) => addRead(work, { tool: 'jira.count', args: { project: token.word, ...args } }));
  if (!left || !right) return null;
  const factor = /\btwice\b/.test(line) ? { factor: 2 } : {};
  return {
    left: [numberOf(left)],
    op: /\b(less-than|fewer|less)\b/.test(line)
      ? '<'
      : /\btwice\b/.test(line) && !/\bmore-than\b/.test(line)
        ? '>='
        : '>',
    right: numberOf(right),
    ...factor,
  };
}
