import { VendorError } from '../../core/errors.ts';
import { cut, oneLine } from '../../core/inert.ts';

/** A catalogue that cannot be used, with the place. */
export class CatalogueError extends VendorError {
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
  }
}
