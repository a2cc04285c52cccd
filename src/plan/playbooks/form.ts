import { type Catalogue, namesOf } from '../../core/catalogue.ts';
import { type InputType, inputTypeSchemas, type Playbook } from './playbook.ts';

/** A playbook input as a form field. */
export interface InputField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'number' | 'choice';
  /** For a choice. */
  readonly options: readonly string[];
  readonly value: string;
  /** The problem with a value, or null. */
  readonly check: (value: string) => string | null;
}

/** The inputs of a playbook as fields; inputs with names known to the operator become choices. */
export function inputFields({ inputs }: Playbook, catalogue: Catalogue): InputField[] {
  return Object.entries(inputs).map(([name, { type, describe, default: given }]) => {
    const options = choicesOf(type, catalogue);
    const kind = options.length > 0 ? 'choice' : type === 'number' ? 'number' : 'text';
    const value = given === undefined ? '' : String(given);
    return { name, label: describe, kind, options, value, check: (typed) => problemWith(type, typed) };
  });
}

function choicesOf(type: InputType, catalogue: Catalogue): readonly string[] {
  if (type === 'priority') return ['P1', 'P2', 'P3', 'P4', 'P5'];
  if (type === 'service' || type === 'project' || type === 'channel' || type === 'user')
    return namesOf(catalogue, type);
  return [];
}

function problemWith(type: InputType, value: string): string | null {
  if (value === '') return 'Fill this in.';
  const parsed = inputTypeSchemas[type].safeParse(value);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'is not right');
}
