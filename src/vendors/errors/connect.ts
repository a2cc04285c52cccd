import type { Readers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { openCatalogue } from './catalogue.ts';

/** The catalogue of known errors as tools may reach it; `files` is empty where none is set up. */
export function connectErrors(files: readonly string[]): Pick<Readers, 'errors'> {
  return {
    errors: files.length === 0 ? unconfigured('errors.files in countersign.yml') : openCatalogue(files),
  };
}
