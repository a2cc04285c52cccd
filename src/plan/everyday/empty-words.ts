/** Filler words: a request means the same without them. */
export const emptyWords: ReadonlySet<string> = new Set(
  [
    'a an the this that these those it its is are was were be been being am do does did have has had having',
    'i me my mine we us our you your he she they them their who what which when where how why whose there here',
    'of in on at to for from by with about into onto over and or but so as if then than also too just only again',
    'please pls plz kindly thanks thank thx ty cheers hi hey hello morning ok okay k yes yeah well now right quick',
    'can could would will shall should may might must let lets need want like get give show tell see check look find',
    'sry sorry prob uh um hm hmm obvs obviously tho though btw lol fwiw imo tbh rn rly really actually n u ur ty np haha oh ah',
    'some any all each every both one ones more most up out off back down still already yet currently think guess maybe probably',
  ].flatMap((line) => line.split(' ')),
);

const vague = new Set(
  'lots lot loads plenty tons many several few heaps viele mehrere beaucoup plusieurs muchos muchas varios varias muitos muitas vários várias'.split(
    ' ',
  ),
);

/** An amount without a number: “lots of tickets”. */
export const isVagueAmount = (word: string): boolean => vague.has(word.toLowerCase());
