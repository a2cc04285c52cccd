import { type DraftCondition, numberOf, type Operator } from '../draft/draft.ts';
import { addRead, ask, knownOf, type Work } from '../draft/work.ts';
import { readsIn } from '../reads/reads.ts';
import type { ReadSpec } from '../reads/spec.ts';
import { ofKind, type Token } from '../words/token.ts';
import { negative, withProject } from './subjects.ts';

const counted = /^jira\.(count|search)$/;

export function againstSla(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const threshold = work.steps.find((step) => step.tool === 'sla.threshold');
  const last = work.lastReads.filter((step) => counted.test(step.tool) && step.args.limit === undefined);
  const counts = last.length === 0 && threshold ? work.steps.filter((step) => counted.test(step.tool)) : last;
  const breach = /\bbreached\b/.test(line);
  const risk = /\bat-risk\b/.test(line);
  const compared =
    /\b(more \S.* than|fewer \S.* than|more-than|over|above|exceeds|less-than|below|at-most|at-least|lots)\b/.test(
      line,
    ) &&
    /\b(sla|threshold)\b/.test(line) &&
    ofKind(tokens, 'key').length === 0;
  const more =
    /\b(more-than|over|above|exceeds|breached|higher|less-than|below|under|at-most|at-least)\b/.test(line);
  const plain = ofKind(tokens, 'number', 'duration', 'key').length === 0;
  if (threshold && counts.length > 0 && more && !compared && !risk && plain && !breach)
    return { left: counts.slice(0, 1).map(numberOf), op: wordedOp(line), right: numberOf(threshold) };
  if (!breach && !compared && !risk) return null;
  const things = ofKind(tokens, 'key', 'project', 'priority').length > 0 || /\bticket\b/.test(line);
  if (
    breach &&
    threshold &&
    work.steps.some((step) => counted.test(step.tool)) &&
    ofKind(tokens, 'key').length === 0
  ) {
    const found = counts.length > 0 ? counts : work.steps.filter((step) => counted.test(step.tool));
    return {
      left: found.slice(0, 1).map(numberOf),
      op: negative(line) ? '<=' : '>',
      right: numberOf(threshold),
    };
  }
  if ((breach || risk) && !compared) return slaState(tokens, line, things, work);
  if (!things && counts.length === 0 && work.project === undefined && work.catalogue.open) {
    ask(
      work,
      ['condition'],
      'What should be compared with the limit? Please name the tickets, such as open P1 in OPS.',
    );
    return null;
  }
  const named = readsIn(withoutSla(tokens), 'count', knownOf(work)).filter(
    (spec) => spec.tool === 'jira.count',
  );
  const subject =
    named.length > 0 && (ofKind(tokens, 'project', 'priority').length > 0 || counts.length === 0)
      ? named.map((spec) => addRead(work, withProject(spec, work)))
      : counts;
  const count =
    subject[0] ?? addRead(work, withProject({ tool: 'jira.count', args: projectArgs(tokens) }, work));
  const { project, priority } = count.args;
  const limit = addRead(work, {
    tool: 'sla.threshold',
    args: { ...(project ? { project } : {}), ...(priority ? { priority } : {}) },
  });
  return { left: [numberOf(count)], op: wordedOp(line), right: numberOf(limit) };
}

/** "over it", "below the limit": the operator that the words say. */
function wordedOp(line: string): Operator {
  if (/\b(less-than|below|under)\b/.test(line)) return negative(line) ? '>=' : '<';
  if (/\bat-most\b/.test(line) || negative(line)) return '<=';
  return /\bat-least\b/.test(line) ? '>=' : '>';
}

function projectArgs(tokens: readonly Token[]): ReadSpec['args'] {
  const project = ofKind(tokens, 'project')[0]?.word;
  const priority = ofKind(tokens, 'priority')[0]?.word;
  return { ...(project ? { project } : {}), ...(priority ? { priority } : {}) };
}

function withoutSla(tokens: readonly Token[]): Token[] {
  const counted = tokens.filter((token) => !/^(sla|threshold|breached)$/.test(token.word));
  return [...counted, { kind: 'word', word: 'ticket', raw: '', start: 0, end: 0 }];
}

function slaState(tokens: readonly Token[], line: string, things: boolean, work: Work): DraftCondition {
  const last = work.lastReads.find((step) => step.tool === 'jira.sla');
  const specs = things
    ? readsIn([...tokens, { kind: 'word', word: 'sla', raw: '', start: 0, end: 0 }], 'count', knownOf(work))
    : [];
  const spec = specs.find((found) => found.tool === 'jira.sla');
  if (spec && spec.args.key === undefined && /\b(any|none|ticket|bug|more-than|at-least)\b/.test(line)) {
    const step = addRead(work, spec);
    return { left: [{ step, field: 'total' }], op: negative(line) ? '==' : '>', right: 0 };
  }
  const state = /\bat-risk\b/.test(line) ? 'at_risk' : 'breached';
  const projects = [...new Set(work.lastReads.map((read) => read.args.project))];
  const many = !spec && !last && projects.length > 1 && projects.every((name) => typeof name === 'string');
  if (many) {
    const each = projects.map((project): DraftCondition => {
      const step = addRead(work, { tool: 'jira.sla', args: { project: String(project) } });
      return { left: [{ step, field: 'state' }], op: negative(line) ? '!=' : '==', right: state };
    });
    return negative(line) ? { all: each } : { any: each };
  }
  const named = specs.filter((found) => found.tool === 'jira.sla' && found.args.key === undefined);
  if (named.length > 1) {
    const each = named.map((found): DraftCondition => {
      const step = addRead(work, { ...found, args: withoutState(found.args) });
      return { left: [{ step, field: 'state' }], op: negative(line) ? '!=' : '==', right: state };
    });
    return /(?<!-)\bor\b(?!-)|\beither\b/.test(line) !== negative(line) ? { any: each } : { all: each };
  }
  const key = typeof work.lastKey === 'string' ? { key: work.lastKey } : {};
  const step = spec
    ? addRead(work, { ...spec, args: withoutState(spec.args) })
    : (last ?? addRead(work, { tool: 'jira.sla', args: key }));
  if (last && !spec && step.args.state !== undefined)
    return { left: [{ step, field: 'total' }], op: negative(line) ? '==' : '>', right: 0 };
  return { left: [{ step, field: 'state' }], op: negative(line) ? '!=' : '==', right: state };
}

function withoutState(args: ReadSpec['args']): ReadSpec['args'] {
  const { state: _state, ...rest } = args;
  return rest;
}
