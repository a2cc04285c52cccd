import { z } from 'zod';

/** Patterns of the names in `countersign.yml`. */

export const serviceName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u, 'must be letters, digits, dot, dash');
export const projectKey = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{1,19}$/, 'must be a Jira project key such as OPS');
export const channelName = z.string().regex(/^[\p{L}\p{N}_-]{1,80}$/u, 'must be a channel name without #');
export const slackUser = z.string().regex(/^[UW][A-Z0-9]{2,}$/, 'must be a Slack user id such as U012ABCDEF');
export const environmentName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable');
