import { z } from 'zod';
import { mayLeave } from '../core/address.ts';

export const address = z
  .string()
  .refine((value) => URL.canParse(value) && mayLeave(new URL(value)), {
    error:
      'must be an https address, with https:// in front (http is accepted for this machine only), and not link-local',
    abort: true,
  })
  .refine((value) => !hasCredentials(new URL(value)), {
    error: 'must not have a user name or password in it',
  });

/** For a receiver that the operator may reach without TLS. */
export const anyAddress = z
  .string()
  .refine((value) => URL.canParse(value) && mayLeave(encrypted(value)), {
    error: 'must be an http or https address, and not link-local',
    abort: true,
  })
  .refine((value) => !hasCredentials(new URL(value)), {
    error: 'must not have a user name or password in it',
  });

function encrypted(value: string): URL {
  return new URL(value.replace(/^http:/i, 'https:'));
}

export const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgres://', abort: true })
  .refine((value) => URL.canParse(value), {
    error:
      'is no address: in its password write / as %2F, @ as %40, : as %3A, # as %23, ? as %3F and % as %25',
  });

export const proxyAddress = z
  .string()
  .regex(/^https?:\/\//, { error: 'must be an address with http:// or https:// in front', abort: true })
  .refine((value) => URL.canParse(value), { error: 'is no address' });

function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number<string>({ error }).int(error).min(min, error).max(max, error);
};
export const port = whole(0, 65_535);
export const milliseconds = whole(100, 600_000);
