import { SeverityNumber } from '@opentelemetry/api';

interface LogRecord {
  readonly body: string;
  readonly severityNumber: SeverityNumber;
  readonly timestamp: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

const severities = new Map([
  [10, SeverityNumber.TRACE],
  [20, SeverityNumber.DEBUG],
  [30, SeverityNumber.INFO],
  [40, SeverityNumber.WARN],
  [50, SeverityNumber.ERROR],
  [60, SeverityNumber.FATAL],
]);
/** Ids, codes and names; an error's message may quote people, and contains spaces. */
const code = /^[\w.:/#@+-]{1,100}$/;

/** A log line for the collector: its constant message, and only facts that cannot be free text. */
export function logRecord(line: string): LogRecord | null {
  const { level, time, msg, trace_id: _trace, span_id: _span, ...facts } = JSON.parse(line);
  if (typeof msg !== 'string' || typeof level !== 'number' || typeof time !== 'number') return null;
  const attributes = Object.entries(facts).flatMap(([name, value]): [string, string | number | boolean][] => {
    if (typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
    return typeof value === 'string' && code.test(value) ? [[name, value]] : [];
  });
  const severityNumber = severities.get(level) ?? SeverityNumber.INFO;
  return { body: msg, severityNumber, timestamp: time, attributes: Object.fromEntries(attributes) };
}
