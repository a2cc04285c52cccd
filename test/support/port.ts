import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to whoever asks for any: between two looks nobody else may be handed one of these. */
const [first, last] = [15_000, 32_000];
/** Test processes begin at different places. */
let next = first + Math.floor(Math.random() * (last - first));

/** A port that nobody listens on now, and another one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    next = next < last ? next + 1 : first;
    if (await isFree(next)) return next;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server.listen(port, '127.0.0.1'), 'listening');
  const taken = await listening.then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
      return true;
    },
  );
  if (taken) return false;
  server.close();
  await once(server, 'close');
  return true;
}
