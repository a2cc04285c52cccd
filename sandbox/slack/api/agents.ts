import { refusal, SlackApiError } from '../errors.ts';
import { type Fields, isFields, stringAt } from '../fields.ts';
import type { AgentThread, SessionState } from '../model.ts';
import type { Workspace } from '../workspace.ts';
import type { Args } from './args.ts';
import { botMethod, channelById, type Methods, requireMember } from './method.ts';

export const agentMethods: Methods = {
  'agents.sessions.setStatus': botMethod(['chat:write'], setSession),
  'assistant.threads.setStatus': botMethod(['chat:write', 'assistant:write'], setStatus),
  'assistant.threads.setSuggestedPrompts': botMethod(['assistant:write'], setPrompts),
};

const sessionStates: readonly SessionState[] = ['active', 'processing', 'suspended', 'closed'];
const maxTitle = 200;
const maxPrompts = 4;

/** Both kinds of status belong to the message that starts a thread. */
function threadOf(args: Args, { state }: Workspace): AgentThread {
  const channel = channelById(state, args.need('channel_id'));
  requireMember(state, channel);
  const root = state.message(channel.id, args.need('thread_ts'));
  if (root === undefined || root.threadTs !== undefined) throw new SlackApiError('invalid_thread_ts');
  return state.agentThread(channel.id, root.ts);
}

function setSession(args: Args, workspace: Workspace): Fields {
  const { state, app } = workspace;
  if (!app.isAgent) throw new SlackApiError('access_denied');
  const status = sessionStates.find((one) => one === args.need('status'));
  const title = args.string('title') ?? '';
  if (status === undefined || title.length > maxTitle) throw new SlackApiError('invalid_arguments');
  const known = threadOf(args, workspace);
  // The title counts for a new session only.
  const named = known.session === null && title !== '' ? title : known.title;
  state.setAgentThread({ ...known, session: status, title: named });
  const isHeard = app.events.includes('agent_session_stopped');
  const warning = isHeard ? {} : { warning: 'missing_agent_session_stopped_event_subscription' };
  return { status, ...warning };
}

function setStatus(args: Args, workspace: Workspace): Fields {
  const known = threadOf(args, workspace);
  workspace.state.setAgentThread({ ...known, status: args.string('status') ?? '' });
  return {};
}

function setPrompts(args: Args, workspace: Workspace): Fields {
  const { state, app } = workspace;
  const channel = channelById(state, args.need('channel_id'));
  const given = args.json('prompts', 'invalid_arguments');
  const prompts = (Array.isArray(given) ? given : []).flatMap((one: unknown) => {
    const [title, message] = isFields(one) ? [stringAt(one, 'title'), stringAt(one, 'message')] : [];
    return title && message ? [{ title, message }] : [];
  });
  if (!Array.isArray(given) || prompts.length !== given.length || given.length > maxPrompts)
    throw refusal('invalid_arguments', ['invalid prompts [json-pointer:/prompts]']);
  // An agent has no thread of its own to suggest in: Slack ignores the call then.
  if (app.isAgent && args.has('thread_ts')) return {};
  state.prompts.set(channel.id, { channel: channel.id, title: args.string('title') ?? null, prompts });
  state.changed();
  return {};
}
