import { isIP } from 'node:net';
import { z } from 'zod';
import { mayLeave } from '../core/address.ts';
import { collectorSettings, eventSettings } from './collector-settings.ts';
import { address, milliseconds, port, postgresAddress, proxyAddress } from './env-values.ts';
import { roles } from './process-role.ts';

/** Every setting the environment may have. The descriptions become the lines of `.env.example`. */
export const envSchema = z.object({
  COUNTERSIGN_ROLE: z
    .enum(roles)
    .default('all')
    .describe(
      'all, or one half of it: front (Slack, planning, decisions) or executor (runs). docs/running.md has the split.',
    ),
  SLACK_BOT_TOKEN: z
    .string()
    .startsWith('xoxb-', 'must start with xoxb-')
    .optional()
    .describe(
      'Bot token of one workspace. Slack: your app, OAuth & Permissions, Bot User OAuth Token. Empty where there are several.',
    ),
  SLACK_APP_TOKEN: z
    .string()
    .startsWith('xapp-', 'must start with xapp-')
    .optional()
    .describe(
      'Socket Mode (no public address). Slack: Basic Information, App-Level Tokens, scope connections:write.',
    ),
  SLACK_SIGNING_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('HTTP instead of Socket Mode, together with PORT. Slack: Basic Information, App Credentials.'),
  SLACK_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Several workspaces (docs/workspaces.md). Slack: Basic Information, App Credentials.'),
  SLACK_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Several workspaces: the secret beside that id; only for processes that talk to Slack.'),
  TOKEN_KEY: z
    .string()
    .refine(
      (keys) => keys.split(',').every((key) => key.trim().length >= 32),
      'must have at least 32 characters',
    )
    .optional()
    .describe(
      'Several workspaces: encrypts their tokens: openssl rand -hex 32. A new one goes in front of the old, with a comma.',
    ),
  PORT: port
    .optional()
    .describe(
      'Port for HTTP delivery, PagerDuty webhooks, alerts, agents and installing in workspaces; leave empty where nothing is delivered by HTTP.',
    ),
  HOST: z
    .string()
    .refine((value) => isIP(value) !== 0, 'must be an IP address of this machine, such as 127.0.0.1')
    .optional()
    .describe(
      'Address of that port: 127.0.0.1 behind a proxy on the same machine; every address when empty.',
    ),
  AGENT_HOSTS: z
    .string()
    .regex(/^[A-Za-z0-9.-]+( *, *[A-Za-z0-9.-]+)*$/, 'must be host names, with commas between them')
    .optional()
    .describe(
      'Names by which agents reach that port, such as countersign.acme.example; IP addresses and localhost always may.',
    ),
  SLACK_API_URL: address
    .default('https://slack.com/api/')
    .describe('Web API address; only changed for a local workspace or GovSlack.'),
  JIRA_HOST: address.optional().describe('Your Jira Cloud site, such as https://acme.atlassian.net.'),
  JIRA_SITE: address
    .optional()
    .describe(
      'That site, where JIRA_HOST is https://api.atlassian.com/ex/jira/… (your cloud id): for a token with scopes.',
    ),
  JIRA_EMAIL: z.email().optional().describe('E-mail of the account that reads Jira.'),
  JIRA_API_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe(
      'API token of that account, without scopes unless JIRA_SITE is set. Atlassian account, Security, API tokens.',
    ),
  CONFLUENCE_HOST: address
    .optional()
    .describe('Your wiki, such as https://acme.atlassian.net/wiki; the account is that of Jira.'),
  PAGERDUTY_API_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe(
      'REST token; read-only is enough to page and to read. PagerDuty: Integrations, API Access Keys.',
    ),
  PAGERDUTY_FROM_EMAIL: z
    .email()
    .optional()
    .describe('E-mail of a PagerDuty user; REST writes are made in that name.'),
  PAGERDUTY_API_URL: address
    .default('https://api.pagerduty.com')
    .describe('REST address; https://api.eu.pagerduty.com for the EU region.'),
  PAGERDUTY_EVENTS_HOST: z
    .string()
    .regex(/^[A-Za-z0-9.-]+(:\d+)?$/, { error: 'must be a host name without https://', abort: true })
    .refine((host) => URL.canParse(`https://${host}`) && mayLeave(new URL(`https://${host}`)), {
      error: 'must be a host name, and not link-local',
    })
    .default('events.pagerduty.com')
    .describe('Host of Events v2 (always https); events.eu.pagerduty.com for the EU region.'),
  PAGERDUTY_WEBHOOK_SECRET: z
    .string()
    .refine(
      (all) => all.split(',').every((one) => one.trim().length >= 16),
      'must have at least 16 characters',
    )
    .optional()
    .describe(
      'Signing secret of a v3 webhook to https://your-address/pagerduty/webhook, with PORT; polled when empty.',
    ),
  AZURE_TENANT_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Azure Monitor: directory (tenant) id of the app that reads logs.'),
  AZURE_CLIENT_ID: z.string().min(1).optional().describe('Application (client) id of that app.'),
  AZURE_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Its secret. The app needs Log Analytics Reader on the workspaces.'),
  AZURE_AUTHORITY_HOST: address
    .default('https://login.microsoftonline.com')
    .describe('Where the app signs in; another one for sovereign clouds.'),
  AZURE_LOGS_URL: address
    .default('https://api.loganalytics.io/v1')
    .describe('Address of the query API; another one for sovereign clouds.'),
  SPLUNK_URL: address
    .optional()
    .describe('Management port of your Splunk, such as https://splunk.acme.example:8089.'),
  SPLUNK_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe('Token of a Splunk user who can search and nothing else. Splunk: Settings, Tokens.'),
  PROMETHEUS_URL: address
    .optional()
    .describe('Your Prometheus, or a server with its query API: the address before /api/v1.'),
  PROMETHEUS_TOKEN: z.string().min(1).optional().describe('Bearer token for it, where it asks for one.'),
  PROMETHEUS_USER: z
    .string()
    .regex(/^[^:]+$/, 'must have no colon')
    .optional()
    .describe('User for it, where it asks for a name and a password instead.'),
  PROMETHEUS_PASSWORD: z.string().min(1).optional().describe('Password of that user.'),
  OPENAI_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('Key for the planner model; without one, plans are made without a model.'),
  OPENAI_BASE_URL: address
    .optional()
    .describe('Another OpenAI-compatible server, such as http://localhost:11434/v1 for Ollama.'),
  PLANNER_MODEL: z.string().min(1).optional().describe('Model that plans, such as gpt-5-mini.'),
  PLANNER_SHADOW: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Model that plans every request a second time, unseen, to be compared; everyday is the planner that needs none.',
    ),
  PLANNER_SHARE: z
    .enum(['10', '50', '100'])
    .optional()
    .describe('Percentage of people who are shown its plans: 10, 50 or 100; none when empty.'),
  PLANNER_SHARE_OF: z
    .enum(['people', 'channels'])
    .default('people')
    .describe('Shares among people or channels, always the same ones.'),
  EXECUTOR_MODEL: z
    .string()
    .min(1)
    .optional()
    .describe('Cheaper model for summaries and result checks; PLANNER_MODEL when empty.'),
  PLANNER_TIMEOUT_MS: milliseconds
    .default(30_000)
    .describe(
      'Milliseconds to wait for the model, corrections included, before a plan is made without it. One answer has two thirds of them.',
    ),
  DATABASE_URL: postgresAddress
    .optional()
    .describe('A Postgres of your own; empty starts the embedded one in DATA_DIR.'),
  DATABASE_OWNER_URL: postgresAddress
    .optional()
    .describe(
      'Role that owns the tables, so that DATABASE_URL can be one that cannot rewrite the audit log.',
    ),
  DATA_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for the embedded database and for the audit key, when AUDIT_KEY is not set; data if empty.',
    ),
  AUDIT_KEY: z
    .string()
    .refine((keys) => keys.split(',').every((key) => key.length >= 32), 'must have at least 32 characters')
    .optional()
    .describe('Key of the audit log: openssl rand -hex 32. To change it: docs/audit.md.'),
  COUNTERSIGN_CONFIG: z
    .string()
    .min(1)
    .default('countersign.yml')
    .describe('File with services, SLAs, rules about approvers, channels and schedules.'),
  OPS_PORT: port.optional().describe('Port for /healthz, /readyz and /metrics; there is none when empty.'),
  OPS_HOST: z
    .enum(['127.0.0.1', '0.0.0.0', '::'])
    .default('127.0.0.1')
    .describe(
      'Address of that port: 127.0.0.1 for this machine only; 0.0.0.0 or :: for all, as in a container.',
    ),
  ...collectorSettings,
  ...eventSettings,
  HTTPS_PROXY: proxyAddress
    .optional()
    .describe(
      'Proxy for all that leaves over https, Slack included, such as http://proxy.acme.example:3128.',
    ),
  HTTP_PROXY: proxyAddress.optional().describe('Proxy for what leaves over plain http.'),
  NO_PROXY: z
    .string()
    .min(1)
    .optional()
    .describe('Hosts reached without a proxy, such as .acme.example,10.0.0.7; this machine always is.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('How much is logged: fatal, error, warn, info, debug, trace or silent.'),
});
