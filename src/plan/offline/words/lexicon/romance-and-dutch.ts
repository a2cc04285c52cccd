export const portuguese = `
hint: o os as um uma uns e ou se não nao de do da dos das para por com em no na nos nas quantos quantas quem está há mais que abertos abertas favor mostre mostra avise avisa publique plantão tem
if: se | quando | caso | sempre que
unless: a menos que | a não ser que | exceto se
otherwise: senão | caso contrário | se não | senao
then: então | depois | em seguida | entao
and: e
but: mas
also: também
page: acorde | acorda | chame | chama | acione | aciona | acionar | chamar
notify: avise | avisa | avisar | notifique | notifica | alerte | alerta | informe | informa
tell: diga | diz | fale | conte
post: coloque | coloca | colocar | publique | publica | poste | posta | envie | envia | enviar | mande | manda | escreva | escreve | anuncie | compartilhe | publicar
comment: comente | comenta | comentário
create: crie | cria | criar | abra um | abra uma | abrir um | gere
move: mova | move | mude | muda | marque | marca | coloque | passe
close: feche | fecha | fechar | encerre
resolve: resolva | resolver
ack: reconheça | reconhecer | confirme
add: adicione | adiciona | adicionar | acrescente | deixe
show: veja | verifique | olhe | confira | mostre | mostra | mostrar | exiba | dê | me dê | me mostre | ver | mostre-me
list: nome | o nome | os nomes | liste | lista | listar
find: encontre | procure | busque | busca | ache | buscar
count: conte quantos | conta | contar | número de | numero de | o número de | quantidade de
how many: quantos | quantas
check: verifique | verifica | cheque | confira | verificar
compare: compare | comparar
summarize: resuma | resumir | resume
summary: resumo | o resumo
explain: explique | explica | o que significa | que significa | significado
ticket: ticket | tickets | chamados | chamado | bilhetes
bug: bug | bugs
incident: incidente | incidentes | incidentes do pagerduty | alertas
on-call: de plantão | plantão | de plantao | plantao | quem está de plantão | de sobreaviso | o plantonista | plantonista | de prevenção | de serviço
runbook: runbook | procedimento | guia
error: erro | erros
code: código | código de erro
threshold: limite | limiar | limite do sla
breached: violado | estourado | estourou | violados | descumprido | ultrapassado
sql: banco de dados | base de dados
log: registros | logs
open: aberto | abertos | aberta | abertas | pendentes | ativos
closed: fechado | fechados | fechadas | resolvidos
blocked: bloqueado | bloqueados | bloqueadas
unassigned: sem responsável | não atribuídos | sem atribuição | não atribuídas | sem dono
oldest: mais antigo | mais antigos | mais antiga
newest: mais recente | mais recentes
more-than: mais de | mais que | mais do que | acima de | maior que | superior a | ultrapassar | passar de | passarem de
at-least: pelo menos | no mínimo | ao menos
less-than: menos de | menor que | abaixo de
at-most: no máximo
or-more: ou mais
between: entre
any: algum | alguma | qualquer
none: nenhum | nenhuma | nada
not: não | nao
do-not: sem | não | nunca | nao
result: número | resultado | números
who: quem
which: quais | qual | que
in: em | no | na | nos | nas | ao | à
for: para | do | da | dos | das | de | pelo | pela
since: desde
about: sobre
saying: dizendo que | dizendo
last: últimos | últimas | última | último
me: me | mim | nos
please: por favor | agora | hoje | esta noite | olá | obrigado | atualmente | pode | você pode | há | neste momento | imediatamente
a: um | uma
the: o | os | as | a
it: isso | o resultado | isto | ele
with: com
is: está | tem | têm | estão | é | são | existe | existem | houver | tiver | existir | há | estiver | for
`;

export const italian = `
hint: il lo la i gli le un uno una e o se non di del della dei delle per con in nel nella quanti quante chi è c'è ci sono più che aperti aperte favore mostra avvisa pubblica reperibile ha sono
if: se | quando | nel caso | qualora
unless: a meno che | salvo che
otherwise: altrimenti | in caso contrario | se no
then: allora | poi | quindi | dopo | successivamente
and: e | ed
but: ma | però
also: anche | inoltre
page: chiama | sveglia | svegliare | chiamare | allerta il reperibile
notify: avvisa | avvisare | notifica | notificare | avverti | informa | allerta
tell: di' | dì | dillo a | comunica
post: pubblica | pubblicare | invia | inviare | manda | mandare | scrivi | scrivere | posta | annuncia | condividi | pubblicalo | mandalo | invialo | scrivilo
comment: commenta | commentare | commento
create: crea | creare | apri un | apri una | aprire un
move: spostalo | spostala | spostali | sposta | metti | cambia | segna | imposta
close: chiudi | chiudere
resolve: risolvi | risolvere
ack: prendi in carico | conferma | riconosci
add: aggiungi | aggiungere | lascia
show: mostra | mostrami | mostrare | dammi | fammi vedere | vedi | visualizza | dimmi
list: elenca | elenco | elencami | elencare | lista
find: trova | cerca | trovare | cercare | trovami
count: conta | contare | numero di | il numero di
how many: quanti | quante
check: controlla | verifica | controllare
compare: confronta | confrontare | paragona
summarize: riassumi | riassumere | sintetizza
summary: riassunto | il riassunto | sintesi
explain: spiega | spiegare | spiegami | cosa significa | che significa | significato | che cosa significa
ticket: ticket | tickets | segnalazioni | richieste
bug: bug
incident: incidente | incidenti | incidenti pagerduty | allarmi
on-call: reperibile | di reperibilità | reperibilità | di turno | chi è reperibile | chi è di turno | il reperibile | di guardia
runbook: runbook | procedura | guida
error: errore | errori
code: codice | codice di errore | codice errore
threshold: soglia | limite | soglia sla
breached: violato | superato | sforato | violati | superata
sql: database | base dati
log: registri | log
open: aperto | aperti | aperta | aperte | irrisolti | attivi
closed: chiuso | chiusi | chiuse | risolti
blocked: bloccato | bloccati | bloccate | bloccata
unassigned: non assegnati | non assegnato | senza assegnatario | non assegnate
oldest: più vecchio | più vecchi | più vecchia
newest: più recente | più recenti | più nuovi
more-than: più di | maggiore di | supera | superano | oltre
at-least: almeno | come minimo
less-than: meno di | minore di | sotto
at-most: al massimo
or-more: o più
between: tra | fra
any: qualche | qualsiasi
none: nessun | nessuno | nessuna | niente
not: non
do-not: senza | non | mai
result: numero | risultato | numeri
who: chi
which: quali | quale
in: in | nel | nella | nello | su | sul | a | al
for: per | di | del | della | dei | delle | dello | degli
since: da | dal | dalla
about: riguardo a | riguardo
saying: dicendo | dicendo che
last: ultimi | ultime | ultima | ultimo
me: me | mi | ci
please: per favore | adesso | ora | oggi | stasera | ciao | grazie | attualmente | puoi | potresti | in questo momento | ci sono | c'è | subito
a: un | uno | una
the: il | lo | la | i | gli | le
it: ciò | questo | il risultato
with: con
is: è | sono | ha | hanno | ci sono | c'è
`;

export const dutch = `
hint: de het een en of als niet geen voor van in op met hoeveel wie heeft is zijn meer dan openstaande alsjeblieft toon laat stuur dienst welke
if: als | wanneer | indien | zodra
unless: tenzij
otherwise: anders | zo niet
then: dan | daarna | vervolgens
and: en
but: maar
also: ook
page: piep op | bel | roep op | oproepen | maak wakker
notify: waarschuw | informeer | verwittig | meld aan | alarmeer
tell: vertel | zeg | zeg tegen
post: plaats | stuur | schrijf | meld | deel | zet
comment: reageer | opmerking
create: maak | maak aan | open een nieuw
move: verplaats | wijzig | markeer
close: sluit
resolve: los op
ack: bevestig
show: toon | laat zien | geef
list: lijst
find: zoek | vind
count: tel | aantal
how many: hoeveel
check: controleer | check
compare: vergelijk
summarize: vat samen
summary: samenvatting
explain: leg uit | wat betekent | verklaar
ticket: ticket | tickets | meldingen
incident: incident | incidenten
on-call: piketdienst | dienst | van dienst | van wacht | wachtdienst
error: fout | fouten
code: foutcode
threshold: grens | drempel | limiet
breached: overschreden | geschonden
open: open | openstaande | openstaand
unassigned: niet toegewezen
more-than: meer dan | boven
at-least: minstens | ten minste
less-than: minder dan | onder
between: tussen
any: een of meer
none: geen | niets
not: niet
do-not: zonder | nooit | niet
who: wie
which: welke
in: in | naar
for: voor | van
on: op
please: alsjeblieft | graag | nu | momenteel | er | zijn er
a: een
the: de | het
it: dit | dat
with: met
is: is | zijn | heeft | staan | hebben
`;
