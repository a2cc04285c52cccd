import { useCallback, useEffect } from 'react';
import { useAddress } from './address.ts';
import { ControlError, callControl, type Method } from './control-api.ts';
import { Header } from './header.tsx';
import { JiraPane } from './jira/jira-pane.tsx';
import { MonitoringPane } from './monitoring/monitoring-pane.tsx';
import { isRinging } from './pagerduty/incident-card.tsx';
import { PagerDutyPane } from './pagerduty/pagerduty-pane.tsx';
import { Pane, type PaneProps, Tabs } from './panes.tsx';
import { SandboxContext } from './sandbox-context.ts';
import { SlackPane } from './slack/slack-pane.tsx';
import { Toasts, useToasts } from './toasts.tsx';
import { useMedia } from './use-media.ts';
import { useStream } from './use-stream.ts';

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
