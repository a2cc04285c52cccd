/** Common words that are spelt right although grammar does not use them: they are never repaired. */
export const commonWords = new Set(
  `wrote gave took knew went meant a an the this that these those it its it's their there they them he she his her our your my mine we you i is are was
were be been being am has have had having do does did done doing can could may might must shall should will would to of
for from by with at on in into onto off out up down over under above below about around through during before after since
until till as than so such same other others another each every all any some no not only own too very more most less least
few many much one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand dozen couple pair half quarter
who whom whose what which where why how here now today tonight tomorrow yesterday morning evening night noon midnight week
month year day hour minute second weekend monday tuesday wednesday thursday friday saturday sunday january february march
april june july august september october november december time times last past next previous recent recently still already
yet ever never always often again back away soon late later early long short new old big small large good bad high low
team teams people person user users customer customers client clients engineer engineers lead leads manager support ops
sales billing payment payments order orders cart checkout auth login search index page gateway proxy cache queue worker
deploy deployed deployment release released build version rollback rolled roll restart restarted reboot server servers node
nodes cluster host pod pods container disk memory cpu network traffic latency timeout timeouts request requests response
failed failing failure failures fail broken fix fixed down slow stuck export import backup restore migration job jobs batch
data file files field fields table tables row rows column record records invoice invoices refund refunds account accounts
session sessions token tokens password passwords secret secrets key keys cert certificate tls ssl dns api web mobile app
button footer banner cookie email mail phone call meeting movie film music song joke poem weather recipe food news stock
price world capital country city game book write code function python java script shop store stores catalog ledger
inventory shipping warehouse tracking profile media video image images feed mobile edge core lake stream events event
works work working worked like want wants need needs know known knows think see seen look looks make made take taken give
given find found keep kept let lets go goes going gone come comes coming say said ask asked tell told use used try tried
start started stop stopped run ran turn set put add added change changed create created open opened close closed move moved
mark marked wait waiting happen happened happening hold show shown list listed count counted number mean meant send sent
post posted write written read check checked test tested plan plans step steps rule rules approval approve approved
instruction instructions prompt system admin root access permission skip ignore forget bypass override without with
red green blue yellow left right top bottom first last best worst main extra full empty free busy ready live quiet loud
noisy expired expiring missing lost wrong correct valid invalid true false yes yeah ok okay please thanks thank hello
cool nice great sure maybe perhaps just really quite pretty almost nearly exactly about roughly around per via vs versus
port ports spot spots loss cost costs host hosts post posts list lists lost cast card cards care case cases race trace
line lines link links like likes life live lives sale sales scale tale male stale state states stage change charge charges
chargebacks chargeback unsent duplicate duplicates rate rates rating peak peaks peek shown showed ship ships shop shops
clear cleared clean cloud closer loser lower power tower server serve serves service services sign signs signup signups
tooth both bother mother father other there where were we're we'll we've i'm i'll i've you're he's she's it'll that's
what's who's where's here's there's let's can't won't don't doesn't didn't isn't aren't wasn't weren't hasn't haven't
tier tiers tied tried trees three free tree text test rest best nest next neat near nearly hear heard head heads hand hands
`.split(/\s+/),
);

/** Words that never name a service, wherever they stand. */
export const functionWords = new Set(
  `a an the this that these those it its their them there they he she his her our your my me us we you i is are was were be
been being am has have had having do does did can could may might must shall should will would to of for from by with at on in
into onto off out up down over under above below about during before after since until till as than so such same any some no
not only and or but if unless then otherwise else when while who whom whose what which where why how here now today tonight
tomorrow yesterday last past next previous first please also too more less least most at-least more-than less-than at-most
none both me someone everyone both whichever again back because right new open all every each per via vs because it's
week weekend month monday tuesday wednesday thursday friday saturday sunday one ones incident ticket sla on-call page post
notify tell mean means result summary runbook error code log pagerduty not do-not let know urgency low high`.split(
    /\s+/,
  ),
);

/** Upper-case words that are not project keys unless they stand where a project stands. */
export const acronyms = new Set(
  `SLA SLAS SQL KQL SPL TLS SSL DNS CPU API APIS HTTP HTTPS DB OK VPN UTC GMT CET EST JSON CSV PDF DM PD AWS EU US UK USA CI CD
RAM IT SRE OOM CDN S3 EC2 RDS K8S JVM GC IO IP TCP UDP URL UI UX QA PR MR FYI ASAP PLS BTW TLDR TL DR I A AN THE AND OR NOT IF NO
YES SELECT FROM WHERE DELETE UPDATE INSERT DROP TABLE INTO SET ALTER TRUNCATE GRANT JOIN GROUP ORDER BY LIMIT COUNT AS ON IN OF FOR
TO AT IS IT BE DO GO ME MY WE US UP SO ALL ANY ERROR WARN INFO DEBUG FATAL ETA EOD KPI SLO SLI MTTR RCA NPE AM PM SSO OTP PII GDPR
PCI TODO WIP AND/OR HR P0 PLEASE NOW DON'T NEVER ONLY EVERY`.split(/\s+/),
);

/** Words with a hyphen that are no service names. */
export const hyphenated = new Set(
  `on-call tech-debt follow-up follow-ups hand-over hand-off war-room read-only re-open un-assigned in-progress sub-task how-to
taking reset run-book at-least at-most more-than less-than at-risk time-left do-not or-more or-less older-than younger-than idle in-that-case
everything-of heads-up high-priority low-priority high-urgency low-urgency non-urgent up-to-date e-mail so-called real-time
long-running post-mortem postmortem day-to-day end-to-end customer-facing high-severity sign-up log-in set-up double-check
cross-check root-cause first-level second-level stand-by 24-hour all-clear fail-over roll-back set-up check-in write-up
out-of-memory out-of-disk security-incident needs-triage wont-fix won't-fix good-first-issue in-review to-do uh-oh follow-through well-known`.split(
    /\s+/,
  ),
);
