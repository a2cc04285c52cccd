import { type Agent, type AgentPage, mayName } from '../core/agent.ts';
import { jsonOf } from '../core/json.ts';
import { manifestFacts } from '../core/manifest-facts.ts';
import type { AgentContext } from './context.ts';

const notation = `# Plan notation

One step a line: \`[when condition:] [id =] tool argument=value …\`. A value of several words stands in quotation marks.
\`{id.field}\` in a text is a field of the result of an earlier step, and \`{id}\` its main one. A target (service, project, issue,
channel, user) is a name of the catalogue, or a field of the result whose type is that target; never text.

    count = jira.count project=OPS priority=P1 status=open
    limit = sla.threshold project=OPS priority=P1
    when count.total > limit.max_open: pagerduty.page service=ops text="OPS has {count.total} open P1 tickets"

Lines below a step, about that step:

    after: count, page      runs after these steps; it always runs after those whose results it uses
    on error: continue      other steps go on when it fails
    on skip: run            runs although a step before it was skipped
    expect: count.total > 0 must hold after it

\`success: count.total > 0\` about the whole plan must hold at its end. Conditions are CEL over fields of results.

As JSON the same plan is an object with \`steps\` and \`success\`, each step with \`id\`, \`tool\`, \`args\`, \`needs\`, \`when\`, \`success\`,
\`onError\` and \`onSkip\`. A value is a literal, \`{"ref": "count.total"}\`, or in texts a list of both.

Titles and reasons of steps are computed: your own words go into the argument \`why\`. Ids, digests, approvals and estimates
are not yours to set.
`;

/** Pages for an agent: how plans are written, and everything that its plans may name. */
export function pagesOf(
  agent: Agent,
  { catalogue, policy }: Pick<AgentContext, 'catalogue' | 'policy'>,
): AgentPage[] {
  return [
    {
      ...{ uri: 'countersign://notation', name: 'Plan notation', mimeType: 'text/markdown' },
      about: 'How a plan is written.',
      read: () => notation,
    },
    {
      ...{ uri: 'countersign://catalogue', name: 'Catalogue', mimeType: 'application/json' },
      about: 'The tools with their arguments and results, and the names, that your plans may use.',
      read: () => JSON.stringify(catalogueOf(agent, catalogue, policy)),
    },
  ];
}

function catalogueOf(agent: Agent, catalogue: AgentContext['catalogue'], { caps }: AgentContext['policy']) {
  const { manifests, services, projects, channels, people, defaults } = catalogue;
  const tools = [...manifests.values()].filter(({ name }) => mayName(agent, name));
  return jsonOf({
    tools: tools.map((manifest) => {
      const { args, result } = manifestFacts(manifest);
      const { name, effect, summary } = manifest;
      return { name, effect, summary, args, result };
    }),
    services: services.map(({ name }) => name),
    projects: projects.map(({ key }) => key),
    channels: channels.map(({ name }) => `#${name}`),
    people: people.map(({ handle }) => `@${handle}`),
    defaults,
    yours: { channels: agent.channels.map(({ name }) => `#${name}`), reads: agent.reads, ...agent.caps },
    limits: { steps: caps.steps, writes: caps.writes },
  });
}
