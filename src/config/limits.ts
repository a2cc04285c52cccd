import { z } from 'zod';

const atOnce = (usual: number, whom: string) => z.int().min(1).max(1_000).default(usual).describe(whom);

/** How much the bot does at once. */
export const limits = {
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
