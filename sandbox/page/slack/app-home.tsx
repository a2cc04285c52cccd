import { useEffect } from 'react';
import { BlockList } from '../blocks/block-list.tsx';
import { actionIdOf, entryOf } from '../blocks/field-value.ts';
import { useSandbox } from '../sandbox-context.ts';
import { Boundary } from './boundary.tsx';

/** The app's Home tab; opening it tells the app, which then publishes the view. */
export function AppHome() {
  const { as, state, send } = useSandbox();
  const { home, botName } = state.slack;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each person, not on every change of the state
  useEffect(() => {
    void send('POST', '/api/slack/home', { as });
  }, [as]);
  return (
    <div className="conversation">
      <header className="conversation-head">
        <h3>{botName}: Home</h3>
      </header>
      <div className="messages home">
        {home ? (
          <Boundary what="home tab">
            <BlockList
              blocks={home.blocks}
              onAct={(blockId, element, value) =>
                send('POST', '/api/slack/view-action', {
                  as,
                  viewId: home.id,
                  blockId,
                  actionId: actionIdOf(element),
                  value: entryOf(element, value),
                })
              }
            />
          </Boundary>
        ) : (
          <p className="empty">The app has not published a home view for you yet.</p>
        )}
      </div>
    </div>
  );
}
