import type { Fields } from '../fields.ts';
import {
  type Findings,
  flag,
  type Members,
  may,
  need,
  number,
  object,
  pattern,
  type Rule,
  string,
} from './rules.ts';

/** A text field. `typed` are the members that all fields have. */
export function plainTextInput(typed: Members): Rule {
  return object(
    {
      ...typed,
      initial_value: may(string({ max: 3_000 })),
      multiline: may(flag),
      min_length: may(number({ min: 0, max: 3_000 })),
      max_length: may(number({ min: 1, max: 3_000 })),
    },
    initialLength,
  );
}

export function numberInput(typed: Members): Rule {
  return object(
    {
      ...typed,
      is_decimal_allowed: need(flag),
      initial_value: may(string()),
      min_value: may(string()),
      max_value: may(string()),
    },
    initialNumber,
  );
}

/** The initial value of a field must be valid for submission. */
function initialLength(value: Fields, at: string, findings: Findings): void {
  const { initial_value: initial, min_length: least = 0, max_length: most = 3_000 } = value;
  if (typeof least === 'number' && typeof most === 'number' && least > most) {
    findings.add(`${at}/min_length`, 'must be less than or equal to max_length');
  }
  if (typeof initial !== 'string' || initial === '') return;
  if (typeof most === 'number') string({ max: most })(initial, `${at}/initial_value`, findings);
  if (typeof least === 'number') string({ min: least })(initial, `${at}/initial_value`, findings);
}

function initialNumber(value: Fields, at: string, findings: Findings): void {
  const form = value.is_decimal_allowed === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
  for (const name of ['initial_value', 'min_value', 'max_value']) {
    const text = value[name];
    if (text !== undefined) pattern(form, 'must be a valid number')(text, `${at}/${name}`, findings);
  }
  const { initial_value: initial, min_value: least, max_value: most } = value;
  const outside =
    initial !== undefined &&
    (Number(initial) < Number(least ?? initial) || Number(initial) > Number(most ?? initial));
  if (outside) findings.add(`${at}/initial_value`, 'must be between min_value and max_value');
}
