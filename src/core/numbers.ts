// Making a formatter costs as much as a statement of SQL, and `toLocaleString` makes one at each call.
const english = new Intl.NumberFormat('en');

/** A number with its thousands: `1,204`. */
export function thousands(number: number): string {
  return english.format(number);
}
