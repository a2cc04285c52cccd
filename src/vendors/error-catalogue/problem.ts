import { cut, oneLine } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';

/** An unusable catalogue, with the position. */
export class CatalogueError extends VendorError {
  /** The position in the file, and the problem there. */
  readonly place: { readonly line: number | null; readonly says: string };

  constructor(file: string, line: number | null, problem: string) {
    const place = line === null ? file : `${file}:${line}`;
    super(
      'catalogue_invalid',
      `The error catalogue cannot be used: ${place} ${cut(oneLine(problem), 300)}.`,
      {
        retryable: false,
        mayHaveHappened: false,
        facts: { file },
      },
    );
    this.place = { line, says: problem };
  }
}
