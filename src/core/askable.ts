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
  sql: 'The database',
  code: 'The code',
};
/** In the order in which they are listed. */
const headings: Partial<Record<ToolSystem, string>> = {
  ...systemNames,
  ...{ sql: 'Databases', runbooks: 'Runbooks', errors: 'Error codes', sla: 'SLAs', code: 'Code' },
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
  const { queries: language, asked } = manifest;
  const vetted = (catalogue.queries ?? []).filter(
    (one) => language !== undefined && one.language === language,
  );
  const named = vetted.flatMap(({ says: [name], services, parameters }) => {
    const service = services?.[0] ?? catalogue.defaults.service ?? catalogue.services[0]?.name;
    const isOfService = service !== undefined && Object.hasOwn(parameters, 'service');
    const lacks = Object.entries(parameters).some(
      ([arg, one]) => arg !== 'service' && one.default === undefined,
    );
    return name === undefined || lacks ? [] : [isOfService ? `${name} of ${service}` : name];
  });
  const [example] = asked?.examples ?? [];
  return named.length > 0 || example === undefined ? named : [inNames(example, manifest, catalogue)];
}

/** The names in the examples of manifests. */
const samples = /(?<![\w@#/-])(?:(OPS|PAY|WEB|HELP)(?![\w])|(ops|payments-api|search|checkout)(?![\w-]))/gu;

/** An example with names of the workspace; those of tools of MCP servers are the operator's own. */
function inNames(example: string, { system }: Manifest, { projects, services, defaults }: Catalogue): string {
  if (system === 'mcp') return example;
  const project = defaults.project ?? projects[0]?.key;
  const service = defaults.service ?? services[0]?.name;
  return example.replaceAll(samples, (name, key: string | undefined) => {
    const isKnown = projects.some((one) => one.key === name) || services.some((one) => one.name === name);
    return isKnown ? name : ((key === undefined ? service : project) ?? name);
  });
}
