import { VendorError } from '../../core/errors.ts';
import { cut, oneLine } from '../../core/inert.ts';

/** A catalogue that cannot be used, with the place. */
export class CatalogueError extends VendorError {
  /** Where in the file, and what is wrong there. */
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
