import { type DestinationStream, pino } from 'pino';
import type { Log } from '../core/log.ts';
import type { Tracing } from './tracing.ts';

interface LogOptions {
  readonly level: string;
  readonly secrets: readonly string[];
  /** More of them; a changed file may add some. */
  readonly named: ReadonlySet<string>;
  readonly tracing: Pick<Tracing, 'line' | 'ids'>;
  readonly out?: DestinationStream | undefined;
}

/**
 * A logger whose lines never contain a secret: values are replaced in the finished line, wherever they occur, because
 * pino's own wildcard paths miss anything nested deeper than they say.
 */
export function createLog({ level, secrets, named, tracing, out }: LogOptions): Log {
  let written = writtenForms([...secrets, ...named]);
  let known = named.size;
  const scrub = (line: string): string => {
    if (named.size !== known) written = writtenForms([...secrets, ...named]);
    known = named.size;
    const scrubbed = written.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line);
    tracing.line(scrubbed);
    return scrubbed;
  };
  const options = {
    ...{ level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    formatters: { level: (label: string) => ({ level: label }) },
    ...{ mixin: () => tracing.ids(), hooks: { streamWrite: scrub } },
  };
  return pino(options, out);
}

/** In a line of JSON, a quotation mark or backslash has a backslash in front. */
function writtenForms(secrets: readonly string[]): string[] {
  const long = secrets.filter(({ length }) => length >= 6);
  return [...new Set(long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))];
}
