import type { ActionsBlock, KnownBlock, ModalView } from '@slack/types';

const options = ['OPS', 'PAY', 'WEB'].map((name) => ({ text: plain(name), value: name }));
/** A card with every interactive element of a message. */
export function card(): KnownBlock[] {
  return [
    { type: 'header', text: plain('Check OPS') },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: 'Literal: &lt;!channel&gt; &lt;@U0ANA&gt;, live: <!subteam^S0SRE>' },
      accessory: { type: 'overflow', action_id: 'overflow', options },
    },
    {
      type: 'table',
      rows: [
        [cell('Priority'), cell('Open')],
        [cell('P1'), cell('24')],
      ],
    },
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          action_id: 'approve',
          value: 'rev-1',
          style: 'primary',
          text: plain('Approve'),
          confirm: {
            title: plain('Run this plan?'),
            text: plain('It pages.'),
            confirm: plain('Yes, run it'),
            deny: plain('Cancel'),
          },
        },
        { type: 'static_select', action_id: 'select', placeholder: plain('Pick a project'), options },
      ],
    },
  ];
}

export function progress(): KnownBlock {
  return {
    type: 'plan',
    title: 'Checking OPS',
    tasks: [
      {
        type: 'task_card',
        task_id: 'count',
        title: 'Count open tickets',
        status: 'complete',
        output: {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '24 open' }] }],
        },
      },
      { type: 'task_card', task_id: 'page', title: 'Page on-call', status: 'in_progress' },
    ],
  };
}

/** A modal with every kind of input; each has the action id `v`. */
export function form(): ModalView {
  const input = (
    block_id: string,
    label: string,
    element: Extract<KnownBlock, { type: 'input' }>['element'],
  ) => ({ type: 'input', block_id, label: plain(label), element }) as const;
  return {
    type: 'modal',
    callback_id: 'form',
    title: plain('Edit the plan'),
    submit: plain('Save'),
    close: plain('Cancel'),
    blocks: [
      input('threshold', 'Threshold', {
        type: 'number_input',
        action_id: 'v',
        is_decimal_allowed: false,
        initial_value: '20',
      }),
      input('note', 'Note', { type: 'plain_text_input', action_id: 'v', multiline: true }),
      input('project', 'Project', { type: 'static_select', action_id: 'v', options }),
      input('flags', 'Flags', { type: 'checkboxes', action_id: 'v', options }),
    ],
  };
}

export function button(action_id: string, text: string): ActionsBlock {
  return { type: 'actions', elements: [{ type: 'button', action_id, text: plain(text) }] };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}

function cell(text: string) {
  return { type: 'raw_text', text } as const;
}
