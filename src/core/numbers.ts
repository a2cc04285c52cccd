import type { JsonObject } from './json.ts';

// Creating a formatter costs as much as an SQL statement, and `toLocaleString` creates one per call.
const english = new Intl.NumberFormat('en');

const precise = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Units that are read more easily in thousands of them, or as parts of one. */
const scales: Readonly<Record<string, readonly (readonly [from: number, by: number, unit: string])[]>> = {
  bytes: [
    [1e12, 1e12, 'TB'],
    [1e9, 1e9, 'GB'],
    [1e6, 1e6, 'MB'],
    [1e3, 1e3, 'kB'],
  ],
  s: [
    [1, 1, 's'],
    [1e-9, 1e-3, 'ms'],
  ],
};

/** A measured value to three digits, whole numbers as they are: "0.421 s", "1,204 requests/s", "12.5 %". */
export function measured(value: number, unit = ''): string {
  const [, by = 1, said = unit] = scales[unit]?.find(([from]) => Math.abs(value) >= from) ?? [];
  const scaled = value / by;
  const digits =
    Number.isInteger(scaled) || Math.abs(scaled) >= 1_000
      ? thousands(Math.round(scaled))
      : precise.format(scaled);
  return said === '' ? digits : `${digits} ${said}`;
}

/** A number with thousands separators: `1,204`. */
export function thousands(number: number): string {
  return english.format(number);
}

/** True for a result whose number is an estimate, or only a lower bound. */
export const isEstimate = (result: JsonObject): boolean =>
  result.approximate === true || result.row_total_least === true;
