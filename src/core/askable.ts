import type { Catalogue } from './catalogue.ts';
import type { Manifest, ToolSystem } from './manifest.ts';

/** Requests that work in a workspace, by the system that they are about. */
export interface Askable {
  readonly system: string;
  /** As typed after `/plan`. */
  readonly goals: readonly string[];
}

/** People's names for the systems behind the tools. */
export const systemNames: Partial<Record<ToolSystem, string>> = {
  jira: 'Jira',
  pagerduty: 'PagerDuty',
  slack: 'Slack',
  azure: 'Azure Monitor',
  splunk: 'Splunk',
  prometheus: 'Prometheus',
  sql: 'The database',
  code: 'The code',
};

/** People's name for the system behind a tool. */
export function systemName({ system, name }: Pick<Manifest, 'system' | 'name'>): string {
  return systemNames[system] ?? name;
}

/** In the order in which they are listed. */
const headings: Partial<Record<ToolSystem, string>> = {
  ...systemNames,
  ...{ sql: 'Databases', runbooks: 'Runbooks', errors: 'Error codes', sla: 'SLAs', code: 'Code' },
  numbers: 'Shares',
  ...{ mcp: 'Other tools', model: 'Summaries' },
};
const order = Object.keys(headings);

/** Of a system; help is read on a phone. */
const maxReads = 2;

/** Examples of the tools that are set up and, if they write, that somebody may approve; reads first. */
export function askableIn(catalogue: Catalogue, mayBeApproved: (tool: string) => boolean): Askable[] {
  const tools = [...catalogue.manifests.values()].filter(({ name }) => !catalogue.unconfigured.has(name));
  const systems = [...Map.groupBy(tools, ({ system }) => system)];
  return systems
    .toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .flatMap(([system, ones]) => {
      const examplesOf = (some: readonly Manifest[]) =>
        some.flatMap((one) => examplesIn(one, catalogue)).toSorted(asIsFirst);
      const reads = examplesOf(ones.filter(({ effect }) => effect === 'read')).slice(0, maxReads);
      const writes = examplesOf(
        ones.filter(({ effect, name }) => effect !== 'read' && mayBeApproved(name)),
      ).slice(0, 1);
      const goals = [...reads, ...writes];
      return goals.length === 0 ? [] : [{ system: headings[system] ?? system, goals }];
    });
}

/** Those that name no ticket or incident can be typed as they are. */
const asIsFirst = (one: string, other: string): number =>
  Number(/\d\d|[A-Z]-\d/u.test(one)) - Number(/\d\d|[A-Z]-\d/u.test(other));

/** The operator's vetted queries by their names, or an example of the manifest. */
function examplesIn(manifest: Manifest, catalogue: Catalogue): string[] {
  const named = queriesIn(manifest, catalogue, {}).map(({ goal }) => goal);
  const [example] = manifest.asked?.examples ?? [];
  return named.length > 0 || example === undefined ? named : [inNames(example, manifest, catalogue, {})];
}

/** Names in a request. */
export interface NamesSaid {
  readonly service?: string | undefined;
  readonly project?: string | undefined;
  readonly issue?: string | undefined;
  readonly incident?: string | undefined;
}

/** A request that works here, and the words that lead to it. */
export interface Doable {
  readonly goal: string;
  readonly words: string;
  /** The tool or query. */
  readonly of: string;
  /** Names that people have for the tool; an example with other words than these is about something else. */
  readonly own: readonly string[] | null;
  readonly isPlaybook?: boolean;
  /** The tool, if it only looks something up. */
  readonly reads?: string;
}

/** All requests that examples and vetted queries show, about what the request names; none is done without a card. */
export function doableIn(
  catalogue: Catalogue,
  mayBeApproved: (tool: string) => boolean,
  said: NamesSaid,
): Doable[] {
  const tools = [...catalogue.manifests.values()].filter(
    ({ name, effect, atOnce }) =>
      !catalogue.unconfigured.has(name) && (effect === 'read' || (atOnce !== true && mayBeApproved(name))),
  );
  return tools.flatMap((tool) => [...queriesIn(tool, catalogue, said), ...shownBy(tool, catalogue, said)]);
}

function shownBy(tool: Manifest, catalogue: Catalogue, said: NamesSaid): Doable[] {
  const { name: of, effect, asked, keywords } = tool;
  if (asked === undefined) return [];
  const own = [...keywords, ...asked.verbs, ...(asked.nouns ?? [])];
  return asked.examples.flatMap((example) => {
    // The text of a write is for the person to say.
    const goal = effect === 'read' ? example : (example.split(':')[0] ?? example);
    const isOfNothing =
      (sampleIssue.test(goal) && said.issue === undefined) ||
      (sampleIncident.test(goal) && said.incident === undefined) ||
      !namesKnown(goal, catalogue);
    return isOfNothing
      ? []
      : [
          {
            goal: inNames(goal, tool, catalogue, said),
            words: [goal, ...own].join(' '),
            of,
            own,
            ...(effect === 'read' && { reads: of }),
          },
        ];
  });
}

function queriesIn(
  { name: reads, queries: language }: Manifest,
  catalogue: Catalogue,
  said: NamesSaid,
): Doable[] {
  const vetted = (catalogue.queries ?? []).filter(
    (one) => language !== undefined && one.language === language,
  );
  return vetted.flatMap(({ name: of, says, services = [], parameters }) => {
    const [name] = says;
    const isSaid = said.service !== undefined && (services.length === 0 || services.includes(said.service));
    const service = isSaid
      ? said.service
      : (services[0] ?? catalogue.defaults.service ?? catalogue.services[0]?.name);
    const isOfService = service !== undefined && Object.hasOwn(parameters, 'service');
    const lacks = Object.entries(parameters).some(
      ([arg, one]) => arg !== 'service' && one.default === undefined,
    );
    if (name === undefined || lacks) return [];
    const goal = isOfService ? `${name} of ${service}` : name;
    return [{ goal, words: [of, ...says].join(' '), of: `query ${of}`, own: null, reads }];
  });
}

/** The names in the examples of manifests. */
const samples = /(?<![\w@#/-])(?:(OPS|PAY|WEB|HELP)(?![\w])|(ops|payments-api|search|checkout)(?![\w-]))/gu;
const sampleIssue = /(?<!\w)(?:OPS|PAY|WEB|HELP)-\d+/u;
const sampleIncident = /(?<!\w)(?:#12|40012|PXY123)(?!\w)/u;

const namesKnown = (goal: string, { channels, people }: Catalogue): boolean =>
  [...goal.matchAll(/([@#])(\p{L}[\p{L}\p{N}_-]*)/gu)].every(([, sign, name]) =>
    sign === '#' ? channels.some((one) => one.name === name) : people.some(({ handle }) => handle === name),
  );

/** An example with names of the request or workspace; those of tools of MCP servers are the operator's own. */
function inNames(
  example: string,
  { system }: Manifest,
  { projects, services, defaults }: Catalogue,
  said: NamesSaid,
): string {
  const about = example
    .replace(sampleIssue, said.issue ?? '$&')
    .replace(sampleIncident, said.incident ?? '$&');
  if (system === 'mcp') return about;
  const project = said.project ?? defaults.project ?? projects[0]?.key;
  const service = said.service ?? defaults.service ?? services[0]?.name;
  return about.replaceAll(samples, (name, key: string | undefined) => {
    if (said.issue?.startsWith(name) === true) return name;
    const wanted = key === undefined ? said.service : said.project;
    const isKnown = projects.some((one) => one.key === name) || services.some((one) => one.name === name);
    return isKnown && wanted === undefined ? name : ((key === undefined ? service : project) ?? name);
  });
}
