/** Polish, as far as the common requests go. */
export const polish = `
hint: ile jest są w na dla kto ma i lub jeśli jeżeli nie się do z od ze proszę czy który która które pokaż wyślij napisz
if: jeśli | jeżeli | gdy | kiedy | o ile
unless: chyba że
otherwise: inaczej | w przeciwnym razie | jeśli nie | w innym wypadku
then: potem | następnie | a potem
and: i | oraz
also: też | również | także
page: obudź | wezwij | zadzwoń do
notify: powiadom | zaalarmuj | poinformuj | daj znać
tell: powiedz
post: wyślij | napisz | opublikuj | prześlij | wrzuć
comment: skomentuj | dodaj komentarz
create: utwórz | stwórz | załóż | zgłoś
move: przenieś | ustaw | zmień status
close: zamknij
ack: potwierdź | przyjmij
resolve: rozwiąż
show: pokaż | podaj | wyświetl
list: wypisz | lista
find: znajdź | wyszukaj
count: policz | liczba
how many: ile | ilu
check: sprawdź
summarize: podsumuj | streść
explain: wyjaśnij | co oznacza | co znaczy
ticket: zgłoszenia | zgłoszeń | zgłoszenie | tickety | ticketów | ticket
bug: błędy | błędów | bugi | bugów
incident: incydenty | incydent | incydentów | awarie
on-call: dyżur | dyżurny | ma dyżur | na dyżurze | dyżuruje
runbook: instrukcja | instrukcję | procedura | procedurę
error: błąd
open: otwarte | otwartych | otwarty | otwarta
closed: zamknięte | zamkniętych
blocked: zablokowane | zablokowanych | zablokowany
unassigned: nieprzypisane | nieprzypisanych | bez właściciela | bez przypisania
oldest: najstarsze | najstarszy
newest: najnowsze | najnowszy
more-than: więcej niż | ponad | powyżej
at-least: co najmniej | przynajmniej
less-than: mniej niż | poniżej
at-most: najwyżej | co najwyżej
none: nie ma | brak | żaden | żadnych
not: nie
who: kto
which: które | który | która | jakie | jaki
in: w | we
for: dla
on: na
to: do
from: z | ze | od
with: z
is: jest | są | ma
saying: że
me: mi | mnie
please: proszę | teraz | hej | cześć
`;
