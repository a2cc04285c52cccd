/** The ways in which a phrase of a manifest or of words.yml is said. */

/** "pages", "paged" and "paging" for "page"; "tickets" for "ticket". */
export function forms(phrase: string): { plain: string[]; bent: string[] } {
  const [first = '', ...rest] = phrase.split(' ');
  if (!/^[a-z-]{2,}$/u.test(first)) return { plain: [phrase], bent: [] };
  const stem = first.replace(/e$/u, '');
  const double = /[^aeiou][aeiou][bgmnpt]$/u.test(first) && first.length < 5 ? first.slice(-1) : '';
  const y = /[^aeiou]y$/u.test(first);
  const s = y ? `${first.slice(0, -1)}ies` : `${first}${/(?:s|x|ch|sh)$/u.test(first) ? 'es' : 's'}`;
  const past = y ? `${first.slice(0, -1)}ied` : `${stem}${double}ed`;
  const whole = (form: string): string => [form, ...rest].join(' ');
  return { plain: [first, s].map(whole), bent: [past, `${stem}${double}ing`].map(whole) };
}

/** "ticket" and "tickets"; of several words the last one takes the ending. */
export function plurals(noun: string): string[] {
  if (!noun.includes(' ')) return forms(noun).plain;
  return /[a-rt-z]$/u.test(noun) ? [noun, `${noun}s`] : [noun];
}

/** What things are or did, said of them: "failed orders" as "orders failed" and "orders have failed". */
export function sayings(name: string): string[] {
  const [, act, thing] = /^(\w+(?:ed|ing)) (\w+s)$/u.exec(name) ?? [];
  const plain = act === undefined ? name.replace(/^(\w+s) that /u, '$1 ') : `${thing} ${act}`;
  const [, things, rest] = /^(\w+s) ((?:\w+(?:ed|ing)\b).*)$/u.exec(plain) ?? [];
  const auxiliaries = things === undefined ? [] : ['are', 'were', 'have', 'that are', 'that have'];
  // "errors by code" as "errors per code".
  const grouped = ['$1 per $2', '$1 grouped/split/broken by $2', '$1 broken down by $2'].map((way) =>
    name.replace(/^(\w+s) by (\w+)$/u, way),
  );
  return [name, plain, ...grouped, ...auxiliaries.map((auxiliary) => `${things} ${auxiliary} ${rest}`)];
}

/** What the tokens of a phrase are looked up by. */
export function keysOf(phrase: string): string[] {
  const keys = /[\p{L}\p{N}](?:[\p{L}\p{N}_]|[.:;/-](?=[\p{L}\p{N}]))*|<=|>=|=>|->|-->|==|!=|<>|=<|\S/gu;
  return phrase.replace(/['’]/gu, '').toLowerCase().match(keys) ?? [];
}

/** "if/when it/that is" is four phrases. */
export function alternatives(phrase: string): string[] {
  const words = phrase.split(' ').map((one) => (/^[^/]+(?:\/[^/]+)+$/u.test(one) ? one.split('/') : [one]));
  return words
    .reduce<string[][]>((all, ways) => all.flatMap((so) => ways.map((way) => [...so, way])), [[]])
    .map((one) => one.join(' '));
}
