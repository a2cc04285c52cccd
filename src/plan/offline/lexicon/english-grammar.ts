/** English words that join, compare and restrict. */
export const englishGrammar = `
if: if | when | whenever | in case | in the case | should there be | as soon as | once | provided | provided that | assuming | supposing | only if | only when | iff | so long as | as long as | in the event that | in the event of | given that | given | on condition that | the moment | where | whereas if | every time | each time | if and only if | only in case | if ever
unless: unless | except if | except when | if not otherwise | only not if
otherwise: otherwise | else | or else | if that is not the case | if it is not | if it isn't | if that's not the case | if this is not the case | failing that | if that fails | less than that | below that | under that | fewer than that | anything less | anything below | any less | in any other case | in all other cases | in the other case | if false | instead if not | at or below that | at or under that | elif not
in-that-case: in that case | in this case | in which case | if so | if yes | if that is the case | if true | if this is the case | in such a case | when so | then in that case | if that holds | for that case
then: then | after that | afterwards | afterward | next | subsequently | thereafter | after which | and after that | following that | once done | when done | once that is done | when that is done | once finished | after this | and only then | later | finally | lastly | as a last step
means: means | -> | → | ⇒ | implies | leads to | calls for | warrants | triggers | should trigger | would mean
also: also | as well | too | additionally | in addition | on top of that | furthermore | moreover | likewise | besides | plus
and: and | & | as well as | along with | together with | n | und
but: but | however | yet | though | although | whereas | while
more-than: more than | > | greater than | higher than | larger than | bigger than | in excess of | upwards of | exceed | exceeds | exceeding | goes over | go over | goes above | go above | rises above | rise above | climbs above | climbs over | surpasses | surpass | tops | beyond | north of | passes | rises over | grows past | goes past | crosses | goes beyond | outnumber | outnumbers | strictly more than | strictly over | went over | went above | climbs past | gets above | is past
at-least: at least | >= | ≥ | => | no fewer than | no less than | not less than | not fewer than | minimum of | a minimum of | min | reaches | reach | reached | hits | hit | gets to | amounts to | starting at | from at least | not below | not under | greater than or equal to | more than or equal to | no lower than | climbs to | grows to | rises to | goes up to | equal to or more than
less-than: less than | < | fewer than | lower than | smaller than | drops below | drop below | falls below | fall below | falls under | fall under | drops under | drop under | goes below | go below | sinks below | dips below | dip below | below | under | short of | beneath | goes under | is down below | strictly less than | gets below | dropped below | fell below
at-most: at most | <= | ≤ | no more than | not more than | not over | not above | maximum of | a maximum of | max | up to | does not exceed | doesn't exceed | do not exceed | don't exceed | drops to | falls to | less than or equal to | no higher than | not exceed | within
or-more: or more | or above | or higher | or greater | and up | and more | and above | or over | upwards | plus of | or beyond
or-less: or less | or fewer | or below | or lower | or under | and below | and less
between: between | in the range | in the range of | ranging from | somewhere between | anywhere between | anywhere from | in between
exactly: exactly | = | precisely | equals | equal | is equal to | equal to | are equal to | == | just exactly
older-than: older than | been open for more than | been open more than | been open for over | been open over | been open longer than | been open for longer than | open for more than | open for over | open longer than | open for longer than | open more than | aged over | aged more than | age exceeds | age is over | age over | waiting for more than | waiting more than | waiting longer than | been waiting more than | been there for more than | stale for more than | has been around for more than | is more than | dates back more than | created more than
younger-than: younger than | newer than | more recent than | fresher than | open for less than | been open for less than
twice: twice | double | twice as many | two times | 2x | double the number of | twice the
lots: lots of | lots | a lot of | a lot | many | loads of | tons of | a ton of | plenty of | a bunch of | heaps of | too many | quite a few | several | numerous | a high number of | high number of | a large number of | so many | an unusual number of | way too many | a big pile of | unusually many | a few | few | too few | piling up | pile up | high | too high | bad | really bad | gets bad | looks bad | gets worse | out of hand | gets out of hand | crazy | spike | spikes | spiking | abnormal | unusual | looks wrong | looks off | elevated | growing | slow | too slow | heavy | critical level | excessive | some number of | a certain number of | significant | weird
any: any | some | at least one | at least a single | one or more | a single | even one | even a single | anything | something | whatever
none: none | unknown | not known | isn't known | no | nothing | zero | not any | not a single | no one of | not one | without any | no more | nothing at all | nil | empty | nope | 0 results | is empty | are gone | no longer any
together: together | combined | in total | altogether | summed | in sum | added up | in aggregate | jointly | taken together | all told | collectively | sum of | the sum of | total for | overall
both: both | both of them | both of these | all of these | all of them | all three | each of them | them all | the two | everything | all of that | all this | all that | the lot | the whole thing | these two | all the results | all results | it all
not: not | isn't | is not | aren't | are not | wasn't | ain't | isnt | arent | no longer | not yet | hasn't | hasnt | haven't | doesn't | doesnt | has not
do-not: don't | do not | dont | do n't | never | please don't | please do not | must not | mustn't | should not | shouldn't | no need to | not to | avoid | refrain from | without | w/o | skip | skip the | leave out the | rather than | instead of | cannot | can't | may not | nobody should be | no one should be | nobody gets | nobody is to be | no-one should be | with no | but no | hold off on | keep from | not by | anything but | not with a | not via | not through a | not a | nor | neither | and not
`;

export const englishFilters = `
open: open | unresolved | outstanding | unsolved | still open | not done | not closed | not resolved | unfinished | not yet done | currently open | not finished | active | live | ongoing | current | currently active | unclosed | remaining | not yet resolved | still unresolved | pending
triggered: triggered | unacknowledged | unacked | un-acked | not acknowledged | not acked | nobody acknowledged
acknowledged: acknowledged | acked
closed: closed | resolved | done | completed | finished | solved | fixed
in progress: in progress | in-progress | being worked on | ongoing work | wip | inprogress
blocked: blocked | stuck | on hold
unassigned: unassigned | not assigned | nobody assigned | nobody is assigned | without assignee | without an assignee | without owner | without an owner | with no assignee | with no owner | no assignee | no owner | ownerless | nobody owns | nobody has picked up | nobody picked up | not picked up | no one is assigned | that nobody has taken | un-assigned | having no owner | nobody works on | unowned | orphaned | nobody has taken
assigned: assigned | assigned to | owned by
oldest: oldest | longest open | longest-open | eldest | longest waiting | earliest | longest-running | longest running | oldest one
newest: newest | latest | most recent | youngest | freshest | last created | recently created | last opened
updated: last updated | recently updated | most recently updated | recently changed | last changed | latest updated
top: top | most frequent | most common | commonest | biggest | highest
about: about | regarding | concerning | on the subject of | re | on the topic of | in regards to | mentioning | mentions | containing | that mention | that mentions | referring to | related to | relating to | to do with | that contain | which mention | with the words | with the text | with the word | matching | that talk about | involving
titled: titled | called | named | entitled | with the title | with title | with summary | with the summary | title | subject | headline | summary is | with subject | with the subject | headed | by the name of | with the name
saying: saying | that says | which says | stating | with the text | with the message | with the words | that reads | with text | with message | with comment | with the comment | with the note | along the lines of | to the effect that | to say that | to say | with the content | worded | as follows
except: except | excluding | exclude | but leave out | leave out | leaving out | other than | apart from | but not | ignoring | ignore | minus | omit | omitting | aside from | besides those | barring | filter out | filtering out | without the ones | without those | drop the ones | not counting | skip those | skip the ones | minus the ones | minus those
last: last | past | previous | trailing | preceding | recent
next: next | coming | upcoming | following
in: in | inside | within project | into | in the project | in project | onto | at
for: for | of | on behalf of
from: from | out of | off
who: who | whom | whose | which person | which engineer | what person
which: which | what | what are | what's | whats | what is | which are
everyone: everyone | everybody | every team | all teams | all engineers | all on-call | all on-calls | all on-call engineers | every on-call | all of engineering | the whole company | the entire company | the whole team | all hands | every service | all services | everyone on call | each service | all the teams | every engineer | the whole department | the entire team
someone: someone | somebody | anyone | anybody | some people | people | the team | the guys | the folks | the right people | the right person | the others | stakeholders | the stakeholders | the responsible person | the owner | the responsible team | whoever is responsible | management | the boss | my manager | the manager
everything-of: all | every | each | all the | all of the | all open | entire | any and all | all existing | whole | each and every
me: me | us | myself | here | in this thread | in this channel | back to me | to me | in here | into this thread
please: please | pls | plz | kindly | could you | can you | would you | will you | would you kindly | would you please | could you please | can you please | would you mind | i'd like you to | i would like you to | i want you to | we need to | you should | you need to | thanks | thank you | thx | ty | cheers | hey | hi | hello | hi there | hey there | good morning | good evening | yo | ok | okay | alright | well | just | simply | quickly | quick | real quick | asap | immediately | right away | now | right now | at the moment | currently | at once | promptly | for me | go ahead and | maybe | perhaps | actually | basically | kind of | like | um | uh | so | bot | dear bot | countersign | if possible | if you can | if you could | when you can | when you get a chance | if you don't mind | directly | straight away | firstly | to begin with | to start with | i was wondering if you could | mind | let's | lets | let us | i think | i guess | honestly | be so kind as to | be so kind to | at this point | gently | dear | wonderful | fantastic | pretty please | i need you to | help me | help me to | secondly | try to | make sure to | make sure you | be sure to | remember to | feel free to | you can | you may | as of now | as of right now | presently | today's | for us | really | also please | everything considered | by the way | btw | fyi
`;
