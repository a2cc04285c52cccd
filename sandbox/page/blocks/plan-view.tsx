import type { PlanBlock, TaskCardBlock } from '@slack/types';
import { ExternalLink } from '../external-link.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { LibraryBlock } from './library-block.tsx';
import { safeUrl } from './mrkdwn.ts';

const statuses: Record<TaskCardBlock['status'], readonly [icon: IconName | undefined, name: string]> = {
  pending: [undefined, 'pending'],
  in_progress: [undefined, 'in progress'],
  complete: ['check', 'complete'],
  error: ['cross', 'error'],
};

/** Slack's `plan` block: a titled list of tasks with a progress count. */
export function PlanView({ block }: { block: PlanBlock }) {
  const tasks = (block.tasks ?? []).filter(isTask);
  const done = tasks.filter((one) => one.status === 'complete').length;
  return (
    <section className="plan" aria-label={block.title}>
      <header>
        <strong>{block.title}</strong>
        <span className="muted">
          {done} of {tasks.length} done
        </span>
      </header>
      <ol>
        {tasks.map((task) => (
          <li key={task.task_id}>
            <TaskCardView task={task} />
          </li>
        ))}
      </ol>
    </section>
  );
}

export function TaskCardView({ task }: { task: TaskCardBlock }) {
  const [icon, name] = statuses[task.status] ?? statuses.pending;
  return (
    <div className={`task task-${task.status}`}>
      <span className="task-mark" role="img" aria-label={name}>
        {icon ? <Icon name={icon} /> : null}
      </span>
      <div className="task-text">
        <div className="task-title">{task.title}</div>
        {task.details ? <LibraryBlock block={task.details} /> : null}
        {task.output ? (
          <div className="task-output">
            <LibraryBlock block={task.output} />
          </div>
        ) : null}
        {task.sources?.map((source) => {
          const url = safeUrl(source.url);
          return url === undefined ? null : (
            <ExternalLink key={url} url={url}>
              {source.text}
            </ExternalLink>
          );
        })}
      </div>
    </div>
  );
}

function isTask(task: TaskCardBlock | Record<string, unknown>): task is TaskCardBlock {
  return task.type === 'task_card';
}
