export const german = `
hint: der die das den dem des ein eine einen einem einer und oder wenn falls nicht kein keine bitte wer hat ist sind für im in von auf mit wie viele viel zeige zeig zähle offene offenen mehr als gerade aktuell welche poste schreibe sende schick sag melde seit
note: notiz | notizen | anmerkung
if: wenn | bei | falls | sofern | sobald | im falle dass
unless: es sei denn | außer wenn | ausser wenn
otherwise: sonst | andernfalls | ansonsten | wenn nicht | falls nicht | anderenfalls
then: dann | danach | anschließend | anschliessend | daraufhin | im anschluss
and: und | sowie
but: aber | jedoch
also: auch | ebenfalls | zusätzlich | außerdem
page: pieps | piepse | piepe | alarmiere | wecke | weck | wecken | rufe an | page | pagen | alarmier | anpiepsen | anpingen
notify: benachrichtige | alarmieren | benachrichtigen | informiere | informieren | warne | verständige
tell: sag | sage | teile mit | gib bescheid | bescheid geben | sagen
post: poste | posten | schreib | schreibe | schreiben | sende | senden | schick | schicke | schicken | melde | melden | teile | veröffentliche | gib durch | kündige an
comment: kommentiere | kommentier | kommentar | kommentieren
create: erstelle | erstell | erstellen | lege an | leg an | anlegen | eröffne | mach | mache | lege | erzeuge | öffne ein | öffne einen | öffne eine
move: setze | setz | setzen | verschiebe | ändere | markiere | stelle
close: schließe | schliesse | schließ | schließen | mach zu
resolve: löse | löse auf | auflösen | lösen
ack: bestätige | quittiere | bestätigen | quittieren
add: füge | füge hinzu | hinzufügen | hinterlasse
show: zeige | zeig | anzeigen | zeigen | gib | nenne | nenn
list: liste | auflisten | liste auf | aufzählen
find: finde | suche | such | finden | suchen
count: zähle | zähl | anzahl | zählen | anzahl der | anzahl von | die anzahl der
how many: wie viele | wieviele | wie viel | wieviel
check: prüfe | prüf | überprüfe | prüfen | kontrolliere | schau ob | check
compare: vergleiche | vergleich | vergleichen
summarize: fasse | fasse zusammen | zusammenfassen | fass
summary: zusammenfassung | überblick | übersicht
explain: erkläre | erklär | erklären | was bedeutet | was heißt | bedeutet | bedeutung
ticket: ticket | tickets | vorgänge | vorgang | meldungen | anfragen
bug: bug | bugs | fehlertickets
incident: vorfall | vorfälle | incidents | störungen | störung | pagerduty-vorfälle | vorfälle in pagerduty | pagerduty-incidents | alarme
on-call: bereitschaft | rufbereitschaft | dienst | bereitschaftsdienst | wer hat bereitschaft | on-call | in bereitschaft | auf bereitschaft | im bereitschaftsdienst | die bereitschaft
runbook: runbook | anleitung | betriebshandbuch | handbuch | anleitungen
error: fehler | fehlermeldung
code: fehlercode | fehlercodes
threshold: grenzwert | schwellwert | schwellenwert | grenze | limit | sla-grenze | sla-grenzwert | sla-limit | obergrenze
breached: verletzt | überschritten | gebrochen | verletzen | gerissen
log: protokolle | logs | logeinträge
sql: datenbank
open: offen | offene | offenen | offener | offenes | ungelöst | ungelöste | ungelösten | aktive | aktiven | aktuelle | aktuellen
closed: geschlossene | geschlossenen | erledigt | erledigte | gelöste
blocked: blockiert | blockierte | blockierten
unassigned: nicht zugewiesen | nicht zugewiesene | nicht zugewiesenen | unzugewiesen | unzugewiesene | unzugewiesenen | ohne bearbeiter | ohne zuweisung | nicht zugeordnete
oldest: älteste | ältesten | ältester | ältestes
newest: neueste | neuesten | neuester | letzten erstellten
more-than: mehr als | über | größer als | übersteigt | überschreitet
at-least: mindestens | wenigstens
less-than: weniger als | unter | kleiner als
at-most: höchstens | maximal
or-more: oder mehr
between: zwischen
exactly: genau
any: irgendein | irgendeine | irgendwelche | mindestens ein
none: kein | keine | keinen | nichts | keiner
not: nicht
do-not: ohne | niemals | nie | aber nicht | nicht
result: zahl | ergebnis | ergebnisse | zahlen
who: wer | wen
which: welche | welcher | welches | was
in: in | im | ins | nach
for: für | fürs | von | vom | zu | zum | zur | des
from: aus
since: seit
about: über das thema | bezüglich | wegen
saying: dass
last: letzten | letzte | vergangenen
me: mir | mich | uns
please: bitte | mal | gerade | gerade eben | derzeit | momentan | aktuell | jetzt | heute | heute nacht | hallo | danke | könntest du | kannst du | es gibt | gibt es | sofort | es | bescheid
a: ein | eine | einen | einem | einer
the: der | die | das | den | dem
it: es | ihn | ihm | das ergebnis | dies | davon | sie | das
and: und
on: auf | an | am | bei
with: mit
is: ist | sind | hat | haben | gibt | liegt | steht | stehen
to: zu
`;
