// Creating a formatter costs as much as an SQL statement, and `toLocaleString` creates one per call.
const english = new Intl.NumberFormat('en');

/** A number with thousands separators: `1,204`. */
export function thousands(number: number): string {
  return english.format(number);
}
