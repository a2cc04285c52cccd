import type { Catalogue } from '../../../core/catalogue.ts';
import type { DraftStep } from '../draft/draft.ts';
import type { Refusal } from './refusals.ts';

const twins: Readonly<Record<string, string>> = { 'logs.spl': 'logs.kql', 'logs.kql': 'logs.spl' };

/** A log search that names no system goes to the one that is there. */
export function withAvailableLogs(
  steps: readonly DraftStep[],
  catalogue: Catalogue,
  goal: string,
): DraftStep[] {
  const named = /\b(splunk|spl|kql|kusto|azure|insights|index\s*=)/i.test(goal);
  if (named) return [...steps];
  for (const step of steps) {
    const twin = twins[step.tool];
    if (twin !== undefined && !catalogue.manifests.has(step.tool) && catalogue.manifests.has(twin))
      step.tool = twin;
  }
  return [...steps];
}

/** Why a plan cannot run here: a tool that is not configured, or that this installation does not have. */
export function unavailable(
  steps: readonly { readonly tool: string }[],
  catalogue: Catalogue,
): Refusal | null {
  const step = steps.find((candidate) => !catalogue.manifests.has(candidate.tool));
  if (!step) return null;
  const settings = catalogue.unconfigured.get(step.tool);
  if (settings === undefined) {
    return {
      reason: 'no_tool',
      explanation: `This installation has no tool ${step.tool}. What the other tools can do is possible.`,
    };
  }
  return {
    reason: 'not_configured',
    explanation: `${step.tool} needs ${settings}.`,
  };
}

/** The bot's own account reads Jira, so nobody is "me" there. An open catalogue is no workspace: nothing runs. */
export function unknownAsker(steps: readonly DraftStep[], catalogue: Catalogue): Refusal | null {
  if (catalogue.open || !steps.some((step) => step.args.assignee === 'me')) return null;
  return {
    reason: 'no_tool',
    explanation:
      'Jira knows the bot, not who asks. Name yourself as Jira does, for example: open tickets assigned to Ana Ruiz.',
  };
}
