import type { ViewResponseAction } from '@slack/bolt';
import { plain } from '../../blocks/layout.ts';
import type { Modal } from '../../blocks/message.ts';
import { bullets, line, rich } from '../../blocks/rich.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';
import type { SlackHandlers, SubmitAnswer, SubmitEvent } from './events.ts';
import type { SlackGateway } from './gateway.ts';

/** Slack waits three seconds; a later result is shown when it is ready. */
const timeoutMs = 2_000;

type Ack = (response?: ViewResponseAction) => Promise<void>;

/**
 * Gets the modal's response from the handler and acknowledges with it, always within Slack's three seconds. Resolves
 * with the remaining work.
 */
export async function answerSubmit(
  event: SubmitEvent,
  options: { readonly handlers: SlackHandlers; readonly gateway: SlackGateway; readonly ack: Ack },
): Promise<() => Promise<void>> {
  const { handlers, gateway, ack } = options;
  const asked = handlers.submit(event);
  const inTime = await within(asked, timeoutMs);
  if (inTime) {
    await ack(responseOf(inTime));
    return inTime.work;
  }
  await ack({ response_action: 'update', view: handlers.stillWorking() });
  return async () => {
    const answer = await asked;
    const view = lateView(answer);
    await gateway.updateView({ id: event.view.id }, view).catch(ignoreClosed);
    await answer.work();
  };
}

function responseOf({ answer }: SubmitAnswer): ViewResponseAction | undefined {
  if (answer.kind === 'close') return undefined;
  const errors = Object.entries(answer.errors).map(([block, text]) => [block, cut(oneLine(text), 300)]);
  return { response_action: 'errors', errors: Object.fromEntries(errors) };
}

function lateView({ answer }: SubmitAnswer): Modal {
  const done = answer.kind === 'close';
  const problems = done ? [] : Object.values(answer.errors);
  const words = done
    ? [rich([line('Done. The thread shows what came of it.')])]
    : [
        rich([line('Nothing was changed. Please fix this and try again:')]),
        rich([bullets(problems.map((problem) => line(problem)))]),
      ];
  return {
    type: 'modal',
    title: plain(done ? 'Done' : 'Not changed', 24),
    close: plain('Close', 24),
    blocks: words,
  };
}

function ignoreClosed(error: unknown): void {
  // The person closed the window meanwhile.
  if (error instanceof VendorError && error.code === 'slack_not_found') return;
  throw error;
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
