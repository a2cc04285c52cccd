export const french = `
hint: le la les un une des du de et ou si ne pas pour sur dans avec est sont combien qui quel quels quelle quelles il y a plus que ouverts ouvert montre affiche envoie préviens svp stp au aux d'astreinte moi
note: note | notes
if: si | lorsque | quand | au cas où | dès que | s'il y a | s'il | s'il existe | si jamais
unless: sauf si | à moins que | a moins que
otherwise: sinon | dans le cas contraire | autrement
then: alors | puis | ensuite | après
and: et
but: mais
also: aussi | également | en plus
page: bipe | biper | réveille | réveiller | appelle | appeler | alerte l'astreinte | pager
notify: préviens | prévenir | previens | alerte | alerter | notifie | notifier | avertis | avertir | informe | informer
tell: dis | dites | dire | dis à
post: poste | poster | publie | publier | envoie | envoyer | écris | ecris | écrire | annonce | partage | envoie-le | publie-le | poste-le | envoie-la | partage-le | mets
comment: commente | commenter | commentaire
create: crée | cree | créer | ouvre un | ouvre une | ouvrir un | créez
move: passe | passer | déplace | mets en | marque | change
close: ferme | fermer | clos | clôture
resolve: résous | résoudre | resous | résolvez
ack: acquitte | acquitter | accuse réception de | accuse réception
add: ajoute | ajouter | laisse
show: montre | montre-moi | affiche | afficher | donne | donne-moi | donner | affiche-moi | voir | montrer
list: liste | lister | énumère | la liste des
find: trouve | trouver | cherche | chercher | recherche
count: compte | compter | nombre de | le nombre de | nombre d'
how many: combien de | combien | combien d' | combien y a-t-il de
check: vérifie | verifie | vérifier | contrôle
compare: compare | comparer | compare-le
summarize: résume | resume | résumer
summary: résumé | le résumé | synthèse
explain: explique | expliquer | que signifie | que veut dire | signification | qu'est-ce que
ticket: ticket | tickets | demandes
bug: bug | bugs | bogues
incident: incident | incidents | incidents pagerduty | alertes
on-call: d'astreinte | astreinte | de garde | l'astreinte | qui est d'astreinte | qui est de garde | de permanence | la personne d'astreinte | l'ingénieur d'astreinte | d’astreinte
runbook: runbook | procédure | procedure | guide | mode opératoire
error: erreur | erreurs | l'erreur
code: code | code d'erreur | code erreur | le code d'erreur
threshold: seuil | limite | seuil du sla | limite du sla | seuil sla
breached: dépassé | dépassés | violé | enfreint | dépassée | en violation | non respecté | n'est pas respecté
log: journaux | logs
sql: base de données
open: ouvert | ouverts | ouverte | ouvertes | non résolus | en cours | actifs
closed: fermé | fermés | fermées | résolus | clos
blocked: bloqué | bloqués | bloquée | bloquées
unassigned: non assigné | non assignés | non attribués | non assignées | sans assigné | non attribué
oldest: plus ancien | plus anciens | plus vieux | plus ancienne
newest: plus récent | plus récents | plus récente
more-than: plus de | plus d' | supérieur à | dépasse | dépassent | plus que | excède
at-least: au moins | minimum
less-than: moins de | moins d' | inférieur à | en dessous de
at-most: au plus | au maximum
or-more: ou plus
between: entre
exactly: exactement
any: un quelconque | n'importe quel | quelques
none: aucun | aucune | rien
not: pas
do-not: ne | sans | jamais | n'
result: nombre | chiffre | résultat | résultats | chiffres
who: qui
which: quels | quelles | quel | quelle
in: dans | en | à
for: pour | de | du | des | d' | pour le | pour la
on: sur
since: depuis
about: à propos de | concernant | au sujet de
saying: disant | disant que | en disant que
last: dernières | derniers | dernière | dernier
me: moi | nous
please: s'il te plaît | s'il vous plaît | svp | stp | maintenant | actuellement | ce soir | bonjour | merci | peux-tu | pouvez-vous | en ce moment | immédiatement | aujourd'hui | y a-t-il | il y a
a: un | une
the: le | la | les | l'
it: ça | cela | le résultat | ceci | les
with: avec
is: est | sont | a | ont
to: à | au | aux
`;
