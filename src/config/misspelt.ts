import { suggest } from '../core/suggest.ts';
import { envSchema } from './env-schema.ts';
import type { Given } from './role.ts';
import type { OperatorConfig } from './schema.ts';

/** A variable that is set and was probably meant as a setting that is not. */
export interface Misspelt {
  readonly typed: string;
  readonly meant: string;
}

/** Variables that the operator's file names, for it or for one of its workspaces. */
export function namedVariables({ services, databases, mcp }: OperatorConfig): string[] {
  const servers = Object.values(mcp).flatMap(({ env, token = [] }) => [env, token].flat());
  const keys = Object.values(services).map((service) => service.routing_key);
  const urls = Object.values(databases).map(({ url }) => url);
  return [...keys, ...urls, ...servers];
}

/** `named`: what the operator's file names; these are variables of their own. */
export function misspelt(variables: Given, named: readonly string[] = []): Misspelt[] {
  const known = [...Object.keys(envSchema.shape), ...named];
  const isSet = (name: string): boolean => Boolean(variables[name]?.trim());
  const open = known.filter((name) => name.includes('_') && !isSet(name));
  const strange = Object.keys(variables).filter((name) => isSet(name) && !known.includes(name));
  return strange.flatMap((typed) => {
    const meant = open.find((name) => isNear(typed, name)) ?? open.find((name) => lacksWord(typed, name));
    return meant === undefined ? [] : [{ typed, meant }];
  });
}

export const misspeltWords = ({ typed, meant }: Misspelt): string =>
  `${typed} is no setting of Countersign; did you mean ${meant}?`;

/** Word by word: as a whole, names of other programs such as APP_PORT would be near to ours. */
function isNear(typed: string, name: string): boolean {
  const [theirs, ours] = [typed, name].map((each) => each.toLowerCase().split('_')) as [string[], string[]];
  if (theirs.join('') === ours.join('')) return true;
  return theirs.length === ours.length && theirs.every((word, at) => suggest(word, ours.slice(at, at + 1)));
}

/** PAGERDUTY_TOKEN for PAGERDUTY_API_TOKEN: a word between the first and the last is missing. */
function lacksWord(typed: string, name: string): boolean {
  const words = name.split('_');
  return words.slice(1, -1).some((_word, at) => words.toSpliced(at + 1, 1).join('_') === typed);
}
