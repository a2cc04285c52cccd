import { z } from 'zod';
import { address, anyAddress } from './env-values.ts';

/** Where traces and logs go, under the names that OpenTelemetry gives these settings. */
export const collectorSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: anyAddress
    .optional()
    .describe('OpenTelemetry collector for traces and logs over HTTP, such as http://localhost:4318.'),
  OTEL_EXPORTER_OTLP_INSECURE: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true for a collector at an http address of another machine, such as one in the same cluster.'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, 'must be name=value, with commas between several')
    .optional()
    .describe('Headers that the collector asks for, such as api-key=….'),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .default('countersign')
    .describe('Name under which the collector shows them.'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, 'must be name=value, with commas between several')
    .optional()
    .describe('More that is said of every trace and log, such as deployment.environment.name=production.'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      ...([
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
      ] as const),
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe(
      'Which traces are sent: always_on, always_off or traceidratio; parentbased_ makes no difference.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number<string>({ error: 'must be a number from 0 to 1' })
    .min(0, 'must be a number from 0 to 1')
    .max(1, 'must be a number from 0 to 1')
    .default(1)
    .describe('Share of the traces that traceidratio sends, from 0 to 1.'),
};

/** Where events of plans and runs go. */
export const eventSettings = {
  COUNTERSIGN_EVENTS_URL: address
    .optional()
    .describe(
      'Address that is sent each decision and run as a CloudEvent; for every process. docs/events.md.',
    ),
  COUNTERSIGN_EVENTS_SECRET: z
    .string()
    .refine((keys) => keys.split(',').every((key) => key.length >= 32), 'must have at least 32 characters')
    .optional()
    .describe('Signs them: openssl rand -hex 32. A new one goes in front of the old, with a comma.'),
};
