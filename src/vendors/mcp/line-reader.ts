import { BadAnswer } from './errors.ts';

const lineFeed = 10;
const firstRoom = 4_096;
/** Maximum messages in one answer, including progress and log messages; each is validated, so many small ones are expensive. */
const maxLines = 1_000;

export interface LineReader {
  /** Call when sending a question: the input from here on is its answer. */
  begin(): void;
  /** The lines completed by this piece. Throws a BadAnswer when the answer exceeds the limits. */
  take(piece: Buffer): string[];
}

/** Splits a stream into lines. The buffer of an unfinished line grows by doubling, however small the pieces are. */
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
