import type { Catalogue } from '../../core/catalogue.ts';
import { nearlySame, wordsOf } from './mentions.ts';

/** Maximum names of one kind in the prompt; those in the request come first. */
const namesPerKind = 20;

/** How likely a request means this name: 2 if it contains it, 1 if it contains part of it or a misspelling. */
function likelihood(name: string, words: readonly string[]): number {
  const bare = name.toLowerCase();
  const near = (word: string) => bare.includes(word) || word.includes(bare) || nearlySame(word, bare);
  if (words.includes(bare)) return 2;
  return words.some((word) => word.length > 2 && near(word)) ? 1 : 0;
}

function pick<T>(entries: readonly T[], namesFor: (entry: T) => string[], words: readonly string[]): T[] {
  if (entries.length <= namesPerKind) return [...entries];
  const ranked = entries
    .map((entry) => ({ entry, rank: Math.max(...namesFor(entry).map((name) => likelihood(name, words))) }))
    .sort((a, b) => b.rank - a.rank);
  const meant = ranked.filter(({ rank }) => rank > 0).length;
  const shown = Math.max(5, Math.min(meant, namesPerKind));
  return ranked.slice(0, shown).map(({ entry }) => entry);
}

function line({ kind, shown, all }: { kind: string; shown: readonly string[]; all: number }): string[] {
  if (all === 0) return [];
  const rest = all > shown.length ? ` and ${all - shown.length} others that the request does not name` : '';
  return [`${kind}: ${shown.join(', ')}${rest}`];
}

/** The operator's names as lines; long lists are reduced to those the request may mean. */
export function nameLines(catalogue: Catalogue, text: string): string[] {
  const words = wordsOf(text).map((word) => word.replace(/^[#@]/, ''));
  const { services, projects, channels, people, defaults } = catalogue;
  const service = pick(services, (s) => [s.name], words).map((s) =>
    s.project ? `${s.name} (project ${s.project})` : s.name,
  );
  const project = pick(projects, (p) => [p.key, ...p.aliases], words).map((p) => {
    const about = [p.service ? `service ${p.service}` : '', ...p.aliases.slice(0, 3)].filter(Boolean);
    return about.length > 0 ? `${p.key} (${about.join(', ')})` : p.key;
  });
  const channel = pick(channels, (c) => [c.name], words).map(
    ({ name, clearance }) => `#${name}${clearance === 'internal' ? '' : ` [may hold ${clearance}]`}`,
  );
  const person = pick(people, (p) => [p.handle], words).map((p) => `@${p.handle}`);
  const preset = Object.entries(defaults).map(([name, value]) => `${name} ${value}`);
  const lines = [
    { kind: 'services', shown: service, all: services.length },
    { kind: 'projects', shown: project, all: projects.length },
    { kind: 'channels', shown: channel, all: channels.length },
    { kind: 'people', shown: person, all: people.length },
  ];
  // Lines that are the same for every request come first: vendors cache the common part of prompts.
  const isWhole = ({ shown, all }: (typeof lines)[number]): boolean => shown.length === all;
  return [
    ...lines.filter(isWhole).flatMap(line),
    ...(preset.length > 0 ? [`defaults where nothing is said: ${preset.join(', ')}`] : []),
    ...lines.filter((one) => !isWhole(one)).flatMap(line),
    ...(catalogue.open ? ['other names that stand in the request are known as well'] : []),
  ];
}
