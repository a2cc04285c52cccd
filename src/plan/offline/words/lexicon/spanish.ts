export const spanish = `
hint: el la los las un una unos unas y o si no de del para por con en cuántos cuantos cuántas quién quien está esta hay más mas que abiertos abiertas favor muestra avisa publica dime al qué cuál
note: nota | notas
if: si | cuando | en caso de que | siempre que
unless: a menos que | salvo que | a no ser que
otherwise: si no | de lo contrario | en caso contrario | sino
then: entonces | luego | después | despues | a continuación
and: y | e
but: pero
also: también | además
page: llama | despierta | llamar | despertar | haz page | pagea | localiza
notify: avisa | avisar | notifica | notificar | alerta | alertar | informa | informar
tell: di | dile | diles | decir | cuéntale
post: publica | publicar | envía | envia | enviar | manda | mandar | escribe | escribir | postea | anuncia | comparte | publícalo | publicalo | envíalo | envialo | mándalo | mandalo | anúncialo | escríbelo | compártelo
comment: comenta | comentar | comentario
create: crea | crear | abre un | abre una | abrir un | abrir una | genera
move: mueve | mover | pon | poner | cambia | cambiar | marca | marcar | pasa | pásalo | pasalo | muévelo | muevelo | ponlo | cámbialo | cambialo
close: cierra | cerrar
resolve: resuelve | resolver
ack: reconoce | reconocer | acepta | confirma
add: añade | agrega | añadir | agregar | deja
show: muestra | muéstrame | muestrame | mostrar | enseña | dame | dime | ver | enséñame | quiero ver
list: lista | listar | enumera | listado de
find: busca | buscar | encuentra | encontrar | búscame
count: cuenta | contar | número de | numero de | el número de | cantidad de
how many: cuántos | cuantos | cuántas | cuantas
check: comprueba | verifica | revisa | comprobar | verificar | revisar | chequea
compare: compara | comparar | compáralo
summarize: resume | resúmeme | resumeme | resumir | resúmelo
summary: resumen | el resumen
explain: explica | explicar | qué significa | que significa | qué quiere decir | significado
ticket: ticket | tickets | incidencias de jira | tiques | tique | tarjetas | peticiones
bug: bug | bugs | errores de jira
incident: incidente | incidentes | incidencias | incidencia | incidentes de pagerduty | alertas
on-call: de guardia | guardia | en guardia | la guardia | quién está de guardia | quien esta de guardia | de turno | persona de guardia | ingeniero de guardia | la persona de guardia | el ingeniero de guardia
runbook: runbook | procedimiento | guía | manual | manual de procedimientos
error: error | errores | fallo
code: código | codigo | código de error | codigo de error
threshold: umbral | límite | limite | límite del sla | límite de sla | umbral del sla | umbral de sla
breached: incumplido | incumple | superado | violado | incumplidos | se incumple | vencido | se ha incumplido | incumplen
log: registros | logs
sql: base de datos
open: abierto | abiertos | abierta | abiertas | sin resolver | pendientes | activos | activas
closed: cerrado | cerrados | cerradas | cerrada | resueltos
blocked: bloqueado | bloqueados | bloqueada | bloqueadas
unassigned: sin asignar | no asignados | no asignadas | sin asignación
oldest: más antiguo | más antiguos | más viejo | más antigua
newest: más reciente | más recientes | más nuevo | últimos creados
more-than: más de | mas de | superior a | mayor que | más que | supera | superan | mayor a | pasa de
at-least: al menos | como mínimo | por lo menos
less-than: menos de | inferior a | menor que | baja de | por debajo de
at-most: como máximo | a lo sumo
or-more: o más | o mas
between: entre
exactly: exactamente
any: algún | alguna | alguno | cualquier
none: ningún | ninguno | ninguna | nada
not: no
do-not: sin | no | nunca | pero no
who: quién | quien | quiénes
which: qué | cuáles | cuál
in: en | al | a
for: para | de | del
since: desde
about: sobre | acerca de
saying: diciendo | que diga | diciendo que
last: últimos | últimas | último | última
me: me | mí | nos
please: por favor | ahora | ahora mismo | hoy | esta noche | hola | gracias | actualmente | puedes | podrías | hay | inmediatamente | es
a: un | una
the: el | la | los | las
it: lo | eso | ello | el resultado | el número
result: número | cifra | resultado | los números | las cifras
with: con
is: está | esta | están | estan | tiene | tienen | es | son | existe | existen | hay
and: y
`;
