import type { TrainCase } from './cases.ts';

/** Names and texts of the cases, by argument, for generated examples. */
export type Names = Readonly<
  Record<'project' | 'service' | 'channel' | 'user' | 'key' | 'text', readonly string[]>
>;

export function namesIn(cases: readonly TrainCase[]): Names {
  const of = (arg: string): string[] => [
    ...new Set(
      cases
        .flatMap(({ steps }) => steps.map(({ args }) => args[arg]))
        .filter((value) => typeof value === 'string' && !/[$?]/u.test(value)) as string[],
    ),
  ];
  const isPlain = (text: string): boolean =>
    text.length < 50 && text.includes(' ') && !/["$,.:;?!\n]| and | if /u.test(text);
  return {
    ...{
      project: of('project'),
      service: of('service'),
      user: of('user').filter((name) => name.startsWith('@')),
      key: of('key'),
    },
    ...{ channel: of('channel').filter((name) => name.startsWith('#')), text: of('text').filter(isPlain) },
  };
}
