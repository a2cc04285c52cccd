import { type AgentCard, type Message, Role, type StreamResponse, type Task } from '@a2a-js/sdk';
import {
  A2AError,
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { type AgentDesk, AgentError, callSkill } from '../../core/agent.ts';
import { describeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Log } from '../../core/log.ts';
import { extendedCardOf } from './card.ts';
import { dataPart, isEnded, message, taskOf } from './task.ts';

const maxListed = 50;

interface Of {
  readonly desk: AgentDesk;
  readonly card: AgentCard;
  /** False once nobody listens any more, or may. */
  readonly isHeard: () => boolean;
  readonly log: Log;
}

/**
 * One agent's calls over A2A: those that its desk offers. A task is one of its proposals, read from its rows for every
 * answer, so the SDK's own handler, which keeps what runs in memory, is not used.
 */
export function handlerFor({ desk, card, isHeard, log }: Of): A2ARequestHandler {
  const { tasks } = desk;
  const told = teller(desk, log);
  const read = async (id: string): Promise<Task> => taskOf(await tasks.get(required(id)));
  async function* follow(id: string): AsyncGenerator<StreamResponse, void, undefined> {
    let first: Task | null = null;
    try {
      for await (const one of tasks.follow(id, isHeard)) {
        const task = taskOf(one);
        if (first === null) yield { payload: { $case: 'task', value: task } };
        else yield* changesOf(task);
        first ??= task;
      }
    } catch (error) {
      throw told(error);
    }
    if (!isHeard()) throw new UnsupportedOperationError('Nothing more is said here. Ask again for the task.');
  }
  const send = async (sent: Message | undefined): Promise<Task | Message> => {
    const made = await take(sent, desk);
    return typeof made === 'string' ? read(made) : made;
  };
  const noPush = (): never => {
    throw new PushNotificationNotSupportedError('Follow the task, or ask for it, instead.');
  };
  const guarded = async <T>(call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => {
      throw told(error);
    });
  return {
    getAgentCard: async () => card,
    getAuthenticatedExtendedAgentCard: async () => extendedCardOf(card, desk),
    sendMessage: ({ message: sent, configuration }) =>
      guarded(
        send(sent).then((made) =>
          'messageId' in made ? made : withHistory(made, configuration?.historyLength),
        ),
      ),
    async *sendMessageStream({ message: sent }) {
      const made = await guarded(take(sent, desk));
      if (typeof made === 'string') yield* follow(made);
      else yield { payload: { $case: 'message', value: made } };
    },
    getTask: ({ id, historyLength }) => guarded(read(id).then((task) => withHistory(task, historyLength))),
    async *resubscribe({ id }) {
      const task = await guarded(read(id));
      if (isEnded(task)) throw new UnsupportedOperationError('This task has ended. Get it instead.');
      yield* follow(id);
    },
    cancelTask: ({ id }) =>
      guarded(
        read(id).then(() => {
          throw new TaskNotCancelableError('People decide about it. Ask your owner to reject or stop it.');
        }),
      ),
    listTasks: (of) => guarded(list(of, desk)),
    createTaskPushNotificationConfig: async () => noPush(),
    getTaskPushNotificationConfig: async () => noPush(),
    listTaskPushNotificationConfigs: async () => noPush(),
    deleteTaskPushNotificationConfig: async () => noPush(),
  };
}

function* changesOf(task: Task): Generator<StreamResponse> {
  const of = { taskId: task.id, contextId: task.contextId, metadata: undefined };
  for (const artifact of task.artifacts)
    yield {
      payload: { $case: 'artifactUpdate', value: { ...of, artifact, append: false, lastChunk: true } },
    };
  yield { payload: { $case: 'statusUpdate', value: { ...of, status: task.status } } };
}

/** The id of the proposal that a message makes or answers, or the message that answers it at once. */
async function take(sent: Message | undefined, desk: AgentDesk): Promise<string | Message> {
  if (sent === undefined || sent.messageId === '')
    throw new RequestMalformedError('message.messageId is missing.');
  const { messageId: key, taskId, contextId } = sent;
  const { words, data } = contentOf(sent);
  if (taskId !== '') {
    if (contextId !== '' && (await desk.tasks.get(taskId)).group !== contextId)
      throw new RequestMalformedError('The task belongs to another contextId. Leave that out.');
    await callSkill(desk, 'answer', { id: taskId, key, ...data, ...(words === '' ? {} : { answer: words }) });
    return taskId;
  }
  const { skill = 'create_plan', ...given } = data;
  const goal = words === '' ? {} : { goal: words };
  if (skill === 'create_plan') {
    const group = contextId === '' ? {} : { group: contextId };
    const made = await callSkill(desk, 'propose', { ...goal, ...given, key, ...group });
    return String(made.id);
  }
  if (skill !== 'optimize_plan')
    throw new RequestMalformedError(
      'unknown_skill: the skill of a data part is create_plan or optimize_plan.',
    );
  const plan = words === '' ? {} : { plan: words };
  const answer = await callSkill(desk, skill, { ...plan, ...given });
  const of = { messageId: `${key}-answer`, role: Role.ROLE_AGENT, taskId: '', contextId };
  return message(of, [dataPart(answer)]);
}

/** Its texts, and the one object of data. */
function contentOf({ parts }: Message): {
  readonly words: string;
  readonly data: Readonly<Record<string, unknown>>;
} {
  const words: string[] = [];
  let data: JsonObject | null = null;
  for (const { content } of parts) {
    if (content?.$case === 'text') words.push(content.value);
    else if (content?.$case === 'data' && data === null && isObject(content.value)) data = content.value;
    else throw new ContentTypeNotSupportedError('A message has texts, and at most one object as data.');
  }
  return { words: words.join('\n').trim(), data: data ?? {} };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function list(
  of: Parameters<A2ARequestHandler['listTasks']>[0],
  { tasks }: AgentDesk,
): ReturnType<A2ARequestHandler['listTasks']> {
  if (of.status !== 0 || of.statusTimestampAfter !== undefined)
    throw new UnsupportedOperationError(
      'Tasks are listed by contextId only; leave out status and statusTimestampAfter.',
    );
  const { pageSize = maxListed, contextId, pageToken, historyLength = 0, includeArtifacts = false } = of;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 100)
    throw new RequestMalformedError('pageSize must be a whole number from 1 to 100.');
  const limit = Math.min(pageSize, maxListed);
  const found = await tasks.list({ limit, group: contextId || null, before: pageToken || null });
  const listed = found.tasks.map((one) => {
    const task = withHistory(taskOf(one), historyLength);
    return includeArtifacts ? task : { ...task, artifacts: [] };
  });
  return { tasks: listed, nextPageToken: found.next ?? '', pageSize: limit, totalSize: found.total };
}

function withHistory(task: Task, length: number | undefined): Task {
  if (length === undefined) return task;
  if (!Number.isInteger(length) || length < 0)
    throw new RequestMalformedError('historyLength must be a whole number that is not negative.');
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
}

function required(id: string): string {
  if (id.trim() === '') throw new RequestMalformedError('The id of the task is missing.');
  return id;
}

/** Errors in the protocol's words. Of a failure on our side an agent learns nothing. */
function teller({ agent }: AgentDesk, log: Log): (error: unknown) => A2AError {
  return (error) => {
    if (error instanceof A2AError) return error;
    const { code, message: said } = describeError(error);
    if (error instanceof AgentError) {
      const options = { message: `${code}: ${said}`, metadata: { code } };
      return code === 'unknown_plan' ? new TaskNotFoundError(options) : new RequestMalformedError(options);
    }
    log.error({ agent, ...describeError(error) }, 'A call of an agent failed');
    return new A2AError('That failed on our side. Try again; the operator has it in the log.');
  };
}
