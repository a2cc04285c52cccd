import { type Heard, hear, type OldStep } from '../../src/plan/everyday/heard.ts';
import type { NameIndex } from '../../src/plan/everyday/names.ts';
import { comparesOf, type TrainCase, type TrainStep } from './cases.ts';

/** A case as a planner receives it. */
export function heardIn({ text, answers, was }: TrainCase, names: NameIndex): Heard {
  const old =
    was === undefined ? {} : { old: { steps: was.steps.map(oldStep), isWatched: was.watch !== undefined } };
  return hear(
    {
      goal: was === undefined ? text : '',
      answers: was === undefined ? (answers ?? []) : [{ slot: 'change', answer: text }],
      ...old,
    },
    names,
  );
}

function oldStep({ tool, args, when, needs = [] }: TrainStep): OldStep {
  const nth = (id: string): number => Number(id.slice(1));
  const parts = when === undefined ? [] : comparesOf(when);
  const compares = parts.map(({ op, right, left }) => ({
    op: op === 'is' ? '==' : op,
    right: /^s\d+$/u.test(String(right)) ? `$${nth(String(right))}` : String(right),
    left: [left].flat().map(nth),
  }));
  const used = new Set([
    ...compares.flatMap(({ left, right }) => [...left, Number(/^\$(\d)$/u.exec(right)?.[1] ?? 0)]),
    ...[...JSON.stringify(args).matchAll(/\$s(\d+)/gu)].map(([, id]) => Number(id)),
  ]);
  return {
    tool: tool === 'tell' ? 'TELL' : tool,
    args: Object.entries(args).map(([arg, value]) => ({
      arg,
      text: [value]
        .flat()
        .map((part) => String(part).replace(/^\$s/u, '$'))
        .join(' '),
    })),
    when: when === undefined ? null : { any: 'any' in when, parts: compares },
    after: needs.map(nth).filter((step) => !used.has(step)),
  };
}
