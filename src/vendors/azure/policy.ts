import type { LogsQueryClient } from '@azure/monitor-query-logs';
import { badAnswer } from '../http/no-answer.ts';

/** Bytes of one answer. */
const maxAnswer = 4_000_000;

type Policies = NonNullable<
  NonNullable<ConstructorParameters<typeof LogsQueryClient>[1]>['additionalPolicies']
>;
type Policy = Policies[number]['policy'];

/**
 * Carries the signal along, which the client's own options drop, and reads the answer itself: the client would take
 * all that comes into memory.
 */
export function boundedPolicy(signal: AbortSignal): Policy {
  return {
    name: 'bounded',
    async sendRequest(request, next) {
      request.abortSignal = signal;
      // Of every status: the answer comes as a stream.
      request.streamResponseStatusCodes = new Set([Number.POSITIVE_INFINITY]);
      const response = await next(request);
      const { readableStreamBody: body } = response;
      if (body !== undefined) {
        response.bodyAsText = await textOf(body);
        delete response.readableStreamBody;
      }
      return response;
    },
  };
}

async function textOf(body: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  // Leaving the loop closes the stream, and with it the connection.
  for await (const piece of body) {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > maxAnswer) throw badAnswer('Azure Monitor', 'it is too long', { write: false });
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}
