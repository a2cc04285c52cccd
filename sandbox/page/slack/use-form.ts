import { useRef, useState } from 'react';
import {
  actionIdOf,
  entryOf,
  type InteractiveElement,
  initialValue,
  type RawValue,
} from '../blocks/field-value.ts';
import type { OpenView } from '../model.ts';
import { useSandbox } from '../sandbox-context.ts';

type Entries = Record<string, Record<string, unknown>>;

/** A person's entries in a view. They survive an update of the view by the app, as in Slack. */
export function useForm(view: OpenView) {
  const { as, send } = useSandbox();
  const [raw, setRaw] = useState<Record<string, RawValue>>({});
  const touched = useRef<Entries>({});

  function act(blockId: string, actionId: string, value: unknown) {
    return send('POST', '/api/slack/view-action', { as, viewId: view.id, blockId, actionId, value });
  }
  return {
    valueOf: (blockId: string, element: InteractiveElement) =>
      raw[`${blockId}/${actionIdOf(element)}`] ?? initialValue(element),
    change(blockId: string, element: InteractiveElement, value: RawValue) {
      const actionId = actionIdOf(element);
      setRaw((all) => ({ ...all, [`${blockId}/${actionId}`]: value }));
      const entries = { ...touched.current[blockId], [actionId]: entryOf(element, value) };
      touched.current = { ...touched.current, [blockId]: entries };
    },
    /** Sends one action. Slack sends the state of the whole view with it, so other entries are sent first. */
    async action(blockId: string, element: InteractiveElement, value: RawValue) {
      const entered = Object.entries(touched.current).filter(([block]) => block !== blockId);
      touched.current = {};
      for (const [block, entries] of entered) {
        for (const [actionId, entry] of Object.entries(entries)) await act(block, actionId, entry);
      }
      return act(blockId, actionIdOf(element), entryOf(element, value));
    },
    submit: () => send('POST', '/api/slack/submit', { as, viewId: view.id, values: touched.current }),
    close: () => send('POST', '/api/slack/close', { as, viewId: view.id }),
  };
}
