import { BadAnswer } from './errors.ts';

const lineFeed = 10;
const firstRoom = 4_096;
/** Messages of one answer, its progress and log included; each is checked, so many small ones are work. */
const maxLines = 1_000;

export interface LineReader {
  /** A question goes out: what comes from here on is its answer. */
  begin(): void;
  /** The lines that end in this piece. Throws a BadAnswer when there is more than an answer may have. */
  take(piece: Buffer): string[];
}

/** Cuts a stream into lines. What is kept of a line that has not ended grows by doubling, however small its pieces are. */
export function createLineReader(maxBytes: number): LineReader {
  let kept = Buffer.allocUnsafe(firstRoom);
  let [size, seen, count] = [0, 0, 0];

  function keep(piece: Buffer): void {
    if (size + piece.length > kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(kept.length * 2, size + piece.length));
      kept.copy(larger, 0, 0, size);
      kept = larger;
    }
    size += piece.copy(kept, size);
  }

  return {
    begin() {
      [seen, count] = [0, 0];
    },
    take(piece) {
      seen += piece.length;
      if (seen > maxBytes || size + piece.length > maxBytes)
        throw new BadAnswer(`it has more than ${maxBytes} bytes`);
      const lines: string[] = [];
      let from = 0;
      for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, from)) {
        keep(piece.subarray(from, at));
        lines.push(kept.toString('utf8', 0, size));
        [size, from, count] = [0, at + 1, count + 1];
        if (count > maxLines) throw new BadAnswer(`it has more than ${maxLines} messages`);
      }
      if (lines.length > 0) kept = Buffer.allocUnsafe(firstRoom);
      keep(piece.subarray(from));
      return lines;
    },
  };
}
