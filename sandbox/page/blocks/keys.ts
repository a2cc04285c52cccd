/** React key of a part without an id; an update of a message replaces its parts in place, so position is identity. */
export function keyAt(index: number): string {
  return `part-${index}`;
}
