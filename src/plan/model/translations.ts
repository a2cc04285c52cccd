import { wordsOf } from './mentions.ts';

/**
 * Stems of action words in a few languages, with the English keyword that manifests use. They extend the tool shortlist
 * and help detect whether a request asks for a write. A missing word leads to a question, never to a wrong write.
 */
const beginnings: readonly (readonly [string, string])[] = [
  ['benachrichtig', 'page'],
  ['alarmier', 'page'],
  ['bereitschaft', 'on-call'],
  ['weck', 'page'],
  ['schick', 'send'],
  ['sende', 'send'],
  ['schreib', 'post'],
  ['melde', 'tell'],
  ['zähl', 'count'],
  ['viele', 'count'],
  ['such', 'search find'],
  ['zeig', 'show list'],
  ['kommentier', 'comment'],
  ['erstell', 'create'],
  ['schließ', 'close resolve'],
  ['quittier', 'acknowledge'],
  ['prévien', 'page tell'],
  ['préven', 'page tell'],
  ['astreinte', 'on-call'],
  ['réveill', 'page'],
  ['envoi', 'send'],
  ['publi', 'post'],
  ['combien', 'count'],
  ['cherch', 'search find'],
  ['montr', 'show list'],
  ['commente', 'comment'],
  ['comenta', 'comment'],
  ['crée', 'create'],
  ['ferme', 'close'],
  ['avis', 'page tell'],
  ['notifi', 'page notify'],
  ['guardia', 'on-call'],
  ['despiert', 'page'],
  ['alert', 'alert'],
  ['envía', 'send'],
  ['envia', 'send'],
  ['cuánt', 'count'],
  ['quant', 'count'],
  ['busca', 'search find'],
  ['muestr', 'show list'],
  ['mostra', 'show list'],
  ['crea', 'create'],
  ['cierra', 'close'],
  ['plantão', 'on-call'],
  ['acord', 'page'],
  ['reperibil', 'on-call'],
  ['svegli', 'page'],
  ['invia', 'send'],
  ['scrivi', 'post'],
];

/** English keywords for the text's foreign words, used in addition to the text. */
export function englishFor(text: string): string {
  const words = wordsOf(text);
  return beginnings
    .filter(([beginning]) => words.some((word) => word.startsWith(beginning)))
    .map(([, english]) => english)
    .join(' ');
}
