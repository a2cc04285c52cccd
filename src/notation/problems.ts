import { cut } from '../core/clean-text.ts';

export type ProblemCode =
  | 'syntax'
  | 'unknown_tool'
  | 'unknown_argument'
  | 'unknown_step'
  | 'unknown_field'
  | 'unknown_line'
  | 'missing_argument'
  | 'repeated'
  | 'bad_value'
  | 'bad_condition'
  | 'bad_code'
  | 'bad_plan';

/** One problem in a text, with the offending word and, where likely, the intended one. */
export interface NotationProblem {
  readonly code: ProblemCode;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly word: string;
  /** The likely replacement for the word. */
  readonly meant: string | null;
  /** The problem and the likely intention, in a sentence or two. */
  readonly message: string;
}

/** More would help nobody, and prose should not be searched for a hundred typos. */
const maxProblems = 20;
const maxWord = 60;

export interface Problems {
  readonly found: readonly NotationProblem[];
  /** True when further problems would add nothing. */
  isFull(): boolean;
  add(code: ProblemCode, word: { text: string; at: number }, message: string, meant?: string | null): void;
}

export function problemsOf(text: string): Problems {
  const found: NotationProblem[] = [];
  return {
    found,
    isFull: () => found.length >= maxProblems,
    add(code, { text: word, at }, message, meant = null) {
      if (found.length >= maxProblems) return;
      const before = text.slice(0, at);
      const line = before.split('\n').length;
      const column = at - before.lastIndexOf('\n');
      const hint = meant === null ? '' : ` Did you mean ${inCode(meant)}?`;
      found.push({ code, line, column, word: cut(word, maxWord), meant, message: `${message}${hint}` });
    },
  };
}

/** A word of the notation, formatted for a sentence. */
export function inCode(word: string): string {
  return `\`${cut(word, maxWord)}\``;
}

/** Sorted by position in the text. */
export function inOrder(found: readonly NotationProblem[]): NotationProblem[] {
  return found.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** `Line 2: no tool …`. A text of one line needs no line number. */
export function problemLine(problem: NotationProblem, text: string): string {
  return text.includes('\n') ? `Line ${problem.line}: ${problem.message}` : problem.message;
}
