import type { Catalogue } from '../core/catalogue.ts';
import { targetName } from '../core/targets.ts';
import type { HistoryFilter } from '../store/history.ts';

/** A typed word with the thing it names here. */
export interface PlanTarget {
  readonly typed: string;
  readonly label: string;
  readonly filter: HistoryFilter;
}

/** The thing named after `/plan history`: a person, a ticket, a service, a project or a channel. Null if the name is unknown. */
export function namedIn(
  typed: string,
  { services, projects, channels, people }: Catalogue,
): PlanTarget | null {
  const named = (label: string, filter: HistoryFilter): PlanTarget => ({ typed, label, filter });
  const about = (kind: Parameters<typeof targetName>[0], value: string): PlanTarget =>
    named(value, { kind: 'target', target: targetName(kind, value) });
  // Slack's format for names that people pick: <@U012ABC|ana>, <#C012ABC|ops>.
  const user = /^<@([UW][A-Z0-9]+)(?:\|([^>]*))?>$/.exec(typed);
  if (user?.[1] !== undefined)
    return named(user[2] ? `@${user[2]}` : 'this person', { kind: 'person', userId: user[1] });
  const word = (/^<#[CG][A-Z0-9]+\|([^>]*)>$/.exec(typed)?.[1] ?? typed).toLowerCase();
  const bare = word.replace(/^[@#]/, '');
  if (/^[a-z][a-z0-9_]+-\d{1,9}$/.test(word)) return about('issue', word.toUpperCase());
  const service = services.find(({ name }) => name.toLowerCase() === word);
  if (service !== undefined) return about('service', service.name);
  const project = projects.find(({ key, aliases }) =>
    [key, ...aliases].some((each) => each.toLowerCase() === word),
  );
  if (project !== undefined) return about('project', project.key);
  const person = people.find(({ handle }) => handle.toLowerCase() === bare);
  if (person !== undefined) return named(`@${person.handle}`, { kind: 'person', userId: person.id });
  const channel = channels.find(({ name }) => name.toLowerCase() === bare);
  return channel === undefined ? null : about('channel', `#${channel.name}`);
}
