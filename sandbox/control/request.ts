import type { Context } from 'hono';
import { z } from 'zod';
import type { SandboxEnv } from '../journal.ts';
import { readJson } from '../read-json.ts';
import type { Person, World } from '../world.ts';

/** A request to the control API that cannot be fulfilled; answered with its code, message and status. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly code: string;
  readonly status: 400 | 403 | 404;

  constructor(code: string, message: string, status: 400 | 403 | 404 = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The JSON body parsed by a schema; errors are listed field by field. */
export async function bodyOf<T>(context: Context<SandboxEnv>, schema: z.ZodType<T>): Promise<T> {
  const body = await readJson(
    context,
    () => new ControlRefusal('invalid_json', 'The body is not a JSON object.'),
  );
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ControlRefusal('invalid_request', z.prettifyError(parsed.error));
  return parsed.data;
}

/** By Slack id, handle or PagerDuty id. */
export function personNamed(world: World, name: string): Person {
  const found = world.people.find((one) => [one.id, one.name, one.pagerdutyId].includes(name));
  if (found === undefined) throw new ControlRefusal('user_not_found', `Nobody here is called ${name}.`, 404);
  return found;
}
