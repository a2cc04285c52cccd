import pg from 'pg';
import { StoreError } from '../store/errors.ts';
import { lockOf } from '../store/processes.ts';
import type { RunKey } from '../store/runs.ts';
import { readAnnouncement, runChannel } from './announce.ts';

const BEAT_MS = 5_000;
const APPLICATION = 'countersign-executor';
/** A machine that vanishes closes no connection: without these the server would keep its locks for two hours. */
const noticed =
  'set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3; set tcp_user_timeout = 5000';

/** Proves that a process is alive. */
export interface ExecutorLock {
  /** Calls `take` for every run announced from now on. */
  onAnnounced(take: (run: RunKey) => void): Promise<void>;
  /** Releases the lock without calling `onLost`. */
  release(): Promise<void>;
}

/**
 * Holds a session-level advisory lock named after an executor, on a dedicated connection. When the connection drops the
 * lock is gone and others may take over, so `onLost` has to end the process. The connection must be direct: a pooler in
 * transaction mode would lend the session to others. Throws StoreError `lock_held`.
 */
export async function holdExecutorLock(
  url: string,
  executorId: string,
  onLost: (reason: Error) => void,
): Promise<ExecutorLock> {
  const client = new pg.Client({
    connectionString: url,
    application_name: APPLICATION,
    connectionTimeoutMillis: 10_000,
    query_timeout: BEAT_MS,
    keepAlive: true,
  });
  let over = false;
  const lost = (reason: Error) => {
    if (over) return;
    over = true;
    clearInterval(beat);
    onLost(reason);
  };
  // A cut cable raises no event, so ask regularly; the interval does not keep the process alive.
  const beat = setInterval(() => client.query('select 1').catch(lost), BEAT_MS).unref();
  client.on('error', lost);
  client.on('end', () => lost(new Error('the connection ended')));
  const release = async () => {
    over = true;
    clearInterval(beat);
    await client.end();
  };
  try {
    await client.connect();
    await client.query(noticed);
    if (!(await tryLock(client, executorId))) throw held(executorId);
  } catch (error) {
    await release();
    throw error;
  }
  return { onAnnounced: (take) => listenTo(client, take), release };
}

async function listenTo(client: pg.Client, take: (run: RunKey) => void): Promise<void> {
  client.on('notification', ({ payload = '' }) => {
    const run = readAnnouncement(payload);
    if (run !== null) take(run);
  });
  await client.query(`listen ${runChannel}`);
}

async function tryLock(client: pg.Client, executorId: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(${lockOf('$1::text')}) as locked`,
    [executorId],
  );
  return rows[0]?.locked === true;
}

function held(executorId: string): StoreError {
  return new StoreError('lock_held', 'Another process runs under this executor id.', {
    executor: executorId,
  });
}
