import type { RichTextBlockElement, RichTextSection } from '@slack/types';
import { bold, code, italic, line, lines, ordered, type Span } from '../../blocks/rich.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import { capital, withoutText } from '../../core/step-words.ts';
import type { StepView } from './step-view.ts';

/** `read` or `WRITE`: a write must be visible at a glance. */
export function mark(step: StepView): Span {
  return step.effect === 'write' ? bold('WRITE') : code('read');
}

/** One step of the card, complete. Short lines, because it is read on a phone. */
export function stepItem(step: StepView): RichTextSection {
  const extras = step.extras.length > 0 ? ` (${step.extras.join(', ')})` : '';
  const rows: Span[][] = [[mark(step), ` ${step.sentence}${extras}`]];
  if (step.condition !== null) rows.push([bold('only if '), step.condition]);
  // A target without an identity could not be looked up; its label says so.
  for (const { label, identity } of step.targets)
    rows.push([identity === '' ? bold(`→ ${label}`) : `→ ${label}`]);
  const after = step.after.length > 0 ? `after ${step.after.join(' and ')}` : '';
  const small = [after, ...step.flags, step.success].filter(Boolean).join('; ');
  const { why } = step;
  // The steps of a typed plan have no reason other than what they do.
  const isSaid = step.sentence.toLowerCase().startsWith(why.toLowerCase());
  const last = [isSaid ? '' : why, small].filter(Boolean).join(' · ');
  if (last !== '') rows.push([italic(last)]);
  return lines(rows);
}

/** A step in short, where all of it is shown elsewhere or no longer matters: its action, targets and condition. */
function shortItem(step: StepView): RichTextSection {
  const condition = step.condition === null ? '' : ` — only if ${oneLine(step.condition)}`;
  const targets = step.targets.map((target) => target.label).join('; ');
  const what = cut(oneLine(withoutText(step.sentence)), targets === '' ? 120 : 80);
  const whom = targets === '' ? '' : ` → ${cut(oneLine(targets), 120)}`;
  return line(mark(step), ` ${what}${whom}${cut(condition, 120)}`);
}

/** Maximum steps of a list in short; the rest are counted. */
const maxShort = 20;
/** A longer plan has headings. */
const maxBare = 5;

export function shortSteps(steps: readonly StepView[]): RichTextBlockElement[] {
  const rest = steps.length - maxShort;
  const more = rest > 0 ? [line(italic(`and ${rest} more steps`))] : [];
  return [...inGroups(steps.slice(0, maxShort), shortItem), ...more];
}

/** The steps in the order of the plan; over five of them under headings that say what they are for. */
export function inGroups(
  steps: readonly StepView[],
  item: (step: StepView) => RichTextSection,
): RichTextBlockElement[] {
  if (steps.length <= maxBare) return [ordered(steps.map(item))];
  const groups: StepView[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last?.[0]?.purpose === step.purpose) last.push(step);
    else groups.push([step]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    const offset = (first?.number ?? 1) - 1;
    return [line(bold(capital(first?.purpose ?? ''))), ordered(group.map(item), offset)];
  });
}
