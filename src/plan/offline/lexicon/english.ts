/**
 * English: one line for each form that the grammar knows, with what engineers write for it. Adding a synonym here is
 * all that is needed to teach the planner a word.
 */
export const englishVerbs = `
page: page | call | calling | phone up | pages | paging | paged | wake | wakes | waking | wake up | waking up | call out | ring | rings | ringing | buzz | summon | get out of bed
notify: notify | notifies | notifying | alert | alerts | alerting | inform | informs | informing | warn | warns | warning | ping | pings | pinging | give a heads-up to | give a heads up to | heads-up | heads up to | nudge | flag to | raise the alarm with | loop in | get hold of | reach out to | contact | escalate to | summon
let: make sure that | make sure | ensure that | ensure | see to it that
tell: tell | tells | telling | let know | update
post: post | posts | posting | announce | announces | announcing | publish | broadcast | share | shares | sharing | drop | dropping | send | sends | sending | forward | relay | message | messages | messaging | dm | dms | dming | pm | slack | direct message | write | writes | writing | say | put up | put out | shout | shoot | report to | paste | pass on | pass along | deliver | type | fire off | mention | communicate | submit
comment: comment | comments | commenting | reply | annotate | remark
create: create | we need a | we need a new | we need an | need a new | there should be a | there should be an | there needs to be a | we should have a | i need a new | we want a | trigger | creates | creating | raise | raises | raising | file | files | filing | log a | log an | log one | cut | cut a | make | makes | making | open a new | open a | open an | open one | open up a | spin up a | start a | add a new | submit a | register a | write up a | write a ticket | set up a | generate a
move: move | moves | moving | transition | transitions | set | sets | setting | change | changes | changing | mark | marks | marking | flip | switch | put back | send back | push to | shift | turn
close: close | closes | closing | close out | shut
resolve: resolve | resolves | resolving | solve | clear
reopen: reopen | re-open | reopens | reopening | open again
start: start | begin | start working on | start work on | pick up
finish: finish | complete | finalize | finalise
block: block
ack: acknowledge | acknowledges | acknowledging | ack | acks | acking | ack'd | take ownership of | i have got | i've got | take
add: add | adds | adding | leave | leaves | leaving | attach | append | insert | put | puts | putting | record | drop
show: show | shows | display | displays | give | gives | giving | present | view | print | open up | bring up | pull up | read | read out | read me | i want to see | i want | i'd like | i would like | i need | want | need | see | gimme | provide | return
get: get | gets | getting | fetch | fetches | fetching | pull | pulls | pulling | grab | grabs | retrieve | load | collect | gather | take a look at | have a look at | look at | look into | inspect | examine | obtain | bring | query | open
list: list | lists | listing | enumerate | itemize | itemise | name all | spell out
find: find | finds | finding | search | searches | searching | search for | look for | look up | looking for | look | lookup | locate | dig up | dig out | hunt | hunt down | seek | discover | browse | scan | search through | go through | check for
count: count | counts | counting | tally | number of | the number of | amount of | total of | total number of | quantity of | count of | count up | nr of | no of | num of | # of | volume of
how many: how many | howmany | how much | what number of | whats the number of
check: check | checks | checking | verify | verifies | see whether | see if | check whether | check if | look whether | confirm | determine | assess | evaluate
compare: compare | compares | comparing | contrast | measure | measure against | hold against | weigh | stack up against | check against | match against | cross-check
summarize: summarize | summarise | summarizes | summarises | summarizing | summarising | summarized | summarised | sum up | recap | recaps | condense | boil down | digest | tl;dr | tldr | brief | wrap up | give me the gist of | gist of | in a nutshell | sum it up | write up | shorten | outline | abridge
explain: explain | explanation | explanations | explains | explaining | describe | decode | interpret | translate | clarify | what is meant by | define | elaborate on
mean: mean | means | meaning | stand for | stands for | signify | signifies | definition
run: run | runs | running | execute | executes | use | uses | using | launch | perform | do
`;

export const englishNouns = `
ticket: ticket | tickets | issue | issues | tix | tkt | tkts | jira | jiras | jira tickets | jira ticket | jira issues | jira issue | jira items | cards | card | work items | work item | items | requests in jira | cases | queue | backlog | board
bug: bug | bugs | defect | defects | bug reports | bug report | bug tickets | bug ticket
story: story | stories | user story | user stories
task: task | tasks | chore | chores
epic: epic | epics
incident: incident | incidents | pagerduty incidents | pagerduty incident | pd incidents | pd incident | pagerduty alerts | pagerduty alert | pd alerts | pd alert | open alerts | active alerts | firing alerts | current alerts | outages | pages sent | what pages | which pages | pages went out | recent pages | pages
pagerduty: pagerduty | pager duty | pd
firing: firing | burning | on fire | going off | triggered right now | ringing in
on-call: on call | on-call | oncall | on-call engineer | on-call engineers | on call engineer | oncall engineer | on-call person | on call person | oncall person | on-call dev | on-call developer | oncall dev | on-call sre | on-call responder | on-call human | on-call team | on call team | on-call folks | on-call lead | on-call contact | on-call guy | duty engineer | engineer on duty | engineer on call | engineer on-call | person on call | person on-call | person on duty | whoever is on call | whoever is on-call | whoever is oncall | whoever's on call | whoever's on-call | whoever is on duty | whoever has the pager | whoever carries the pager | whoever holds the pager | who is on call | who should i call | who do i call | who do i page | who should i page | who do i wake | who do i wake up | who should i wake | who should i contact | who do i contact | who can i call | who to call | who to page | who to contact | who would get paged | who gets paged | who will be paged | who answers the pager | who is holding the pager | who is carrying the pager | whose turn is it | whose shift is it | who's on call | whos on call | who is on-call | who's on-call | whos on-call | who is oncall | who's oncall | whos oncall | on duty | on-duty | on pager duty | on pager | carries the pager | carry the pager | carrying the pager | has the pager | have the pager | holds the pager | holding the pager | got the pager | pager holder | pager rotation | duty roster | roster | rota | rotation | standby | on standby | on-call rota | on-call rotation | on-call schedule | oncall schedule | on call schedule | first responder | gets paged | gets the page | would be paged | primary | primary on-call | on shift | the pager
runbook: runbook | runbooks | run book | run books | run-book | run-books | playbook | playbooks | procedure | procedures | guide | guides | how-to | howto | wiki page | documentation | docs | doc | recovery steps | instructions for | manual | manuals | sop | sops | handbook | checklist | troubleshooting steps | operating procedure
error: error | errors
exception: exception | exceptions
code: code | codes | error code | error codes | errorcode | err code | error number | fault code | signature
sla: sla | slas | service level | service level agreement | sla's
threshold: threshold | thresholds | limit | limits | sla limit | sla limits | sla threshold | sla thresholds | sla target | sla cap | allowance | ceiling | cap | max allowed | maximum allowed | allowed number | allowed maximum | quota | agreed maximum | agreed limit | agreed number | target
breached: breached | breach | breaches | breaching | in breach | in violation | violated | violates | violating | violation | violations | broken its | blown | blow | blows | busted | overshot | overrun | overdue | past due | past its sla | past their sla | out of sla | outside sla | outside its sla | outside the sla | over sla | missed | exceeds the sla | exceeded
at-risk: at risk | at-risk | about to breach | going to breach | close to breaching | close to breach | near breach | nearing | nearly breached | will breach | would breach | due to breach | soon to breach | about to violate | close to violating | likely to breach | set to breach | about to miss | will miss | going to miss | about to blow | in danger | endangered
time-left: time left | time remaining | remaining time | how long left | how long is left | how long do we have | how long until | how long till | how much time | minutes left | hours left | time to breach | due time | time before | clock | countdown
log: logs | log | log entries | log lines | log messages | logging | log line
splunk: splunk | spl | splunk query | splunk search
kql: kql | kusto | azure | azure logs | azure monitor | app insights | appinsights | application insights | log analytics | ms insights | azure data explorer | adx | insights
sql: sql | sql query | database | databases | db | the db | data base | warehouse | data warehouse | postgres | mysql | rds | dwh | datawarehouse | bigquery | table rows
summary: summary | summaries | recap of | tl;dr of | short version | overview | synopsis | rundown | round-up | roundup | gist | digest of | briefing | hand-over | handover | hand over
link: link | links | url | address of the ticket
result: result | results | outcome | answer | figure | figures | number | numbers | finding | findings | output | data | value | count result | total | totals | response | stats
note: note | notes | a note | incident note
status: status | state
assignee: assignee | assignees | owner | owners
label: label | labels | labelled | labeled | tag | tags | tagged | labelled with | labeled with | tagged with | tagged as | labelled as | labeled as | with label | with the label | carrying the label | with tag | with the tag | marked with
service: service | services | component | app | application | system
project: project | projects
channel: channel | channels | room
high urgency: high urgency | high-urgency | urgent | high urgent
low urgency: low urgency | low-urgency | non-urgent | not urgent
urgency: urgency
`;
