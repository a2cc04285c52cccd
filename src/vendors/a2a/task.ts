import { type Message, type Part, Role, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import type { AgentTask } from '../../core/agent.ts';
import type { Json, JsonObject } from '../../core/json.ts';

const states: Readonly<Record<string, TaskState>> = {
  planning: TaskState.TASK_STATE_WORKING,
  waiting: TaskState.TASK_STATE_WORKING,
  approved: TaskState.TASK_STATE_WORKING,
  running: TaskState.TASK_STATE_WORKING,
  asking: TaskState.TASK_STATE_INPUT_REQUIRED,
  done: TaskState.TASK_STATE_COMPLETED,
  answered: TaskState.TASK_STATE_COMPLETED,
  rejected: TaskState.TASK_STATE_REJECTED,
  refused: TaskState.TASK_STATE_REJECTED,
  same_under_way: TaskState.TASK_STATE_REJECTED,
  expired: TaskState.TASK_STATE_CANCELED,
  superseded: TaskState.TASK_STATE_CANCELED,
  cancelled: TaskState.TASK_STATE_CANCELED,
};

/** States in which no message changes anything any more. */
const ended: readonly TaskState[] = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_REJECTED,
  TaskState.TASK_STATE_CANCELED,
];

export const isEnded = ({ status }: Task): boolean => status !== undefined && ended.includes(status.state);

/** A proposal in the protocol's words. Its outcome is an artifact once there is one. */
export function taskOf({ id, group, goal, answers, status }: AgentTask): Task {
  // Part of a run counts as not done.
  const state = states[String(status.state)] ?? TaskState.TASK_STATE_FAILED;
  const of = { taskId: id, contextId: group };
  const said = answers.flatMap(({ question, answer }, nth) => [
    message({ ...of, messageId: `${id}-question-${nth + 1}`, role: Role.ROLE_AGENT }, [textPart(question)]),
    message({ ...of, messageId: `${id}-answer-${nth + 1}`, role: Role.ROLE_USER }, [textPart(answer)]),
  ]);
  const asked = message({ ...of, messageId: `${id}-goal`, role: Role.ROLE_USER }, [textPart(goal)]);
  const outcome = {
    artifactId: `${id}-outcome`,
    name: 'outcome',
    description: 'Who decided, and how each step ended.',
  };
  const hasRun = 'decided' in status && ended.includes(state);
  return {
    ...{ id, contextId: group, status: statusOf(state, status, of), metadata: undefined },
    history: [asked, ...said],
    artifacts: hasRun ? [{ ...outcome, parts: [dataPart(status)], metadata: undefined, extensions: [] }] : [],
  };
}

function statusOf(
  state: TaskState,
  status: JsonObject,
  of: Pick<Message, 'taskId' | 'contextId'>,
): TaskStatus {
  const parts = [textPart(wordsOf(status)), dataPart(status)];
  const messageId = `${of.taskId}-${String(status.state)}`;
  return {
    state,
    message: message({ ...of, messageId, role: Role.ROLE_AGENT }, parts),
    timestamp: undefined,
  };
}

function wordsOf({ state, message: said, card, until }: JsonObject): string {
  if (typeof said === 'string') return said;
  if (state === 'planning') return 'It is being planned.';
  if (state === 'waiting') {
    const where = typeof card === 'string' ? `: ${card}` : '';
    return `People decide about it in Slack${where}. They can approve it until ${String(until)}.`;
  }
  if (state === 'approved' || state === 'running') return 'It was approved, and runs.';
  if (state === 'same_under_way') return 'The same is under way already, and this proposal has joined it.';
  return `It has ended: ${String(state)}.`;
}

export function message(
  of: Pick<Message, 'messageId' | 'role' | 'taskId' | 'contextId'>,
  parts: Part[],
): Message {
  return { ...of, parts, metadata: undefined, extensions: [], referenceTaskIds: [] };
}

const rest = { metadata: undefined, filename: '' } as const;

function textPart(value: string): Part {
  return { ...rest, content: { $case: 'text', value }, mediaType: 'text/plain' };
}

export function dataPart(value: Json): Part {
  return { ...rest, content: { $case: 'data', value }, mediaType: 'application/json' };
}
