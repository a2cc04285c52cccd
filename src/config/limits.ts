import { z } from 'zod';

const atOnce = (usual: number, whom: string) => z.int().min(1).max(1_000).default(usual).describe(whom);

const seconds = (max: number, usual: number, what: string) =>
  z.int().min(0).max(max).default(usual).describe(what);

/** How much the bot does at once, and how long it reuses what it was told. */
export const limits = {
  caches: z
    .strictObject({
      people: seconds(3_600, 60, 'names, addresses and groups of people in Slack, for what is shown'),
      channels: seconds(3_600, 60, 'who is in a channel of Slack, and who can read it'),
      alert_reads: seconds(
        300,
        5,
        'evidence and past incidents of a service, for problems that begin together',
      ),
      plans: seconds(86_400, 3_600, 'a model’s plan, for the same words under the same settings'),
    })
    .prefault({})
    .describe(
      'seconds for which an answer may be used again; 0 asks each time. Who approves, and the facts before a write, are always asked anew',
    ),
  limits: z
    .strictObject({
      steps_at_once: z
        .int()
        .min(1)
        .max(40)
        .default(20)
        .describe('steps of one run under way at once; the others start as these end'),
      calls_at_once: z
        .strictObject({
          jira: atOnce(10, 'of Jira'),
          pagerduty: atOnce(10, 'of PagerDuty'),
          confluence: atOnce(5, 'of Confluence'),
          azure: atOnce(5, 'of Azure Monitor, which runs five queries of one user at once'),
          splunk: atOnce(3, 'of Splunk, whose role `user` may run three searches at once'),
          prometheus: atOnce(10, 'of Prometheus'),
          databases: atOnce(5, 'of each database'),
          mcp: atOnce(5, 'of each MCP server'),
          actions: atOnce(5, 'of the actions with the same word before the dot'),
          model: atOnce(10, 'of the host of models'),
        })
        .prefault({})
        .describe(
          'calls that read under way at once, in each process and workspace; further ones wait for their turn, at most a minute; writes never wait',
        ),
    })
    .prefault({}),
};
