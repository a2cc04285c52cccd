import type { RichTextBlockElement } from '@slack/types';
import type { Step } from '../core/plan.ts';
import { bold, line, preformatted } from './rich.ts';

/** The source of a code step, complete; empty for any other step. */
export function codeElements(step: Step | undefined): RichTextBlockElement[] {
  if (step?.code === undefined) return [];
  const { source, result } = step.code;
  const returns = Object.entries(result).map(([name, type]) => `${name}: ${type}`);
  const title = line('Code of ', bold(step.id), `, which returns ${returns.join(', ')}:`);
  return [title, ...piecesOf(source).map(preformatted)];
}

/** The query of a step that a model may have written, complete; empty for any other step. */
export function writtenElements({ step, written }: WrittenView): RichTextBlockElement[] {
  if (written === null) return [];
  return [line('Query of ', bold(step.id), ', in full:'), ...piecesOf(written).map(preformatted)];
}

interface WrittenView {
  readonly step: Pick<Step, 'id'>;
  readonly written: string | null;
}

const maxPiece = 2_500;

/** Lines in pieces that Slack accepts. */
export function piecesOf(source: string): string[] {
  const pieces: string[] = [];
  for (const text of source.split('\n').flatMap((one) => one.match(/.{1,2000}/gsu) ?? [''])) {
    const last = pieces.at(-1);
    if (last === undefined || last.length + text.length > maxPiece) pieces.push(text);
    else pieces[pieces.length - 1] = `${last}\n${text}`;
  }
  return pieces;
}
