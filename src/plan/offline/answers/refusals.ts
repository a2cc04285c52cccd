import type { RefuseReason } from '../../../core/answer.ts';
import { withoutQuotes } from '../words/quotes.ts';

interface Rule {
  readonly reason: RefuseReason;
  readonly pattern: RegExp;
  readonly explanation: string;
}

const nearestRead =
  'Reading and counting are possible, and so is one change to one named ticket or incident.';

/** Looked at first, on the goal without its quotations. */
const rules: readonly Rule[] = [
  {
    reason: 'injection',
    pattern:
      /\b(?:instructions?|rules?|guidelines?|prompts?)\b[^.;]{0,15}\b(?:are|is) (?:now )?(?:void|cancel\w*|obsolete|suspended|no longer valid)\b|\byour (?:full|whole|system|entire) prompt\b|\b(?:ignore|disregard|forget|override|bypass|drop|discard|overrule)\b[^.;]{0,30}\b(?:previous|prior|above|earlier|your|all|the|any|these|former|system|safety)\b[^.;]{0,25}\b(?:instruction\w*|rules?|prompts?|guidelines?|polic(?:y|ies)|guardrails?|constraints|restrictions|directives|everything|safeguards|limits|programming|training)\b|\b(?:ignore|forget|disregard) (?:everything|all|what you were told)\b|\byou are now\b|\bfrom now on,? you\b|\bpretend (?:to be|you|that you)\b|\b(?:system|hidden|initial|secret) (?:prompt|instructions?|message)\b|\bjailbreak|\bdeveloper mode\b|\b(?:dan|god|sudo|admin|root|debug|maintenance|unrestricted) mode\b|\bact as (?:if|though|an? (?:admin|root|unrestricted|different))\b|\bnew (?:system )?instructions?\b|\bunrestricted\b|\breveal your\b|\bprint your (?:instructions|prompt|rules|config)|\b(?:developer|admin(?:istrator)?|root|maintenance|emergency|security|system) (?:override|access granted|command)\b|\b(?:disable|deactivate|turn off|switch off|suspend|lift)\b[^.;]{0,25}\b(?:safety|safeguards?|security|policy|policies|guard ?rails?|checks|restrictions|protections?|filters?)\b|\b(?:follow|obey|execute|run|carry out|do) (?:exactly )?(?:what|whatever|the (?:instructions?|orders?|commands?|text|note))\b[^.;]{0,30}\b(?:says?|tells?|there|it|in|inside|written)\b|<\/?(?:system|instructions?|assistant)>|\[\/?(?:inst|system)\]|^\s*system\s*:|\bignor(?:iere|a|e|ez)\b[^.;]{0,30}\b(?:anweisung\w*|regeln|instrucciones|instructions|istruzioni|instruções|reglas|règles)\b|\bvergiss\b[^.;]{0,30}\b(?:regeln|anweisung\w*)|\b(?:olvida|oublie|esqueça|dimentica)\b[^.;]{0,30}\b(?:instruc\w*|reglas|règles|regras|regole|istruzioni)/iu,
    explanation:
      'The rules cannot be changed by a request. Ask for what should be looked up or done, and it goes to approval as usual.',
  },
  {
    reason: 'dangerous',
    pattern:
      /\bapprovals? (?:are|is) (?:now )?(?:off|disabled|suspended|waived|not (?:needed|required|necessary)|no longer (?:needed|required))\b|\bwithout (?:asking|waiting)(?: (?:first|anyone|anybody|me|us|for (?:an? )?(?:ok|okay|yes|answer)))?\s*[.!]?\s*$/iu,
    explanation:
      'Approval cannot be skipped: a person approves every plan that changes something. The same goal with approval is possible.',
  },
  {
    reason: 'dangerous',
    pattern:
      /\b(?:without|skip|skipping|bypass|bypassing|no need for|don'?t (?:ask|wait|need)(?: for)?|do not (?:ask|wait|need)(?: for)?|avoid|circumvent|disable|ignore|no|omit|waive|turn off|get around|sin|ohne|sans|sem|senza)\b[^.;,]{0,20}\b(?:approvals?|approving|sign[- ]?off|review|confirmation|confirming|confirm|asking (?:me|anyone|for permission)|permission|four[- ]eyes|aprobación|genehmigung|freigabe|approbation|validation|aprovação|approvazione|human in the loop)\b|\bauto-?approve|\bpre-?approved?\b|\bapprove (?:it|this|everything|that|them|all|the plan|my)\b[^.;]{0,20}\b(?:yourself|automatically|for me|on my behalf|in advance)|\bself-?approve|\byou may approve|\bapprove (?:it|everything|all|the plan) (?:yourself|automatically)|\bcount(?:s)? as approved\b|\balready approved\b|\bconsider (?:it|this) approved\b/iu,
    explanation:
      'Approval cannot be skipped: a person approves every plan that changes something. The same goal with approval is possible.',
  },
  {
    reason: 'dangerous',
    pattern:
      /\b(?:delete|remove)\s+from\s+\w+|\bdrop\s+(?:the\s+)?(?:table|database|schema|index|column|users|orders)\b|\btruncate\b|\bupdate\s+\w+\s+set\b|\binsert\s+into\b|\balter\s+table\b|\bgrant\s+\w+|\b(?:delete|drop|purge|wipe|erase|remove|update|insert|overwrite|truncate|empty|modify|change|alter|set|clear|archive|löschen?|borra|elimina|supprime)\b[^.;]{0,40}\b(?:rows?|records?|tables?|(?:in|from) the (?:database|db|prod(?:uction)?)|database|columns?|sql|entries|customers? data|user accounts?|users|datenbank|base de datos|base de données)\b|\b(?:apag(?:a|ue|ar)|exclu(?:a|ir)|delet(?:e|ar)|borr(?:a|e|ar)|elimin(?:a|e|ar|er)|supprim\w+|effac\w+|lösch\w*|verwijder\w*|cancell\w+|usuń)\b[^.;]{0,50}\b(?:tabelas?|tablas?|tabellen?|tables?|tabelle|tabel|base de (?:dados|datos|données)|datenbank|usuários|usuarios|utilisateurs|benutzer|registros|linhas|filas|zeilen|lignes|rijen|rekordy|tabeli)\b|\b(?:sql|database|db)\b[^.;]{0,30}\b(?:to |and )?(?:delete|drop|purge|wipe|update|insert|truncate|set all|remove|overwrite|erase|reset)\b/iu,
    explanation:
      'Data is never changed through SQL. A read-only query that counts or lists the rows is possible.',
  },
  {
    reason: 'dangerous',
    pattern:
      /\b(?:post|send|share|show|print|dump|export|leak|give|list|reveal|get|fetch|tell|dm|read|paste|display|write|forward|output|publish|expose|email|what(?:'s| is| are)|find|select|extract|pull|download|query|grab|retrieve|collect|gather|table|report|count(?= .{0,40}\b(?:and|to) #)|mande|envía|schick|zeig|manda|envoie|montre|muestra|put|copy|look up)\b(?:(?!\b(?:run ?books?|playbooks?|guides?|(?:tickets?|bugs?|issues?|incidents?|errors?) (?:about|mentioning|on|regarding|for|with))\b)[^.;]){0,60}\b(?:passwords?|passwd|credentials?|secrets?|api[- ]?(?:keys?|tokens?)|access (?:keys?|tokens?)|auth tokens?|bot tokens?|private keys?|ssh keys?|(?:the|slack|jira|pagerduty|your|bearer|oauth|session|csrf|refresh|github|service|prod) tokens?|routing keys?|encryption keys?|environment variables|env vars|\.env|\b(?:session|access|auth|refresh|api|bearer)_(?:tokens?|keys?)|credit[- ]?card\w*|card numbers?|social security|ssns?|ibans?|bank (?:account|details)\w*|(?:customers?'?|users?'?|clients?'?|patients?'?|people'?s?|employees?'?|personal|private|home|salary|salaries)\s(?:e-?mails?(?: addresses)?|phone numbers?|personal data|addresses|data|details|salar\w+|names and \w+|passwords|birth\w*|records|information|pii|private \w+)|(?:e-?mail addresses|e-?mails|phone numbers|home addresses|personal data|names and addresses|dates? of birth|salaries) of|pii\b|personal data|salaries|(?:['’]s|his|her|their) (?:private |home |mobile |cell )?(?:phone|mobile|cell) numbers?|(?:user|users|customer|customers|employee|employees|patient|accounts?|payroll|salary) (?:table|database|db|dump|list|export)|contraseñas?|passwör?t\w*|mots? de passe|senhas?|zugangsdaten|connection strings?|\bcvv\w*)/iu,
    explanation:
      'Secrets and personal data are not shown or sent. Counts without names or addresses are possible.',
  },
  {
    reason: 'dangerous',
    pattern:
      /\b(?:names?|birth ?dates?|dates? of birth|diagnos[ei]s|addresses|e-?mails?|phone numbers?|passports?|salar(?:y|ies)|medical records?|health records?|card numbers?|bank details|ssns?|identit(?:y|ies))\b[^.;]{0,60}\b(?:of|for|from) (?:(?:every|all|each|any|our|the|these|those|my|\w+['’]s) )?(?:\w+ )?(?:patients?|customers?|users?|clients?|employees?|members?|people|guests?|passengers?|subscribers?|students?|players?|drivers?|owners?|residents?|citizens?|tenants?|voters?|applicants?)\b|\b(?:every|each|all|any) (?:\w+ )?(?:patient|customer|user|client|employee|member|guest|passenger|subscriber|student|player|driver)s?['’]s? (?:\w+ )?(?:names?|birth ?dates?|diagnos[ei]s|address(?:es)?|e-?mails?|(?:phone|passport|card|account|id) numbers?|passports?|salar(?:y|ies)|records?|passwords?)\b/iu,
    explanation:
      'Secrets and personal data are not shown or sent. Counts without names or addresses are possible.',
  },
  {
    reason: 'dangerous',
    pattern:
      /\b(?:close|resolve|reopen|delete|move|transition|mark|set|comment|reply|assign|acknowledge|ack|ticket\w* on|clear|update|change|cancel|bulk[- ]\w+|mass[- ]\w+|finish|complete|add|put|leave|write|cierra|schließe|schliesse|ferme|feche|chiudi|resuelve|résous|annotate|silence|edit)\b[^.;"“]{0,35}\b(?:all(?! (?:right|clear|good|set))|every(?! time)|each|everything|any and all|entire|whole|todos?|todas?|alle[ns]?|tous|toutes|tutti|tutte|jede[sn]?)\b(?!"|[^.;]{0,20}\bto (?:#|@))[^.;]{0,45}\b(?:tickets?|issues?|incidents?|bugs?|alerts?|backlog|queue|project|stories|tasks|P[1-5]s?|incidencias|incidentes|vorfälle|ones|board|epics|in [A-Z]{2,}|for [A-Z]{2,}|of them|them)\b|\b(?:close|resolve|ack|acknowledge|clear|empty|wipe|finish) (?:out )?(?:the (?:whole|entire|complete) )?(?:everything|backlog|queue|board|whole|them all|all of (?:it|them))\b|\b(?:page|wake|call|ring|alert|dm|message|notify|ping|spam)\b(?: up)? (?:absolutely |literally )?(?:everyone|everybody|all (?:teams|engineers|on-?calls?|the teams|of (?:them|engineering)|services|staff|people|hands|users|customers|employees)|every (?:team|engineer|service|on-?call|single|person|one|channel|user)|the (?:whole|entire) (?:company|team|org\w*|department|engineering)|each (?:team|service|engineer)|a todos|alle\b|todo el mundo|tout le monde|tutti)|\b(?:post|announce|send|write|broadcast|spam)\b[^.;"“]{0,40}\b(?:(?:in|to|into) (?:all|every|each|any)(?: \w+)? channels?|to (?:everyone|everybody|all (?:users|employees|staff|channels)))\b|@(?:everyone|here|channel)\b(?=.*)|\b(?:delete|remove|purge|wipe|erase|nuke|destroy|bulk|mass)\b[^.;]{0,30}\b(?:tickets?|issues?|projects?|comments?|channels?|incidents?|backlog|data|everything|all)\b|\b(?:page|call|post|message|ping|comment|create)\b(?:(?!\b(?:if|when|once|than|over|above|least|unless|until|exceeds?|more)\b|[<>→]|->)[^.;]){0,40}\b(?:\d{2,} times\b|(?:\d{3,}|hundred|thousand|a million) (?:times|tickets|comments|messages|pages))\b|\b(?:every|each) (?:second|minute|5 seconds|10 seconds) (?:until|forever)|\buntil (?:he|she|they|somebody|someone|anyone) (?:answers?|wakes?|responds?|picks? up)/iu,
    explanation: `Changes without a bound are not possible. Name the tickets, incidents or people. ${nearestRead}`,
  },
];

/** Where an order may begin: what stands inside a message or a search is no order. */
const start = String.raw`(?:^|[;.,!?]\s*|\b(?:and|then|also|please|pls|kindly|can you|could you|would you|will you|you to|just|need to|want to|want you to|go and|let's|otherwise|else|should|hey|hi|,)\s+)`;
const orderVerbs = String.raw`(?:swap (?!shifts?)|roll \S+ back|repair|replace|paint|draw|sing|plug|unplug|re-?starts?|re-?boots?|re-?deploy|deploy|roll(?:s|ing)?[ -]?back|roll ?out|scale|kill|drain|cordon|evict|fail ?over|provision|merge|re-?build|rotate|flush|purge|revert|ship|release|promote|patch|upgrade|downgrade|install|uninstall|configure|enable|disable|toggle|throttle|block(?= (?:the |all |this )?(?:ips?|users?|traffic|account|domain|port))|unblock|ban|whitelist|blacklist|allowlist|terminate|bounce|restore|back ?up|snapshot|migrate|resize|spin (?:up|down)|shut ?(?:down|off)|turn (?:on|off|up|down)|power[- ]?cycle|tail|ssh|curl|trigger (?:a |the )?(?:build|deploy\w*|pipeline|job)|launch|kick off|quarantine|invalidate|renew|reissue|mute|unmute|silence|snooze|pause|unpause|resume(?! (?:de |del |el |la |le |les |los )?(?:[A-Z]+-\d|ticket|incid|tick|bugs))|stop|hot-?fix|compile|autoscale|clear (?:the )?(?:\w+ )?(?:cache|queue|logs?|disk)|increase|decrease|reset|unlock|lock|reassign|(?<!\b(?:create|raise|open|file|make|need|want|log)\b.{0,120})assign|unassign|escalate(?= (?:the )?incident)|kubectl|helm|terraform|ansible|docker|systemctl|rsync|chmod|sudo|git (?:push|pull|merge|revert|rebase|checkout)|npm (?:install|run|publish)|psql|cherry-?pick|force[- ]push|(?:re)?run (?:the )?(?:tests?|build|ci)|raise (?:the )?(?:replicas?|limits?|quota)|review (?:my|this|the|our|his|her) (?:pull request|pr|mr|merge request|code|diff|change)|approve (?:my|this|the|our) (?:pull request|pr|mr|merge request|leave|expenses?|time ?off)|execute (?:the )?(?:\w+ )?(?:pipeline|job|script|deploy\w*|migration)|trigger (?:a |the )?(?:\w+ )?(?:re-?build|re-?deploy|fail ?over|pipeline|job|backup|sync)|fix|repair|debug|(?:run|execute|start|perform|carry out) (?:the )?[\w -]{0,30}(?:runbook|procedure)|reload|upload|download|reconfigure|repair|optimi[sz]e|defragment|vacuum|reindex|run (?:the )?(?:migration|backup|pipeline|job|script|deployment|tests?|ansible|terraform|ci)|reinicia\w*|despliega|redémarre\w*|déploie|riavvia\w*|reinicie|implante|deploye|skaliere|herstart|escala)`;

const noTool: readonly RegExp[] = [
  new RegExp(
    `${start}(?:give|set|bump|increase|reduce|raise|lower|change|add)\\b[^.;]{0,40}\\b(?:replicas?|pods|instances|nodes|workers|cpus?|memory|ram|disk space)\\b`,
    'iu',
  ),
  new RegExp(`${start}${orderVerbs}\\b(?! (?:the )?(?:page|paging)\\b)`, 'iu'),
  /\b(?:starte|fahre)\b[^.;]{0,40}\b(?:neu|herunter|hoch)\b|\bstart\b[^.;]{0,40}\bneu\b/iu,
  new RegExp(
    `${start}(?:change|set|raise|lower|bump|update|increase|decrease|edit|modify)\\b[^.;]{0,30}\\b(?:priority|severity|due date|summary|title|description|assignee|sprint|story points|estimate|components?|fix version|sla|threshold)\\b`,
    'iu',
  ),
  new RegExp(
    `${start}(?:bump|raise|lower|upgrade|downgrade|promote|demote|prioriti[sz]e|increase|decrease)\\b[^.;]{0,25}\\b[A-Z][A-Z0-9]+-\\d+\\b`,
    'u',
  ),
  new RegExp(
    `${start}(?:delete|remove|unlink|clone|duplicate|split|archive)\\b (?:the )?(?:ticket |issue |bug )?KEY\\b`,
    'u',
  ),
  new RegExp(
    `${start}(?:create|make|open|set up|start|archive|rename|delete|invite|kick|add|book|schedule|reserve|configure|build)\\b(?:(?!\\b(?:tickets?|bugs?|issues?|tasks?|story|p[1-5])\\b)[^.;:]){0,30}\\b(?:(?:slack )?channels?(?! #)|(?:a |the )?(?:meeting |conference )?rooms?|(?:splunk|kusto|kql|log|azure|grafana|sentry|pagerduty|jira) (?:alerts?|alarms?|dashboards?|monitors?|saved search|reports?|filters?|boards?|rules?|integrations?|webhooks?)|alerts? (?:that|which|when|if|for|on)|cron ?jobs?|zoom|meeting|huddle|calendar|google doc|google meet|teams call|bridge|confluence|wiki page|dashboard|alert rule|monitor|status ?page|on-?call schedule|user account|repo\\w*|branch|war room)\\b`,
    'iu',
  ),
  new RegExp(`${start}(?:invite|add) (?:@?\\w+ )+to (?:the )?(?:#|channel)`, 'iu'),
  new RegExp(
    `${start}(?:invite|add|remove|assign|subscribe|enrol|grant|give) @?[\\w.-]+ (?:access )?(?:to|from|in|into|on|as) (?:the |our |an? )?(?:[\\w-]+ ){0,3}(?:group|role|team|list|mailing list|rota|rotation|roster|schedule|repo\\w*|org\\w*|workspace|okta|ldap|active directory|github|vpn|watchers?|board|admins?|approvers?)\\b`,
    'iu',
  ),
  new RegExp(
    `${start}(?:send|write|draft) (?:\\w+ )?(?:an? )?(?:e-?mail|sms|text message|fax|letter|whatsapp|tweet)\\b`,
    'iu',
  ),
  new RegExp(
    `${start}(?:e-?mail|phone|dial|sms|call (?:the )?(?:customer|vendor|police|client)\\w*)\\b`,
    'iu',
  ),
  new RegExp(
    `${start}(?:swap|override|cover|take over)\\b[^.;]{0,30}\\b(?:shift|schedule|rotation|on-?call)\\b`,
    'iu',
  ),
  new RegExp(
    `${start}(?:show|open|get|check|pull|display|give|what)\\b[^.;]{0,40}\\b(?:grafana|datadog|prometheus|new relic|dashboards?|cpu|memory usage|disk usage|latency graph|screenshot)\\b(?!.*(?:ticket|splunk|kql|runbook|post|page|comment|log))`,
    'iu',
  ),
  /\b(?:remind me(?! (?:of|what|who|which|how|when)\b)|set a reminder|set an? (?:alarm|timer))\b/iu,
  new RegExp(
    `${start}(?:delete|remove|drop) (?:the |this |that |my )?(?:comment|message|channel|note|runbook|page|user|file|bucket|pod|namespace|index|volume|instance|vm)\\b`,
    'iu',
  ),
];

/** "Wait 10 minutes": plans take no time between their steps. */
const waits =
  /\b(?:wait|sleep|pause)(?: for)? (?:an?|some|a few|half an|\d+) ?(?:more )?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|while|bit)\b/iu;

/** "Every 30 minutes": what a schedule does. */
const repeats =
  /\bevery (?:other )?(?:\d+ |few )?(?:min(?:ute)?s?|hrs?|hours?|days?|mornings?|evenings?|nights?|weeks?|weekdays?|months?|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b(?!'s)|\b(?:hourly|(?<!\bthe )daily|weekly) (?:at|post|send|report to)\b/iu;

const outOfScope =
  /\b(?:binary tree|linked list|leetcode|(?:my|an|the) (?:interview|cv|resume|cover letter)|algorithm|in (?:python|javascript|java|rust|golang|c\+\+)|movies?|films?|weather|rain(?:s|ing|y)?|snow(?:s|ing)?|sunny|umbrella|(?:which|what) (?:stocks?|shares?)|stocks? (?:should|to buy)|lottery|joke|poem|limerick|rhyme|haiku|song|lyrics|recipe|cook\w*|restaurant|lunch|dinner|breakfast|pizza|coffee|football|soccer|basketball|nba|world cup|stock price|share price|bitcoin|crypto|horoscope|capital of|president|prime minister|translate|essay|homework|birthday|vacation|holiday|flights?|hotels?|a table for|tickets? (?:to|for) (?:the )?(?:concert|movie|show|game|paris|london|rome)|travel|music|playlist|netflix|novel|story about|meaning of life|who won|how are you|what is your name|who are you|who made you|tell me about yourself|(?:python|bash|shell|java\w*|sql|go|rust|ruby) (?:function|script|program|class|code)|python script|write (?:me )?(?:a |some )?(?:code|program|function|script|poem|story|blog|cover letter)|regex for|linkedin|tweet|dating|relationship|game|chess|riddle|trivia|math|square root|(?<!\w)[1-9]\d*\s*[x*+]\s*\d+\s*=?\s*\??$|chiste|tiempo (?:hace|hará)|wetter|witz|météo|blague|clima|piada|barzelletta|stock tips?|bake|favou?rite|gift|diet|workout|medical|doctor|legal advice|tax|invest\w*|news today|sports?)\b/iu;

export interface Refusal {
  readonly reason: RefuseReason;
  readonly explanation: string;
}

/** What each tool lets the bot do, in the words of a refusal. */
const abilities: Readonly<Record<string, string>> = {
  'jira.count': 'count Jira tickets',
  'jira.search': 'list Jira tickets',
  'jira.get': 'show a ticket',
  'jira.sla': 'tell the SLA state of tickets',
  'sla.threshold': 'look up SLA limits',
  'pagerduty.oncall': 'say who is on call',
  'pagerduty.incidents': 'list incidents',
  'runbook.search': 'find runbooks',
  'errors.lookup': 'explain error codes',
  'logs.kql': 'search Azure logs',
  'logs.spl': 'search Splunk',
  'sql.query': 'count and list rows by SQL',
  'jira.comment': 'comment on a ticket',
  'jira.transition': 'move a ticket',
  'jira.create': 'create a ticket',
  'pagerduty.page': 'page whoever is on call',
  'pagerduty.note': 'add a note to an incident',
  'pagerduty.ack': 'acknowledge an incident',
  'pagerduty.resolve': 'resolve an incident',
  'slack.post': 'post in Slack',
};

/** Why no tool does it, with what the tools of this installation do. */
export function noToolText(tools: Iterable<string>): string {
  const known = [...tools].flatMap((tool) => abilities[tool] ?? []);
  const last = known.pop() ?? 'ask you back';
  const list = known.length > 0 ? `${known.join(', ')} and ${last}` : last;
  return `What this bot can do here: ${list}.`;
}

/** Why a goal is refused before any planning, or null. Quotations are data and are not looked at. */
export function refusalOf(goal: string): Refusal | null {
  const orders = withoutQuotes(goal)
    .replace(/\s+/g, ' ')
    // "Drop a line in #ops" deletes nothing.
    .replace(/\bdrop (?:a|me a|us a|him a|her a|them a) (?:line|note|message|word|link)\b/giu, 'post');
  const rule = rules.find((candidate) => candidate.pattern.test(orders));
  return rule ? { reason: rule.reason, explanation: rule.explanation } : null;
}

/** The goal without quotations and names, so that a project GAME or a service tax-calc is no topic. */
function withoutNames(goal: string): string {
  const plain = withoutQuotes(goal).replace(/\s+/g, ' ').trim();
  const shouting = plain === plain.toUpperCase();
  const named = plain
    .replace(/(?<![\p{L}\p{N}-])[A-Z][A-Z0-9_]+(?:-[A-Z0-9]+)*-\d+/gu, 'KEY')
    .replace(/(?<![\p{L}\p{N}])([#@])[\p{L}\p{N}._-]+/gu, '$1x')
    .replace(/(?<![\p{L}\p{N}-])[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+(?![\p{L}\p{N}])/gu, (name) =>
      hyphenatedVerbs.test(name) ? name : '§',
    );
  return shouting ? named : named.replace(/(?<![\p{L}\p{N}-])[A-Z][A-Z0-9_]{1,9}(?![\p{L}\p{N}-])/gu, 'KEY');
}

/** Words with a hyphen that are orders or topics themselves. */
const hyphenatedVerbs =
  /^(?:re|un|de|co|auto|hot|roll|fail|scale|shut|turn|spin|power|e|on|self|pre|bulk|mass|sign|four|pull)-/;

/** The refusal of a goal whose order no tool carries out, or null. */
export function noToolFor(goal: string, tools: Iterable<string>): Refusal | null {
  const orders = withoutNames(goal);
  if (waits.test(orders))
    return {
      reason: 'no_tool',
      explanation:
        'A plan does not wait. Ask for the second part again when it is time, or make it depend on what is looked up then.',
    };
  if (repeats.test(orders))
    return {
      reason: 'no_tool',
      explanation:
        'A request is planned once. What should happen again and again goes under `schedules:` in countersign.yml.',
    };
  return noTool.some((pattern) => pattern.test(orders))
    ? { reason: 'no_tool', explanation: noToolText(tools) }
    : null;
}

/** Where incident work looks: a shop asks its database about gift cards, an airline about flights. */
const sources =
  /\b(?:databases?|db|sql|splunk|kql|app insights|logs?|jira|pagerduty|slas?|on[- ]?call|slack|incidents?|tickets? in|bugs? in|error (?:code|rate)s?|KEY)\b/i;
/** What somebody would have to write or know: no source makes that work. */
const made =
  /joke|birthday|limerick|rhyme|poem|haiku|song|lyrics|recipe|story|essay|homework|translate|code|function|script|program|chiste|witz|blague|piada|barzelletta|interview|letter|who |what |how |meaning|president|minister|capital|riddle|trivia|math|novel|tweet|linkedin|weather|wetter|météo|clima/i;

/** The refusal of a goal that is no incident work, or null. */
export function outOfScopeFor(goal: string): Refusal | null {
  const explanation =
    'That is outside of what this bot does. It plans incident work: tickets, SLAs, on-call, incidents, logs, runbooks and messages about them.';
  const plain = withoutNames(goal);
  const topic = outOfScope.exec(plain)?.[0];
  if (topic === undefined || (sources.test(plain) && !made.test(topic))) return null;
  return { reason: 'out_of_scope', explanation };
}
