/** The fictional company behind all parts of the sandbox. Plain data, never changed. */

/** The clock shared by all parts of the sandbox. */
export type Now = () => Date;

export interface Person {
  /** Slack user id. */
  readonly id: string;
  /** Slack handle, without @. */
  readonly name: string;
  readonly realName: string;
  readonly email: string;
  /** IANA time zone. */
  readonly tz: string;
  readonly title: string;
  readonly pagerdutyId: string;
  readonly jiraAccountId: string;
  isGuest?: boolean;
}

export interface WorldChannel {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  readonly botIsMember: boolean;
  /** Slack user ids of its members. */
  readonly members: readonly string[];
}

export interface WorldService {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Events v2 routing key, 32 hexadecimal characters. */
  readonly integrationKey: string;
  readonly escalationPolicy: { readonly id: string; readonly name: string };
  readonly schedule: { readonly id: string; readonly name: string };
  /** pagerdutyId of the person on call when the sandbox starts. */
  readonly onCall: string;
  /** pagerdutyId of the person who takes over at the handoff. */
  readonly next: string;
  /** pagerdutyId of the person always on call at the second level, or null. */
  readonly backup: string | null;
  /** The shift ends at the next occurrence of this hour, UTC; where the start is near it, twelve hours later. */
  readonly handoffHourUtc: number;
}

export interface World {
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly people: readonly Person[];
  readonly bot: {
    readonly userId: string;
    readonly botId: string;
    readonly appId: string;
    readonly name: string;
    readonly realName: string;
  };
  readonly channels: readonly WorldChannel[];
  readonly userGroups: readonly {
    readonly id: string;
    readonly handle: string;
    readonly name: string;
    readonly members: readonly string[];
  }[];
  readonly slack: { readonly botToken: string; readonly appToken: string; readonly signingSecret: string };
  readonly jira: {
    readonly email: string;
    readonly apiToken: string;
    /** The bot's own Jira account. */
    readonly accountId: string;
    readonly displayName: string;
    readonly projects: readonly { readonly id: string; readonly key: string; readonly name: string }[];
  };
  readonly azure: {
    readonly tenantId: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly workspaceId: string;
  };
  readonly splunk: { readonly token: string };
  readonly prometheus: { readonly token: string };
  readonly deploys: { readonly token: string };
  readonly monitoring: { readonly token: string };
  /** The things that its monitoring watches. */
  readonly alerts: readonly {
    readonly name: string;
    readonly about: string;
    readonly labels: Readonly<Record<string, string>>;
  }[];
  readonly pagerduty: {
    readonly apiToken: string;
    /** Another token, which allows no changes. */
    readonly readOnlyToken: string;
    readonly fromEmail: string;
    readonly services: readonly WorldService[];
  };
}

const people: readonly Person[] = [
  person('ana', 'Ana Ruiz', 'Site reliability engineer', 'Europe/Madrid'),
  person('ben', 'Ben Okafor', 'Software engineer, payments', 'Europe/London'),
  person('chiara', 'Chiara Conti', 'Incident commander', 'Europe/Rome'),
  person('dev', 'Dev Patel', 'Software engineer, checkout', 'Asia/Kolkata'),
  person('eva', 'Eva Lind', 'Support lead', 'Europe/Stockholm'),
];
const everybody = people.map((one) => one.id);

export const world: World = {
  team: { id: 'T0SANDBOX', name: 'Acme', domain: 'acme-sandbox' },
  people,
  bot: {
    userId: 'U0COUNTER',
    botId: 'B0COUNTER',
    appId: 'A0COUNTER',
    name: 'countersign',
    realName: 'Countersign',
  },
  channels: [
    channel('C0GENERAL', 'general', 'Company-wide announcements', everybody),
    channel('C0OPS', 'ops', 'Operations: plans, pages, handovers', everybody),
    channel('C0PAYMENTS', 'payments-alerts', 'Alerts of the payments services', [
      'U0ANA',
      'U0BEN',
      'U0CHIARA',
    ]),
    channel('C0INCIDENTS', 'incidents', 'Open incidents', everybody),
    { ...channel('C0SUPPORT', 'support', 'Customer cases', ['U0DEV', 'U0EVA']), botIsMember: false },
  ],
  userGroups: [{ id: 'S0SRE', handle: 'sre', name: 'Site reliability', members: ['U0ANA', 'U0CHIARA'] }],
  slack: {
    botToken: 'xoxb-sandbox-countersign',
    appToken: 'xapp-sandbox-countersign',
    signingSecret: 'sandbox-signing-secret',
  },
  jira: {
    email: 'countersign@acme.example',
    apiToken: 'sandbox-jira-token',
    accountId: '712020:countersign',
    displayName: 'Countersign',
    projects: [
      { id: '10001', key: 'OPS', name: 'Operations' },
      { id: '10002', key: 'PAY', name: 'Payments' },
      { id: '10003', key: 'WEB', name: 'Web shop' },
    ],
  },
  azure: {
    tenantId: '11111111-2222-4333-8444-555555555555',
    clientId: '66666666-7777-4888-8999-aaaaaaaaaaaa',
    clientSecret: 'sandbox-azure-secret',
    workspaceId: 'bbbbbbbb-cccc-4ddd-8eee-ffffffffffff',
  },
  splunk: { token: 'sandbox-splunk-token' },
  prometheus: { token: 'sandbox-prometheus-token' },
  deploys: { token: 'sandbox-deploys-token' },
  monitoring: { token: 'sandbox-monitoring-token' },
  alerts: [
    {
      name: 'CheckoutSlow',
      about: 'p95 of GET /checkout is above 2 s',
      labels: { team: 'shop', service: 'checkout', severity: 'critical' },
    },
    {
      name: 'PayoutsFail',
      about: 'Batches of payouts fail',
      labels: { team: 'shop', service: 'payments-api', severity: 'critical' },
    },
    {
      name: 'DiskAlmostFull',
      about: 'No rule fits: one line an hour in #general',
      labels: { host: 'build-7', severity: 'warning' },
    },
  ],
  pagerduty: {
    apiToken: 'sandbox-pagerduty-token',
    readOnlyToken: 'sandbox-pagerduty-read-only',
    fromEmail: 'ana@acme.example',
    services: [
      service('ops', 'OPS', 'Operations and the internal platform', ['PANA01', 'PCHIARA01']),
      service('payments-api', 'PAY', 'Card payments and payouts', ['PBEN01', 'PANA01'], 'PCHIARA01'),
      service('checkout', 'CHK', 'Basket and checkout of the web shop', ['PCHIARA01', 'PDEV01']),
    ],
  },
};

function person(name: string, realName: string, title: string, tz: string): Person {
  const upper = name.toUpperCase();
  return {
    id: `U0${upper}`,
    name,
    realName,
    email: `${name}@acme.example`,
    tz,
    title,
    pagerdutyId: `P${upper}01`,
    jiraAccountId: `712020:${name}`,
  };
}

function channel(id: string, name: string, topic: string, members: readonly string[]): WorldChannel {
  return { id, name, topic, botIsMember: true, members };
}

function service(
  name: string,
  code: string,
  description: string,
  [onCall, next]: readonly [string, string],
  backup: string | null = null,
): WorldService {
  return {
    id: `PS${code}01`,
    name,
    description,
    integrationKey: Buffer.from(`sandbox-${name}`).toString('hex').padEnd(32, '0').slice(0, 32),
    escalationPolicy: { id: `PE${code}01`, name: `${name} escalation` },
    schedule: { id: `PH${code}01`, name: `${name} rota` },
    onCall,
    next,
    backup,
    handoffHourUtc: 18,
  };
}
