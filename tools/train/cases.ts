import { readFileSync } from 'node:fs';

/** A case in its file: a request, and the plan, question or refusal it should get. */
export interface TrainCase {
  readonly id: string;
  readonly set?: string;
  readonly text: string;
  readonly lang: string;
  readonly class: 'plan' | 'clarify' | 'refuse' | 'none';
  readonly accept?: readonly string[];
  /** For a question: the missing thing. */
  readonly ask?: string | readonly string[] | null;
  readonly reason?: string | null;
  readonly tags?: readonly string[];
  /** People whom the request names without aiming a step at them. */
  readonly people?: readonly string[];
  readonly steps: readonly TrainStep[];
  readonly watch?: Readonly<Record<string, string>>;
  readonly answers?: readonly { readonly slot: string; readonly answer: string }[];
  /** The plan that the request changes. */
  readonly was?: { readonly steps: readonly TrainStep[]; readonly watch?: Readonly<Record<string, string>> };
}

export type TrainValue = string | number | boolean | readonly (string | number | boolean)[];
export interface TrainStep {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, TrainValue>>;
  readonly needs?: readonly string[];
  readonly when?: TrainWhen;
  readonly alt?: readonly string[];
  readonly write?: boolean;
}
export interface TrainCompare {
  readonly left: string | readonly string[];
  readonly op: string;
  readonly right: string | number | boolean;
}
export type TrainWhen =
  | TrainCompare
  | { readonly all: readonly TrainCompare[] }
  | { readonly any: readonly TrainCompare[] };

export const comparesOf = (when: TrainWhen): readonly TrainCompare[] =>
  'all' in when ? when.all : 'any' in when ? when.any : [when];

export function readCases(file: string): TrainCase[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as TrainCase);
}
