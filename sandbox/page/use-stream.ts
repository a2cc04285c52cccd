import { useEffect, useState } from 'react';
import type { SandboxState } from './model.ts';
import { readState } from './read-state.ts';

export interface Stream {
  state: SandboxState | undefined;
  connected: boolean;
}

/** The sandbox's state as seen by one person, pushed on every change; reconnects by itself. */
export function useStream(as: string): Stream {
  const [state, setState] = useState<SandboxState>();
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    const source = new EventSource(`/api/stream?as=${encodeURIComponent(as)}`);
    source.addEventListener('open', () => setConnected(true));
    source.addEventListener('error', () => setConnected(false));
    source.addEventListener('state', (event) => {
      setState(readState(JSON.parse(event.data), as));
      setConnected(true);
    });
    return () => source.close();
  }, [as]);
  return { state, connected };
}
