import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useAddress } from './address.ts';
import { ControlError, callControl, type Method } from './control-api.ts';
import { Header } from './header.tsx';
import { JiraPane } from './jira/jira-pane.tsx';
import type { SandboxState } from './model.ts';
import { MonitoringPane } from './monitoring/monitoring-pane.tsx';
import { isRinging } from './pagerduty/incident-card.tsx';
import { PagerDutyPane } from './pagerduty/pagerduty-pane.tsx';
import { Pane, type PaneProps, Tabs } from './panes.tsx';
import { betweenPresses } from './press.ts';
import { readState } from './read-state.ts';
import { SandboxContext } from './sandbox-context.ts';
import { SlackPane } from './slack/slack-pane.tsx';
import { Toasts, useToasts } from './toasts.tsx';

/** The panes; side by side if they fit, otherwise one at a time behind tabs. */
export function App() {
  const [as, setAs] = useAddress('as', 'U0ANA');
  const [themeChoice, setTheme] = useAddress('theme', '');
  const [tab, setTab] = useAddress('pane', 'slack');
  const systemDark = useMedia('(prefers-color-scheme: dark)');
  const narrow = useMedia('(max-width: 999px)');
  const { state, connected } = useStream(as);
  const { toasts, notify, dismiss } = useToasts();
  const theme =
    themeChoice === '' ? (systemDark ? 'dark' : 'light') : themeChoice === 'dark' ? 'dark' : 'light';
  useEffect(() => {
    document.documentElement.style.colorScheme = theme;
  }, [theme]);

  const send = useCallback(
    async (method: Method, path: string, body?: unknown) => {
      try {
        await callControl(method, path, body);
        return true;
      } catch (error) {
        if (!(error instanceof ControlError)) throw error;
        notify(error.message);
        return false;
      }
    },
    [notify],
  );
  if (!state)
    return <p className="empty">{connected ? 'Loading the sandbox…' : 'The sandbox does not answer.'}</p>;
  const ringing = state.pagerduty.incidents.filter(isRinging).length;
  const panes: PaneProps[] = [
    { id: 'slack', name: 'Slack', children: <SlackPane narrow={narrow} /> },
    { id: 'monitoring', name: 'Monitoring', children: <MonitoringPane /> },
    { id: 'jira', name: 'Jira', children: <JiraPane /> },
    { id: 'pagerduty', name: 'PagerDuty', badge: ringing, children: <PagerDutyPane /> },
  ];
  return (
    <SandboxContext value={{ state, as, theme, send }}>
      <Header
        people={state.people}
        as={as}
        theme={theme}
        connected={connected}
        onAs={setAs}
        onTheme={setTheme}
        onReset={() => void send('POST', '/api/reset', {})}
      />
      {narrow ? <Tabs panes={panes} current={tab} onOpen={setTab} /> : null}
      <main className={narrow ? 'panes panes-narrow' : 'panes'}>
        {panes.map((pane) =>
          narrow && pane.id !== tab ? null : <Pane key={pane.id} {...pane} narrow={narrow} />,
        )}
      </main>
      <Toasts toasts={toasts} onDismiss={dismiss} />
    </SandboxContext>
  );
}

/** Whether a CSS media query matches right now. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );
}

interface Stream {
  state: SandboxState | undefined;
  connected: boolean;
}

/** The sandbox's state as seen by one person, pushed on every change; reconnects by itself. */
function useStream(as: string): Stream {
  const [state, setState] = useState<SandboxState>();
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    const source = new EventSource(`/api/stream?as=${encodeURIComponent(as)}`);
    const press = betweenPresses();
    source.addEventListener('open', () => setConnected(true));
    source.addEventListener('error', () => setConnected(false));
    source.addEventListener('state', (event) => {
      const read = readState(JSON.parse(event.data), as);
      press.run(() => setState(read));
      setConnected(true);
    });
    return () => {
      source.close();
      press.stop();
    };
  }, [as]);
  return { state, connected };
}
