import type { Catalogue } from '../../core/catalogue.ts';
import { englishFor } from './foreign-words.ts';
import { nearlySame, wordsOf } from './mentions.ts';

/** Names of one kind that the model is told; what a request names comes first. */
const namesPerKind = 10;

function close(name: string, words: readonly string[]): boolean {
  const bare = name.toLowerCase();
  return words.some((word) => {
    const other = word.replace(/^[#@]/, '');
    return bare.includes(other) || other.includes(bare) || (other.length > 3 && nearlySame(other, bare));
  });
}

function pick<T>(entries: readonly T[], wordsFor: (entry: T) => string[], words: readonly string[]): T[] {
  if (entries.length <= namesPerKind) return [...entries];
  const meant = entries.filter((entry) => wordsFor(entry).some((name) => close(name, words)));
  return [...new Set([...meant, ...entries])].slice(0, Math.max(5, Math.min(meant.length, namesPerKind)));
}

function line(kind: string, shown: readonly string[], all: number): string[] {
  if (all === 0) return [];
  const rest = all > shown.length ? ` and ${all - shown.length} others that the request does not name` : '';
  return [`${kind}: ${shown.join(', ')}${rest}`];
}

/** The operator's names as lines, shortened to those that a request may mean where there are many. */
export function nameLines(catalogue: Catalogue, text: string): string[] {
  const words = wordsOf(`${text} ${englishFor(text)}`).filter((word) => word.length > 1);
  const { services, projects, channels, people, defaults } = catalogue;
  const service = pick(services, (s) => [s.name], words).map((s) =>
    s.project ? `${s.name} (project ${s.project})` : s.name,
  );
  const project = pick(projects, (p) => [p.key, ...p.aliases], words).map((p) => {
    const about = [p.service ? `service ${p.service}` : '', ...p.aliases.slice(0, 3)].filter(Boolean);
    return about.length > 0 ? `${p.key} (${about.join(', ')})` : p.key;
  });
  const channel = pick(channels, (c) => [c.name], words).map((c) => `#${c.name}`);
  const person = pick(people, (p) => [p.handle], words).map((p) => `@${p.handle}`);
  const preset = Object.entries(defaults).map(([name, value]) => `${name} ${value}`);
  return [
    ...line('services', service, services.length),
    ...line('projects', project, projects.length),
    ...line('channels', channel, channels.length),
    ...line('people', person, people.length),
    ...(preset.length > 0 ? [`defaults where nothing is said: ${preset.join(', ')}`] : []),
    ...(catalogue.open ? ['other names that stand in the request are known as well'] : []),
  ];
}
