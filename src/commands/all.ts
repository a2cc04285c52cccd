import type { Command } from './command.ts';

/** A command, as shown in the help and the reference page. */
export interface Listed {
  /** How to type it, and what it does. */
  readonly ways: Readonly<Record<string, string>>;
  /** Loaded on demand: help need not wait for the other commands' dependencies. */
  readonly load: () => Promise<Command>;
}

/** Every command, by name. */
export const commands: Readonly<Record<string, Listed>> = {
  check: {
    load: async () => (await import('./check.ts')).check,
    ways: { 'check FILE': 'findings of a plan (JSON or notation), or ok with its digest' },
  },
  plan: {
    load: async () => (await import('./plan.ts')).plan,
    ways: { 'plan [--json] "<goal>"': 'the plan for a request, in notation; --json for all of it' },
  },
  config: {
    load: async () => (await import('./config.ts')).configCommand,
    ways: {
      'config check [FILE] [--online] [--json]':
        'all that a start checks in .env, countersign.yml and playbooks/, by line; asks MCP servers about their tools; --online: also databases and logs about vetted queries',
      'config schema': 'its JSON Schema, for editors',
    },
  },
  doctor: {
    load: async () => (await import('./doctor.ts')).doctor,
    ways: {
      'doctor [--json]': 'tries every configured system; says what is missing, down to the scope',
    },
  },
  services: {
    load: async () => (await import('./services.ts')).servicesCommand,
    ways: {
      'services import [--team ID …]':
        'an entry for each PagerDuty service that countersign.yml lacks, to paste into it',
    },
  },
  playbooks: {
    load: async () => (await import('./playbooks.ts')).playbooksCommand,
    ways: {
      'playbooks check [FOLDER]': 'what is wrong with the vetted plans in playbooks/',
      'playbooks list [FOLDER]': 'their names, inputs and what they are for',
    },
  },
  policy: {
    load: async () => (await import('./policy.ts')).policyCommand,
    ways: {
      'policy explain [FILE]': 'who may approve a plan and why; without one, all rules',
      'policy test [--since 30d] [--json]':
        'past decisions that the rules as they are now in countersign.yml would have changed',
    },
  },
  alerts: {
    load: async () => (await import('./alerts.ts')).alertsCommand,
    ways: {
      'alerts test FILE [--door NAME]':
        'which rule takes the alerts of a payload, what it reads and what it proposes',
    },
  },
  drill: {
    load: async () => (await import('./drill.ts')).drill,
    ways: {
      'drill FILE [--door NAME]':
        'plays the alerts of a payload, or a sandbox’s by name: reads, cards, who could approve; nothing is written',
    },
  },
  mcp: {
    load: async () => (await import('./mcp.ts')).mcpCommand,
    ways: {
      'mcp serve [ADDRESS]':
        'a running bot’s door for agents over stdio; ADDRESS is its /mcp, AGENT_TOKEN the agent’s token',
      'mcp pin <server> [tool …]': 'entries for tools of an MCP server, to paste into countersign.yml',
      'mcp check': 'whether the pinned tools are still as they were',
    },
  },
  tool: {
    load: async () => (await import('./tool.ts')).toolCommand,
    ways: { 'tool new <system>.<verb> --effect read|write': 'a new tool, ready to be changed' },
  },
  eval: {
    load: async () => (await import('./eval.ts')).evalCommand,
    ways: {
      'eval --cases FILE [--planner shipped|model|everyday] [--out FILE]':
        'accuracy, safety, latency and cost of a planner; --out keeps what it answered',
    },
  },
  audit: {
    load: async () => (await import('./audit.ts')).auditCommand,
    ways: {
      'audit verify [FILE] [--witness <line or file>]':
        'the audit log, or an export of it: hashes, key, and what was posted of it',
      'audit show <id>': 'one plan with its proof; the id is on its card',
      'audit export <team id>': 'the log of a workspace, one line each',
      'audit change-key [--lost]':
        'the first key of AUDIT_KEY signs from now on, and the old one signs that; --lost where the old one is gone',
    },
  },
  writes: {
    load: async () => (await import('./writes.ts')).writesCommand,
    ways: {
      'writes stop <team id> "<reason>"': 'stops every write, in runs under way too',
      'writes allow <team id>': 'allows writes again',
    },
  },
  learn: {
    load: async () => (await import('./learn.ts')).learnCommand,
    ways: {
      'learn [--since DATE] [--json]':
        'what people edited and rejected and why, by playbook and phrase, and what would have prevented it',
      'learn apply N [--dry-run] [--playbooks FOLDER]':
        'shows suggestion N and makes it, in countersign.yml or playbooks/; --dry-run only shows it',
    },
  },
  report: {
    load: async () => (await import('./report.ts')).reportCommand,
    ways: {
      'report [--since 30d] [--json]':
        'plans right at once, edited and rejected, failed steps, times and cost; by planner, team and channel',
    },
  },
  review: {
    load: async () => (await import('./review.ts')).reviewCommand,
    ways: {
      'review INCIDENT [--markdown]':
        'an incident from its records: timeline, times, open ends and proof, with those of private channels',
    },
  },
  timeline: {
    load: async () => (await import('./review.ts')).timelineCommand,
    ways: { 'timeline INCIDENT [--markdown]': 'the first half of its review' },
  },
  backup: {
    load: async () => (await import('./backup.ts')).backupCommand,
    ways: {
      'backup FILE [--replace]':
        'everything but the audit key, while the bot keeps running; --replace where FILE is there already',
    },
  },
  restore: {
    load: async () => (await import('./backup.ts')).restoreCommand,
    ways: {
      'restore FILE [--go-on]':
        'into a new database; verifies the audit log; --go-on continues what was under way',
    },
  },
  export: {
    load: async () => (await import('./data.ts')).exportCommand,
    ways: { 'export [--since DATE]': 'requests and what became of them, as JSON lines' },
  },
  prune: {
    load: async () => (await import('./data.ts')).pruneCommand,
    ways: { 'prune --days N': 'removes what is older, now' },
  },
  database: {
    load: async () => (await import('./database.ts')).databaseCommand,
    ways: { 'database hold': 'keeps the embedded database up and prints its address' },
  },
};
