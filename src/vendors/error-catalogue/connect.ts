import type { Readers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { openCatalogue } from './catalogue.ts';

/** The catalogue of known errors for the tools; `files` is empty if none is set up. */
export function connectErrors(files: readonly string[]): Pick<Readers, 'errors'> {
  return {
    errors: files.length === 0 ? unconfigured('errors.files in countersign.yml') : openCatalogue(files),
  };
}
