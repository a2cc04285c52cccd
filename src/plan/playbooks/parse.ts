import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { plainWords } from '../../core/value-words.ts';
import { yamlValues } from '../../core/yaml-values.ts';
import { type Playbook, playbookSchema } from './playbook.ts';

/** A problem in a playbook file, for people: `escalation.yml:12: …`. */
export interface PlaybookProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** A parsed file: the playbook or null, its problems, and the line of any path in it. */
export interface ParsedPlaybook {
  readonly playbook: Playbook | null;
  readonly problems: readonly PlaybookProblem[];
  lineOf(path: readonly (string | number)[]): number;
}

/** Examples cut off because YAML reads a channel as a comment: `- post it to #ops`. */
function cutExamples(document: Document, { examples }: Playbook): (string | number)[][] {
  return examples
    .map((_example, index) => ['examples', index])
    .filter((path) => {
      const node = document.getIn(path, true);
      return isNode(node) && /^\S/u.test(node.comment ?? '');
    });
}

/** Reads one YAML file. Never throws: problems are listed with their lines. */
export function parsePlaybook(source: string, file: string): ParsedPlaybook {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): number => lines.linePos(offset).line;
  const lineOf = (path: readonly (string | number)[]): number => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return at(node.range[0]);
    }
    return 1;
  };
  const syntax = document.errors.map((error) => ({ file, line: at(error.pos[0]), message: error.message }));
  if (syntax.length > 0) return { playbook: null, problems: syntax, lineOf };
  const read = yamlValues(document, source);
  if ('message' in read) return { playbook: null, problems: [{ file, ...read }], lineOf };
  const parsed = playbookSchema.safeParse(read.values, { error: plainWords });
  if (parsed.success) {
    const problems = cutExamples(document, parsed.data).map((path) => {
      const message = `${path.join('.')}: what stands behind " #" is a comment in YAML; put the example in quotes`;
      return { file, line: lineOf(path), message };
    });
    return { playbook: problems.length > 0 ? null : parsed.data, problems, lineOf };
  }
  const problems = parsed.error.issues.map((issue) => {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    return { file, line: lineOf(path), message: `${path.join('.') || 'the file'}: ${issue.message}` };
  });
  return { playbook: null, problems, lineOf };
}
